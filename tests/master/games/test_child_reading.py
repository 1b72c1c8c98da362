import json
import zlib

import pytest

from master.games.backgammon.matches.foreign import ReadingLimits, read_in_child
from master.games.errors import RecordError

pytestmark = [pytest.mark.slow, pytest.mark.sockets]  # each test starts a process

MIB = 1 << 20
SMALL = ReadingLimits(address_bytes=64 * MIB, document_bytes=1_000, deadline_s=60)


def test_document_is_what_the_function_makes_of_the_file() -> None:
    document = {"games": [{"plies": [1, 2.5, None, True, "é"]}], "length": 7}
    assert read_in_child("json", "loads", json.dumps(document).encode(), SMALL) == document


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"1/0", r"^division by zero$"),
        (b"(_ for _ in ()).throw(ValueError())", r"^ValueError$"),
        (b"1\n+", r"^invalid syntax"),
        (b"'a' * 1001", r"^its content takes more than 0\.00095"),
        (b"[0] * 10**9", r"^reading it takes more than 64 MiB of memory$"),
        (b"{1}", r"^Object of type set is not JSON serializable$"),
        (b"__import__('os')._exit(3)", r"^the process that read it ended with exit code 3$"),
        (b"__import__('os').abort()", r"^the process that read it was killed by signal 6$"),
    ],
)
def test_what_goes_wrong_in_the_child_is_one_line(content: bytes, error: str) -> None:
    with pytest.raises(RecordError, match=error):
        read_in_child("builtins", "eval", content, SMALL)


def test_what_a_package_prints_is_no_part_of_the_document() -> None:
    assert read_in_child("builtins", "eval", b"[print('loading'), 5]", SMALL) == [None, 5]


def test_what_inflates_beyond_the_limit_is_refused() -> None:
    with pytest.raises(RecordError, match="takes more than 64 MiB of memory"):
        read_in_child("zlib", "decompress", zlib.compress(bytes(100 * MIB)), SMALL)


def test_child_that_does_not_end_is_ended() -> None:
    limits = ReadingLimits(deadline_s=0.5)
    with pytest.raises(RecordError, match=r"^reading it takes longer than 0\.5 s$"):
        read_in_child("builtins", "eval", b"__import__('signal').pause()", limits)


def test_package_that_is_not_there_is_no_traceback() -> None:
    with pytest.raises(RecordError, match="ended with exit code 1"):
        read_in_child("no_such_package", "read", b"", SMALL)
