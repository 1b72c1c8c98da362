from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import ActionAnalysis, CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.analysis_text import analysis_to_text
from engine_ext.backgammon.ids import parse_id, to_gnubg_id, to_xgid
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from master.games.backgammon.matches import id_list
from master.games.backgammon.matches.id_list import (
    AnalysedDecision,
    ListedDecision,
    answered_list,
    ask_about_list,
    is_board_text,
    read_id_list,
    write_id_list,
)
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.record import Action, Double, Drop, Play, Take
from master.games.backgammon.matches.replay import check_match
from master.games.errors import RecordError
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.matches.analysed_matches import checker, cube

OPENING = "4HPwATDgc/ABMA"


@st.composite
def decisions(draw: st.DrawFn) -> ListedDecision:
    state = draw(game_states)
    assume(state.position.result == 0)
    own, actions = state.match, list[Action | None]([None])
    if own.is_double_offered:
        actions += [Take(1 - own.player_on_roll), Drop(1 - own.player_on_roll)]
    elif own.dice is not None:
        move = draw(st.sampled_from(legal_moves(state.position, own.dice)))
        actions.append(Play(own.player_on_roll, own.dice, move.steps))
    elif own.cube_owner != 1 and not own.crawford:
        actions.append(Double(own.player_on_roll))
    return ListedDecision(0, state, draw(st.sampled_from(actions)))


@given(st.lists(decisions(), max_size=4))
@pytest.mark.when_changed
def test_list_read_back_is_the_one_written(listed: list[ListedDecision]) -> None:
    found = read_id_list(write_id_list(listed), "a.ids")
    assert [decision.line for decision in found] == list(range(1, len(listed) + 1))
    assert [replace(decision, line=0) for decision in found] == listed


@given(decisions())
def test_each_line_is_a_match_that_can_be_replayed(decision: ListedDecision) -> None:
    match = decision.match()
    check_match(match)
    assert match.games[0].start == decision.state
    assert len(match.games[0].actions) == (decision.action is not None)


@given(game_states)
def test_every_form_of_id_is_read(state: GameState) -> None:
    for text in (to_gnubg_id(state), to_xgid(state), state.position.position_id):
        (decision,) = read_id_list(text, "a.ids")
        assert decision == ListedDecision(1, parse_id(text))


@given(st.text(st.sampled_from("4HPwATDgc/BM:XGID=-bE0123# \n8/5double"), max_size=60))
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    refusal = "a.ids:1"
    try:
        write_id_list(read_id_list(text, "a.ids"))
    except RecordError as error:
        refusal = str(error)
    assert refusal.startswith("a.ids:")


def test_rolls_moves_and_comments_are_read() -> None:
    text = f"\ufeff# mine\n\n {OPENING} 3-1 8/5 6/5 # good\r\n{OPENING} 13\n{OPENING}\tdouble"
    moved, rolled, doubled = read_id_list(text, "a.ids")
    assert (moved.line, rolled.line, doubled.line) == (3, 4, 5)
    assert moved.action == Play(1, (3, 1), ((8, 5), (6, 5)))
    assert (rolled.state.match.dice, rolled.action) == ((3, 1), None)
    assert (doubled.state.match.dice, doubled.action) == (None, Double(1))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("nonsense", "an ID is a position ID (14 characters)"),
        (f"{OPENING} 8/5", "expected a roll, as 31, before a move, or double, take or pass, found"),
        (f"{OPENING} 31 8/5", "8/5 is not one of the 16 legal moves with 3-1"),
        (f"{OPENING} take", "expected a double in the ID before take, its answer"),
        (f"{OPENING} 31 double", "no double here: expected the move of a roll already made"),
        (f"{OPENING} 31 21", "'21' is not a checker move"),
        (f"{OPENING}:MIAOABAAAAAA 31", "expected the roll of the ID, "),
    ],
)
def test_errors_name_file_and_line(line: str, error: str) -> None:
    with pytest.raises(RecordError) as raised:
        read_id_list(f"{OPENING}\n{line}\n", "a.ids")
    assert str(raised.value).startswith(f"a.ids:2: {error}")


def test_longer_lists_than_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(id_list, "DECISIONS_MAX", 2)
    assert len(read_id_list(f"{OPENING}\n{OPENING}\n", "a.ids")) == 2
    with pytest.raises(RecordError, match=r"a\.ids:3: a list has at most 2 decisions"):
        read_id_list(f"{OPENING}\n" * 3, "a.ids")


def test_line_without_end_is_refused_and_a_long_comment_is_not() -> None:
    text = f"4HPwATDgc/ABMA # {'a' * 5_000}\n4HPwATDgc/ABMA 31{' 8/5' * 300}\n"
    with pytest.raises(RecordError, match=r"^a:2: a line has at most 1,000 characters$"):
        read_id_list(text, "a")


BOARD = """ +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 |                  |BAR|                  |
 | O           X    |   | X              O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+"""
