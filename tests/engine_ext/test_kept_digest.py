"""Cached files are whole or absent, and an engine's kept name is that of its own self-test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine_ext import kept_digest
from engine_ext.cached_file import cached_file, read_cached, write_cached
from engine_ext.contexts import ContextError
from engine_ext.kept_digest import fingerprint, kept_engine_digest
from engine_ext.services import GAMES, engine_digest

DIGEST = "0123456789abcdef"


class SelfTest:
    """Counts how often it is played."""

    def __init__(self, digest: str = DIGEST) -> None:
        self.digest = digest
        self.count = 0

    def __call__(self, game: str) -> str:
        self.count += 1
        return self.digest


@pytest.fixture(autouse=True)
def cache_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "manyply"


def kept_file(home: Path) -> Path:
    return home / "engine-noop.txt"


def ask(digest: str = DIGEST) -> tuple[str, int]:
    """Ask as a process that has not asked before; the name, and how many self-tests it took."""
    compute = SelfTest(digest)
    return kept_engine_digest("noop", compute), compute.count


@pytest.mark.parametrize("game", GAMES)
def test_name_is_that_of_the_self_test_first_and_again(game: str) -> None:
    first, again = SelfTest(engine_digest(game)), SelfTest("f" * 16)
    assert kept_engine_digest(game, first) == engine_digest(game)
    assert kept_engine_digest(game, again) == engine_digest(game)
    assert (first.count, again.count) == (1, 0)


def test_process_asks_once() -> None:
    compute = SelfTest()
    assert {kept_engine_digest("noop", compute) for _ in range(3)} == {DIGEST}
    assert compute.count == 1


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda line: line.replace(b"0123", b"0124"), id="another name"),
        pytest.param(lambda line: line[:-1], id="truncated"),
        pytest.param(lambda line: b"", id="empty"),
        pytest.param(lambda line: line + b"x", id="longer"),
        pytest.param(lambda line: b"\xff" * 5000, id="rubbish"),
        pytest.param(lambda line: b"a b\n", id="two words"),
    ],
)
def test_damaged_file_is_replaced(damage: Callable[[bytes], bytes], cache_home: Path) -> None:
    ask()
    sound = kept_file(cache_home).read_bytes()
    kept_file(cache_home).write_bytes(damage(sound))
    assert ask() == (DIGEST, 1)
    assert kept_file(cache_home).read_bytes() == sound


def test_what_cannot_be_kept_is_found_out_each_time(cache_home: Path) -> None:
    kept_file(cache_home).mkdir(parents=True)
    assert [ask(), ask()] == [(DIGEST, 1), (DIGEST, 1)]


def test_engine_whose_files_cannot_be_read_plays_its_self_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kept_digest, "_parts", lambda _: [tmp_path / "gone.so"])
    assert [ask(), ask()] == [(DIGEST, 1), (DIGEST, 1)]


def test_another_engine_has_another_name(
    cache_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A byte of a module, of a net or of what the processor says, and the self-test is played."""
    game = tmp_path / "engine_ext" / "game"
    (game / "data").mkdir(parents=True)
    (tmp_path / "engine_ext" / "search").mkdir()
    files = [game.parent / "rng.so", game / "rules.py", game / "data" / "some.net",
             game.parent / "search" / "table.so", tmp_path / "cpuinfo"]  # fmt: skip
    monkeypatch.setattr(kept_digest, "CPU_INFO", files[-1])
    monkeypatch.setattr(kept_digest, "_folder", lambda _: game)
    for file in files:
        file.write_text("flags: one\n")
    assert [ask()[1], ask()[1]] == [1, 0]
    for file in files:
        file.write_text("flags: two\n")
        assert [ask()[1], ask()[1]] == [1, 0], file.name
    (game / "notes.txt").write_text("what nobody loads")
    assert ask()[1] == 0


def test_how_fast_the_processor_runs_now_is_no_part_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reported = tmp_path / "cpuinfo"
    monkeypatch.setattr(kept_digest, "CPU_INFO", reported)
    marks = []
    for mhz in ("2596.140", "3100.000"):
        reported.write_text(
            f"model name\t: some\ncpu MHz\t\t: {mhz}\nflags\t\t: one\n\nflags: {mhz}\n"
        )
        marks.append(fingerprint("noop"))
    assert marks[0] == marks[1]


def test_unknown_game_is_refused() -> None:
    with pytest.raises(ContextError, match="unknown game 'go'"):
        kept_engine_digest("go", engine_digest)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file"
    assert read_cached(path, 10) is None
    for content in (b"some", b"", b"other"):
        write_cached(path, content)
        assert read_cached(path, 10) == content
    assert list(path.parent.iterdir()) == [path]


def test_no_more_is_read_than_asked_for(tmp_path: Path) -> None:
    write_cached(tmp_path / "file", b"12345")
    assert read_cached(tmp_path / "file", 3) == b"123"


def test_folder_in_the_files_place_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (path / "inside").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        write_cached(path, b"some")
    with pytest.raises(IsADirectoryError):
        read_cached(path, 10)
    assert list(tmp_path.iterdir()) == [path]


def test_xdg_cache_home_is_honoured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cached_file("some.bin") == tmp_path / "manyply" / "some.bin"
