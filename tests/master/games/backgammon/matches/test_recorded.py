from pathlib import Path
from typing import Any

import pytest

from engine_ext import services
from engine_ext.backgammon.analysis_text import analysis_from_text
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.control import RunControl
from master.games.backgammon.levels import LEVELS
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import Play
from master.games.backgammon.matches.recorded import RecordedMove, read_recorded
from master.games.backgammon.matches.replay import walk
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.random_matches import random_match

MATCH = random_match(3, 3)
ENGINE = services.engine_digest("backgammon")
NAMES = ("quick", "normal", "deep", "rollout")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a match.mat"
    path.write_text(write_mat(MATCH))
    return str(path)


def read(text: str) -> RecordedMove:
    found = read_recorded(text)
    assert found is not None
    return found


def answer(question: str) -> str:
    text = services.answer(question, RunControl())
    assert text is not None
    return text


def test_every_move_of_a_match_is_found_by_its_number(file: str) -> None:
    for game in range(len(MATCH.games)):
        for moment in walk(MATCH, game):
            found = read(f"move {game + 1}.{moment.index + 1} of {file}")
            assert found.moment == moment
            assert found.position.position == moment.state.game.position
            rolled = moment.action.dice if isinstance(moment.action, Play) else None
            assert found.position.match.dice == rolled
            assert found == read(f"{game + 1}.{moment.index + 1} of {file}")


def test_number_is_the_one_that_a_match_is_analysed_with(file: str) -> None:
    first = ask_about(MATCH, LEVELS["quick"], ENGINE)[5]
    found = read(f"move {first.game + 1}.{first.action + 1} of {file}")
    assert first.question.to_text() == found.questions[NAMES[::-1].index("quick")]


@pytest.mark.parametrize("text", ["4HPwATDgc/ABMA", "move 3 of m2.mat", "3.42", "a of b", "", "12"])
def test_other_text_names_no_move(text: str) -> None:
    assert read_recorded(text) is None


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("9.1 of {}", "has no game 9: expected 1 to"),
        ("0.1 of {}", "has no game 0"),
        ("1.999 of {}", "has no move 1.999: game 1 has 1 to"),
        ("1.0 of {}", "has no move 1.0"),
        ("1.1 of ~no-such-user{}", "~no-such-user/.*: No such file or directory"),
        ("1.1 of {}x", "No such file"),
        ("1.1 of {}#2", "has no match 2: expected 1 to 1"),
    ],
)
def test_what_a_file_does_not_have_is_one_line(named: str, reason: str, file: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        read_recorded(named.format(file))
    assert "\n" not in str(caught.value)


def test_one_of_several_matches_is_named_by_its_number(tmp_path: Path) -> None:
    other, path = random_match(4, 3), tmp_path / "club.mat"
    path.write_text(write_mat(MATCH) + "\n" + write_mat(other))
    with pytest.raises(RecordError, match="has 2 matches: name one, such as"):
        read_recorded(f"1.2 of {path}")
    for number, match in enumerate((MATCH, other), start=1):
        assert read(f"1.2 of {path}#{number}").moment == [*walk(match, 0)][1]


def test_command_that_analyses_a_move_names_the_whole_file_for_a_shell(file: str) -> None:
    for name in (file, f"{file}#1"):
        *_, last = read(f"1.2 of {name}").lines({})
        assert last.endswith(f"manyply analyse '{file}' makes one.")


def test_deepest_kept_analysis_is_shown_with_its_winning_chances(file: str) -> None:
    found = read(f"1.3 of {file}")
    deep, quick = found.questions[1], found.questions[3]
    kept = {text: answer(text) for text in (quick, found.questions[2])}
    nothing, shallow, both = (
        "\n".join(found.lines(answers)) for answers in ({}, {quick: kept[quick]}, kept)
    )
    assert deep not in kept
    assert "No analysis of it is kept: manyply analyse" in nothing
    assert "0-ply" in shallow
    assert "2-ply" not in shallow
    assert "2-ply" in both
    for text in (shallow, both):
        assert "No analysis" not in text
    for text in (nothing, shallow, both):
        assert "|BAR|" in text
        assert "XGID=" in text
    report: Any = found.report(kept)
    best = analysis_from_text(kept[found.questions[2]]).checker
    assert best is not None
    equity = best.moves[0].equity_cubeful
    assert f"{100 * cube_of(found.position.match).equity_to_mwc(equity):.2f}%" in both
    assert [each["level"] for each in report["decisions"]][-1] == "2-ply"
    assert (report["game"], report["action"]) == (1, 3)


def test_files_own_analysis_is_shown_where_none_is_kept(tmp_path: Path) -> None:
    asked = ask_about(MATCH, LEVELS["quick"], ENGINE, games=[0])
    path = tmp_path / "match.sgf"
    answers = [answer(one.question.to_text()) for one in asked]
    path.write_text(write_sgf(answered(MATCH, asked, answers)))
    one = asked[2]
    found = read(f"1.{one.action + 1} of {path}")
    assert found.lines({})[-1] != ""
    assert "0-ply" in "\n".join(found.lines({}))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_board_fits_the_terminal(width: int, file: str) -> None:
    lines = read(f"1.3 of {file}").lines({}, width)
    boards = [line for line in lines if "|" in line or "+---+" in line]
    assert boards
    assert max(map(len, boards)) <= width
