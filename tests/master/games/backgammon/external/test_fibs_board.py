from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from engine_ext.backgammon.xgid import state_from_xgid
from master.games.backgammon.external.fibs_board import (
    NAME_CHARACTERS_MAX,
    UNLIMITED,
    BoardForm,
    Due,
    DueQuestion,
    FibsBoard,
    FibsError,
    SessionRules,
    board_of,
    question_of,
    read_fibs_board,
)
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.external.gnubg_lines import (
    BEAVER_OF_1,
    DOUBLE_OF_0,
    DOUBLE_OF_1,
    FIBS_LINE,
    TURN_OF_0,
    TURN_OF_1,
)

numbers = st.integers(0, 99_999)
pairs = st.tuples(numbers, numbers)
signs = st.sampled_from((1, -1))
names = st.text(st.characters(codec="ascii", exclude_characters=":"), max_size=NAME_CHARACTERS_MAX)
boards = st.builds(
    FibsBoard,
    names=st.tuples(names, names),
    match_length=numbers,
    scores=pairs,
    points=st.lists(st.integers(-15, 15), min_size=26, max_size=26).map(tuple),
    turn=signs,
    dice=pairs,
    opponent_dice=pairs,
    cube_value=numbers,
    may_double=st.tuples(st.booleans(), st.booleans()),
    is_doubled=st.booleans(),
    colour=signs,
    direction=signs,
    off=pairs,
    on_bar=pairs,
    can_move=numbers,
    is_after_crawford=st.booleans(),
    redoubles=numbers,
)


@pytest.mark.slow
@settings(max_examples=50)
@given(boards)
def test_board_is_read_as_it_was_written(board: FibsBoard) -> None:
    assert read_fibs_board(board.text) == board


@pytest.mark.parametrize("line", [TURN_OF_1, FIBS_LINE])
def test_line_of_another_program_is_written_as_it_was_read(line: str) -> None:
    assert read_fibs_board(line).text == line


@given(st.text(max_size=40))
def test_other_text_is_no_board(text: str) -> None:
    with pytest.raises(FibsError, match="50 numbers"):
        read_fibs_board(text)


def test_count_of_numbers_is_reported() -> None:
    with pytest.raises(FibsError, match="50 numbers between colons, not 49"):
        read_fibs_board(TURN_OF_1.rsplit(":", 1)[0])


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("turn", 0, "a game that goes on"),
        ("turn", 2, "a turn of 1 or -1, not 2"),
        ("colour", 0, "a colour of 1 or -1, not 0"),
        ("direction", 3, "a direction of 1 or -1, not 3"),
    ],
)
def test_signs_are_signs(field: str, value: int, text: str) -> None:
    board = read_fibs_board(TURN_OF_1)
    object.__setattr__(board, field, value)
    with pytest.raises(FibsError, match=text):
        read_fibs_board(board.text)


def test_colon_in_a_name_ends_no_name() -> None:
    board = replace(read_fibs_board(TURN_OF_1), names=("a:b", "c"))
    assert read_fibs_board(board.text).names == ("a_b", "c")


forms = st.builds(BoardForm, st.integers(0, 1), signs, signs) | st.just(BoardForm(is_gnubg=True))


def decision_in(state: GameState) -> Due:
    if state.match.is_double_offered:
        return Due.ANSWER
    return Due.TURN if state.match.dice is None else Due.MOVE


@pytest.mark.slow
@given(game_states, forms)
def test_state_is_read_as_it_was_written_in_every_form(state: GameState, form: BoardForm) -> None:
    asked = DueQuestion(decision_in(state), state)
    # gnubg asks for no roll in the Crawford game; FIBS writes the same, scores in order.
    assume(not (form.is_gnubg and state.match.crawford and asked.due is Due.TURN))
    rules = SessionRules(state.match.jacoby, state.match.beavers)
    read = question_of(read_fibs_board(board_of(asked, form=form).text), rules)
    # Who is called You in a board sits at the bottom, as player 1 does.
    you = 1 if form.is_gnubg else form.you
    bottom = int(state.match.player_on_roll == you)
    assert read == replace(
        asked, state=replace(state, match=replace(state.match, player_on_roll=bottom))
    )


@settings(max_examples=25)
@given(game_states, forms)
def test_board_never_depends_on_what_it_has_no_place_for(state: GameState, form: BoardForm) -> None:
    asked = DueQuestion(decision_in(state), state)
    match = replace(state.match, jacoby=not state.match.jacoby, beavers=not state.match.beavers)
    other = replace(asked, state=replace(state, match=match))
    assert board_of(asked, form=form) == board_of(other, form=form)