XGID_31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:6:0:7:10"
WORDS = (
    ("Score is X:3 O:6 7 pt.(s) match.", "X to play 31", "eq:-0.491"),
    ("Punktzahl ist  X:3 O:6 7 Pkt (e) match.", "X zum spielen 31", "eq:-0.491"),
    ("Le score est X:3 O:6 match en 7 pt(s)", "X à jouer 31", "éq:-0.491"),
    ("スコア X:3 O:6 7 ポイントマッチ", "X のプレー 31", "eq:-0.491"),
)
"""What eXtreme Gammon says of the score, the roll and a move in four languages."""


@pytest.mark.parametrize("words", WORDS)
def test_an_exported_position_is_its_xgid_in_any_language(words: tuple[str, str, str]) -> None:
    score, roll, equity = words
    move = f"    1. 4-ply       8/5 6/5     {equity}\n      Player:   25.45% (G:0.00% B:0.00%)"
    text = f"{XGID_31}\n\nX:Ann   O:Bob\n{score}\n{BOARD}\n{roll}\n\n{move}\n"
    assert is_board_text(text)
    (found,) = read_id_list(text, "a")
    assert found.state == parse_id(XGID_31)
    assert [each.line for each in read_id_list(text + text, "a")] == [1, 1 + text.count("\n")]


def test_a_board_may_have_its_ids_below_or_at_its_edge() -> None:
    """BGBlitz writes both kinds below the board; gnubg's stand beside its upper edge."""
    ids = " Position-ID: 4HPwATDgc/ABMA    Match-ID: cAkgAVAAAAAE\n"
    (found,) = read_id_list(f"{BOARD}\n\n{ids} {XGID_31}\n\n Rot to move 3-1\n", "a")
    assert found.state == parse_id(XGID_31)
    (found,) = read_id_list(f"{BOARD}\n{ids}", "a")
    assert found.state == parse_id("4HPwATDgc/ABMA:cAkgAVAAAAAE")
    gnubg = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n   Match ID   : cAkgAVAAAAAE\n"
    (found,) = read_id_list(f"{gnubg}{BOARD}\n", "a")
    assert found.state == parse_id("4HPwATDgc/ABMA:cAkgAVAAAAAE")
    (found,) = read_id_list(f"{BOARD}\n Position ID: 4HPwATDgc/ABMA\n", "a")
    assert found.state == parse_id("4HPwATDgc/ABMA")


def test_a_board_without_an_id_and_an_id_without_a_board_are_no_board_text() -> None:
    assert not is_board_text(BOARD)
    assert not is_board_text(f"{XGID_31}\n")


def test_a_bad_id_beside_a_board_is_named_by_its_line() -> None:
    with pytest.raises(RecordError, match=r"^a:6: "):
        read_id_list(f"{BOARD}\nXGID=-b----E-C---eE---c-e----B:0\n", "a")


ENGINE = "0123456789abcdef"
SETTINGS = AnalysisSettings(0, 0)
MONEY = "4HPwATDgc/ABMA:cAkAAAAAAAAA"
DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:6:1:7:10"


def listed(line: str) -> list[ListedDecision]:
    return read_id_list(line, "list.txt")


def question(line: str) -> AnalyseQuestion:
    faults = list[str]()
    ((_, asked),) = ask_about_list(listed(line), SETTINGS, ENGINE, "list.txt", faults=faults)
    assert not faults
    return asked


def known(line: str, analysis: ActionAnalysis) -> AnalysedDecision:
    (answered,) = answered_list(listed(line), [analysis_to_text(analysis)])
    return answered


def test_roll_asks_about_its_moves_alone() -> None:
    asked = question(f"{MONEY} 31 8/5 6/5")
    assert (asked.kind, asked.dice) == (DecisionKind.MOVE, (3, 1))
    assert asked.played == ((8, 5), (6, 5))
    assert (asked.settings.cube_ply, asked.settings.luck_ply) == (None, None)


@pytest.mark.parametrize("line", [MONEY, f"{MONEY} double", DOUBLED, f"{DOUBLED} take"])
def test_anything_else_asks_about_the_cube(line: str) -> None:
    assert question(line).kind is DecisionKind.CUBE


def test_question_that_is_none_is_named_and_left_out() -> None:
    lines, faults = listed(f"# the leader\n{CRAWFORD}\n{MONEY}"), list[str]()
    ((line, _),) = ask_about_list(lines, SETTINGS, ENGINE, "list.txt", faults=faults)
    assert line.line == 3
    (fault,) = faults
    assert fault.startswith("list.txt:2: nothing is to decide")


def test_what_was_done_is_judged() -> None:
    answered = known(f"{MONEY} 31 8/5 6/5", checker(0.125))
    assert isinstance(answered.known, CheckerAnalysis)
    assert answered.judgement is not None
    assert answered.judgement.error == 0.125
    taken = known(f"{DOUBLED} take", cube(0.875, 1.25))
    assert taken.judgement is not None
    assert (taken.judgement.choice, taken.judgement.error) == (ActionChoice.TAKE, 0.25)


def test_line_that_says_nothing_of_it_is_not_judged() -> None:
    assert known(f"{MONEY} 31", checker(0.125)).judgement is None
    answered = known(MONEY, cube(0.5, 0.25))
    assert isinstance(answered.known, CubeAnalysis)
    assert answered.judgement is None
