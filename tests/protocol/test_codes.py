import re
from pathlib import Path

import protocol
from protocol.codes import CODES, ProtocolError, ReplyCode

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text()


def test_spec_prints_the_same_table() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \| (yes|no) \|$", SPEC, re.MULTILINE)
    assert rows == [
        (code, row.meaning, "yes" if row.is_closing else "no") for code, row in CODES.items()
    ]


def test_every_code_has_a_row_and_fits_the_wire() -> None:
    assert set(CODES) == set(ReplyCode)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,31}", code) for code in CODES)


def test_error_says_code_and_text() -> None:
    error = ProtocolError(ReplyCode.BAD_ACK, "only 3")
    assert (error.code, error.text, str(error)) == ("bad-ack", "only 3", "bad-ack: only 3")