def read(line: str, **rules: bool | int) -> DueQuestion:
    return question_of(read_fibs_board(line), SessionRules(**rules))  # type: ignore[arg-type]


def test_gnubg_names_player_0_first_and_means_player_1() -> None:
    asked = read(TURN_OF_1)
    match = asked.state.match
    assert asked.due is Due.MOVE
    assert (match.score, match.dice, match.player_on_roll) == ((0, 2), (6, 3), 1)
    assert match.crawford
    assert asked.state.position.on_roll[25] == 2  # at its bar, where it stays


def test_gnubg_shows_player_0_from_the_other_side() -> None:
    asked = read(TURN_OF_0)
    assert asked.due is Due.TURN
    assert asked.state.match.score == (1, 3)
    assert asked.state.match.player_on_roll == 0
    position = asked.state.position
    assert position.on_roll[25] == 1
    assert position.on_roll[0] == 0
    assert position.opponent[0] == 2


def test_doubled_player_sees_who_has_doubled() -> None:
    for line, doubler, score in ((DOUBLE_OF_0, 0, (1, 0)), (DOUBLE_OF_1, 1, (0, 0))):
        asked = read(line)
        assert asked.due is Due.ANSWER
        match = asked.state.match
        assert match.is_double_offered
        assert (match.player_on_roll, match.score, match.cube_owner) == (doubler, score, CENTRED)


def test_beaver_is_answered_by_who_doubled_about_the_cube_that_would_be() -> None:
    asked = read(BEAVER_OF_1)
    assert asked.due is Due.BEAVERED
    match = asked.state.match
    assert (match.player_on_roll, match.cube_value, match.cube_owner) == (0, 4, OPPONENT)
    assert not match.is_double_offered
    written = board_of(asked, ("root", "gnubg"), BoardForm(is_gnubg=True))
    assert question_of(written) == asked


def test_line_of_fibs_has_scores_of_you_first_and_may_go_upward() -> None:
    asked = read(FIBS_LINE.replace(":3:0:0:", ":3:1:0:", 1))
    # X moves upward from FIBS's point 1, which is its 24 point.
    expected = state_from_xgid("-b----E-C---eE---c-e----B-:0:0:1:62:1:0:0:3:10")
    assert asked.state == expected


def test_owner_whom_fibs_hides_is_the_doubler() -> None:
    board = replace(read_fibs_board(DOUBLE_OF_1), may_double=(False, False), is_doubled=False)
    for value, owner in ((1, CENTRED), (4, ON_ROLL)):
        asked = question_of(replace(board, cube_value=value))
        assert asked.due is Due.ANSWER
        assert asked.state.match.cube_owner == owner


def test_session_says_what_a_board_does_not() -> None:
    assert not read(TURN_OF_1, crawford=False).state.match.crawford
    money = read(BEAVER_OF_1, jacoby=False, beavers=True).state.match
    assert (money.jacoby, money.beavers) == (False, True)
    asked = read(TURN_OF_0, resignation=2)
    assert (asked.due, asked.resignation) == (Due.RESIGNATION, 2)
    with pytest.raises(ValueError, match="1 to 3 games, not 4"):
        read(TURN_OF_0, resignation=4)


def test_endless_match_of_fibs_is_money_play() -> None:
    board = replace(read_fibs_board(FIBS_LINE), match_length=UNLIMITED, scores=(12, 3))
    match = question_of(board).state.match
    assert (match.match_length, match.score) == (0, (12, 3))


def test_longer_match_than_ours_keeps_its_points_to_go() -> None:
    board = replace(read_fibs_board(FIBS_LINE), match_length=99, scores=(90, 20))
    assert question_of(board).state.match.away == (9, 64)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (":5:0:3:", ":6:0:3:", "15 checkers of You, not 16"),
        (":-5:5:", ":-4:5:", "15 checkers of the opponent, not 14"),
        (":3:0:0:0:-2:", ":3:3:0:0:-2:", "already over"),
        (":1:0:0:0:0:1:1:1:1:", ":1:0:0:0:0:3:1:1:1:", "power of two"),
        (":3:0:0:0:-2:", ":3:0:0:1:-2:", "bar"),
    ],
)
def test_boards_that_cannot_be_are_explained(old: str, new: str, text: str) -> None:
    assert old in DOUBLE_OF_1
    with pytest.raises(ValueError, match=text):
        read(DOUBLE_OF_1.replace(old, new, 1))


def test_question_is_of_no_resignation_unless_it_says_so() -> None:
    state = GameState(START, MatchState())
    assert DueQuestion(Due.TURN, state) == DueQuestion(Due.TURN, state, 0)
    assert DueQuestion(Due.RESIGNATION, state, 2).resignation == 2
