import gzip
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from master.games.backgammon.matches.files import (
    FILE_BYTES_MAX,
    INFLATED_BYTES_MAX,
    parts_of,
    read_decisions,
    read_match,
    read_match_file,
)
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import AnalysedMatch
from master.games.backgammon.matches.replay import canonical
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.gnubg_program import (
    needs_gnubg,
    run_gnubg,
    self_play_commands,
)
from tests.master.games.backgammon.matches.random_matches import random_match

MATCH = random_match(5, 3, games_max=2)
TEXT = write_mat(MATCH)


def complaint(path: Path) -> str:
    with pytest.raises(RecordError) as error:
        read_match_file(path)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("name", ["a.mat", "a.txt", "a", "a.sgf"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_mat_file_is_known_by_its_content(tmp_path: Path, name: str, encoding: str) -> None:
    (tmp_path / name).write_text(TEXT, encoding=encoding, newline="\r\n")
    assert read_match_file(tmp_path / name).match == MATCH


def test_what_is_no_match_says_what_it_looks_like(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    for content, words in (
        (b"", "found an empty file"),
        (b" \r\n\t", "found an empty file"),
        (b"\x89PNG\r\n\x1a\n\0\0", "found binary data"),
        (b"Dear Ann,\nhow are you?\n", "found text of another kind"),
    ):
        path.write_bytes(content)
        found = complaint(path)
        assert found.startswith("a.mat: expected ")
        assert found.endswith(words)


def test_a_compressed_file_is_what_was_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.mat.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    assert read_match_file(path).match == MATCH
    assert read_match(path.read_bytes(), "a").match == MATCH
    path.write_bytes(gzip.compress(TEXT.encode())[:-20])
    assert complaint(path) == "a.mat.gz: expected a whole file that gzip compressed, found a part"
    path.write_bytes(b"\x1f\x8bnothing")
    assert complaint(path).startswith("a.mat.gz: expected a file that gzip compressed: ")
    path.write_bytes(gzip.compress(bytes(INFLATED_BYTES_MAX + 1)))
    assert complaint(path).startswith("a.mat.gz: a compressed match has at most ")


def test_a_damaged_match_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(" 5 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/3\n")
    assert complaint(path).startswith("a.txt:5: Ann: illegal play with 31: 8/3")
    path.write_text('; [Player 1 "Ann"]\n\n Game 1\n')
    assert complaint(path).startswith("a.txt:3: expected the match length")


ID = "4HPwATDgc/ABMA:cAkAAAAAAAAA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


@pytest.mark.parametrize("first", [ID, XGID, ID[:14], f"# openings\r\n\r\n  {ID}", XGID[5:]])
def test_a_list_of_ids_is_read_as_decisions_and_one_of_them_as_a_match(
    tmp_path: Path, first: str
) -> None:
    path = tmp_path / "ids.txt"
    path.write_text(f"{first}\n{XGID} 8/5 6/5\n")
    decisions = read_decisions(path, [])
    assert decisions is not None
    assert [len(each.match().games[0].actions) for each in decisions] == [0, 1]
    assert complaint(path) == "ids.txt: expected one match, found a list of 2 decisions"
    path.write_text(f"{XGID} 8/5 6/5\n")
    assert read_match_file(path).match == canonical(decisions[1].match())


@pytest.mark.parametrize("bad", ["XGID=nonsense", "nonsense"])
def test_a_bad_line_of_a_list_is_named_and_left_out(tmp_path: Path, bad: str) -> None:
    path, faults = tmp_path / "ids.txt", list[str]()
    path.write_text(f"{ID}\n\n{bad}\n{XGID}\n")
    assert complaint(path).startswith("ids.txt:3: ")
    decisions = read_decisions(path, faults)
    assert decisions is not None
    assert [each.line for each in decisions] == [1, 4]
    (fault,) = faults
    assert fault.startswith("ids.txt:3: ")


def test_a_list_of_bad_lines_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_text(f"{ID} 66 24/1\n{ID} 31 take\n")
    with pytest.raises(RecordError, match=r"^ids\.txt:1: "):
        read_decisions(path, [])


@pytest.mark.parametrize("text", ["", "# nothing\n", "Dear Sir,\n", f"{ID[:14]}\n{TEXT}"])
def test_other_files_are_no_list(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other"
    path.write_text(text)
    assert read_decisions(path, []) is None


def test_a_file_of_another_program_is_read_by_the_optional_package(tmp_path: Path) -> None:
    path = tmp_path / "a.xg"
    path.write_bytes(b"RGMH and then nothing")
    assert complaint(path).startswith("a.xg: ")  # it is broken, or the package is not there


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    assert complaint(tmp_path / "none.mat").endswith("none.mat: No such file or directory")
    assert "Is a directory" in complaint(tmp_path)


def test_a_file_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "big.mat"
    with path.open("wb") as file:
        file.truncate(FILE_BYTES_MAX + 1)
    assert complaint(path) == f"big.mat: a match file has at most {FILE_BYTES_MAX} bytes"


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_are_an_error_that_names_the_file(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    path = tmp_path / "a.bin"
    starts = (b"", b"(;FF[4]", b"5 point match\n", b"\xff\xfe", b"XGID=", b"4HPwATDgc/ABMA")
    path.write_bytes(random.choice(starts) + random.randbytes(300))
    assert complaint(path).startswith("a.bin")


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize(("length", "seed"), [(5, 7), (0, 3)])
@pytest.mark.when_changed
def test_gnubgs_match_is_the_same_from_its_two_files(
    tmp_path: Path, length: int, seed: int
) -> None:
    """Games, scores, cubes, results and every play; .mat does not say the money rules."""
    saves = ["save match a.sgf", "export match mat a.mat"]
    run_gnubg(tmp_path, [*self_play_commands(length, seed), *saves])
    from_sgf = read_match_file(tmp_path / "a.sgf").match
    from_mat = read_match_file(tmp_path / "a.mat").match
    assert from_sgf.games == from_mat.games
    assert (from_sgf.players, from_sgf.length) == (from_mat.players, from_mat.length)
    assert all(game.result is not None for game in from_mat.games)


@pytest.mark.parametrize(
    "piece", [b"\n", b" \n\t", b"# x\n", b"   #", b"; ", b"Game ", b"5 point ", b"("]
)
def test_a_long_file_of_nothing_is_refused_soon(tmp_path: Path, piece: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(piece * 300_000 + b"x")
    assert "expected a match of backgammon" in complaint(path)


def test_several_matches_in_one_mat_file_are_read_each_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "club.mat"
    other = random_match(6, 0, games_max=2, beavers=False)
    path.write_text(f"{TEXT}\n{TEXT}\n{write_mat(other)}")
    parts = parts_of(path)
    assert [part.name for part in parts] == ["club.mat#1", "club.mat#2", "club.mat#3"]
    assert [part.read().match for part in parts] == [MATCH, MATCH, other]
    assert complaint(path) == "club.mat: expected one match, found 3: give each a file of its own"
    lines = path.read_text().splitlines()
    row = max(n for n, line in enumerate(lines) if line.startswith("  1) "))
    lines[row] = "  1) 31: 24/1"
    path.write_text("\n".join(lines))
    damaged = parts_of(path)[2].read()
    assert [skipped.line for skipped in damaged.skipped] == [row + 1]


@pytest.mark.parametrize("length", [3, 5])
def test_several_matches_in_one_sgf_file_are_read_each_by_its_name(
    tmp_path: Path, length: int
) -> None:
    """One after another of the same players and length is known by its score."""
    first, last = random_match(12, 3), random_match(6, length)
    path = tmp_path / "club.sgf"
    texts = [write_sgf(AnalysedMatch(match)) for match in (first, last)]
    path.write_text("\n".join(texts))
    parts = parts_of(path)
    assert [part.name for part in parts] == ["club.sgf#1", "club.sgf#2"]
    for part, text in zip(parts, texts, strict=True):
        (tmp_path / "alone.sgf").write_text(text)
        assert part.read() == read_match_file(tmp_path / "alone.sgf")
    assert complaint(path) == "club.sgf: expected one match, found 2: give each a file of its own"
    head, second, rest = "\n".join(texts).split("GM[6]", 2)
    path.write_text(f"{head}GM[6]{second}GM[1]{rest}")
    assert [part.read().skipped[:1] != () for part in parts_of(path)] == [True, False]


def test_a_game_zero_that_is_no_other_match_is_one_of_it(tmp_path: Path) -> None:
    """What some program numbers so, with a score that goes on, is the next game."""
    match = random_match(12, 3)
    assert len(match.games) > 1
    path = tmp_path / "a.sgf"
    path.write_text(re.sub(r"game:\d+", "game:0", write_sgf(AnalysedMatch(match))))
    (part,) = parts_of(path)
    assert part.read() == read_match_file(path)
    assert len(part.read().match.games) == len(match.games)


def test_other_files_are_one_match(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(TEXT)
    (tmp_path / "a.txt").write_text("4HPwATDgc/ABMA\n")
    for name in ("a.mat", "a.txt"):
        (part,) = parts_of(tmp_path / name)
        assert part.name == name
        assert part.read() == read_match_file(tmp_path / name)


@pytest.mark.parametrize("blank", [" ", "\t", "  ", " \t ", "\u00a0"])
def test_names_have_single_blanks_whatever_their_file_has(tmp_path: Path, blank: str) -> None:
    named = replace(MATCH, players=(f"Ann{blank}Lee", f"{blank}Bob"))
    rows = f" Game 1\n Ann{blank}Lee : 0     {blank}Bob : 0\n  1) 31: 8/5 6/5\n"
    for name, text in (
        ("a.mat", write_mat(named)),
        ("b.mat", f" 3 point match\n{rows}"),
        ("a.sgf", write_sgf(AnalysedMatch(named))),
    ):
        (tmp_path / name).write_text(text)
        assert read_match_file(tmp_path / name).match.players == ("Ann Lee", "Bob")


def test_name_of_a_thousand_characters_is_the_longest(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_text(f"(;FF[4]GM[6]PB[{'a' * 1_001}]PW[b])")
    assert complaint(path) == "a.sgf: a player's name has at most 1,000 characters"
