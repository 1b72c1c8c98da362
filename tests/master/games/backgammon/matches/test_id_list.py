from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.backgammon.ids import parse_id, to_gnubg_id, to_xgid
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.movegen import legal_moves
from master.games.backgammon.matches import id_list
from master.games.backgammon.matches.id_list import ListedDecision, read_id_list, write_id_list
from master.games.backgammon.matches.record import Action, Double, Drop, Play, Take
from master.games.backgammon.matches.replay import check_match
from master.games.errors import RecordError
from tests.engine_ext.backgammon.states import game_states

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
