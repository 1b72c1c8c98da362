"""Laws of live_match: whatever is done and taken back, no answer goes astray."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.play import CubeDecision, decide_cube, rank_moves
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import check_match
from master.games.backgammon.matches.sgf_read import read_sgf
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.backgammon.play.advice import (
    cube_loss,
    is_double_right,
    is_resignation_accepted,
    move_loss,
    right_answer,
)
from master.games.backgammon.play.live_match import (
    SEED_MAX,
    LiveMatch,
    Phase,
    TimelineEntry,
    match_from,
    seeded_roll,
)
from master.games.errors import RecordError
from tests.engine_ext.backgammon.states import game_states

SEQUENCES = 1000
STEPS = 150


def new_match(length: int = 3) -> Match:
    return Match(("you", "them"), length)


def live(length: int = 3) -> LiveMatch:
    return LiveMatch(AnalysedMatch(new_match(length)))


def truth(entry: TimelineEntry) -> ActionAnalysis:
    """Return the one right answer about an action: it tells the action and where it was done."""
    key = repr((entry.before.game.position, entry.before.game.match, entry.action))
    return ActionAnalysis(luck=float(hash(key) % 1_000_003))


def random_action(table: LiveMatch, chance: random.Random) -> Action:
    """Return something that can be done now."""
    decider = table.decider
    assert decider is not None
    if chance.random() < 0.02:
        return Resign(decider, chance.randint(1, 2))
    if table.phase is Phase.ANSWER:
        return chance.choice((Take, Take, Drop))(decider)
    assert table.dice is not None
    move = chance.choice(table.legal_moves())
    return Play(decider, table.dice, move.steps)


def play_on(table: LiveMatch, chance: random.Random) -> None:
    """Do one thing: roll, double, move, answer, or begin the next game."""
    if table.phase is Phase.GAME_OVER:
        table.begin_next_game()
    elif table.phase in (Phase.OPENING, Phase.TURN):
        decider = table.decider
        if decider is not None and table.state.may_double and chance.random() < 0.2:
            table.act(Double(decider))
        else:
            table.roll(seeded_roll(chance.randrange(3), table.game_index, table.roll_number))
    elif table.phase is not Phase.MATCH_OVER:
        table.act(random_action(table, chance))


class Fleet:
    """Analysers that answer late, in any order, or never."""

    def __init__(self, table: LiveMatch, chance: random.Random) -> None:
        self.table, self.chance = table, chance
        self.asked: list[TimelineEntry] = []

    def step(self) -> None:
        for entry in self.table.unasked():
            if self.chance.random() < 0.5:
                self.table.mark_asked(entry.number)
                self.asked.append(entry)
        self.chance.shuffle(self.asked)
        while self.asked and self.chance.random() < 0.5:
            entry = self.asked.pop()
            if self.chance.random() < 0.1:
                self.table.mark_unanswered(entry.number)
            else:
                self.table.record_analysis(entry.number, truth(entry))


def check(table: LiveMatch) -> int:
    """Every analysis shown is the one of the action it stands beside; return how many there are."""
    analysed = table.analysed
    check_match(analysed.match)
    shown = 0
    places = [0] * len(analysed.match.games)
    for entry in table.entries:
        place = places[entry.game]
        places[entry.game] += 1
        assert analysed.match.games[entry.game].actions[place] == entry.action
        known = analysed.of(entry.game, place)
        if known is not None:
            assert known == truth(entry)
            shown += 1
    assert len({entry.number for entry in table.entries}) == len(table.entries)
    return shown


@pytest.mark.slow
@pytest.mark.when_changed
def test_no_sequence_of_play_undo_redo_and_late_answers_leaves_a_stale_analysis() -> None:
    shown = 0
    for seed in range(SEQUENCES):
        chance = random.Random(seed)
        table = live(chance.choice((0, 1, 3)))
        fleet = Fleet(table, chance)
        for _ in range(chance.randint(5, STEPS)):
            what = chance.random()
            if what < 0.25:
                for _ in range(chance.randint(1, 6)):
                    table.undo()
            elif what < 0.4:
                table.redo()
            else:
                play_on(table, chance)
            fleet.step()
        shown += check(table)
    assert shown > SEQUENCES, "the sequences hold answers to look at"


def test_taking_everything_back_and_doing_it_again_is_the_same_match() -> None:
    for seed in range(10):
        chance = random.Random(seed)
        table = live()
        while len(table.entries) < 40 and table.phase is not Phase.MATCH_OVER:
            play_on(table, chance)
            for entry in table.unasked():
                table.record_analysis(entry.number, truth(entry))
        before, state, dice = table.analysed, table.state, table.dice
        count = len(table.entries)
        while table.undo():
            check(table)
        assert not table.entries
        for _ in range(count):
            assert table.redo() is not None
        assert table.redo() is None
        assert (
            table.analysed.match.games[: len(before.match.games)]
            == before.match.games[: len(table.analysed.match.games)]
        )
        if len(table.analysed.match.games) == len(before.match.games) and dice is None:
            assert (table.analysed, table.state) == (before, state)


def test_an_answer_to_a_move_that_was_replaced_is_dropped() -> None:
    table = live()
    table.roll((3, 1))
    first, second = table.legal_moves()[:2]
    entry = table.act(Play(0, (3, 1), first.steps))
    table.mark_asked(entry.number)
    table.undo()
    assert table.dice == (3, 1)
    other = table.act(Play(0, (3, 1), second.steps))
    assert not table.record_analysis(entry.number, truth(entry))
    assert table.analysed.of(0, 0) is None
    assert table.unasked() == (other,)


def test_an_answer_to_a_move_that_was_taken_back_is_there_when_it_is_done_again() -> None:
    table = live()
    table.roll((3, 1))
    move = table.legal_moves()[0]
    entry = table.act(Play(0, (3, 1), move.steps))
    table.undo()
    assert table.record_analysis(entry.number, truth(entry))
    assert table.analysed.of(0, 0) is None
    again = table.act(Play(0, (3, 1), move.steps))
    assert again.number == entry.number
    assert table.analysed.of(0, 0) == truth(entry)


def test_another_roll_forgets_what_was_taken_back() -> None:
    table = live()
    table.roll((3, 1))
    table.act(Play(0, (3, 1), table.legal_moves()[0].steps))
    table.act(Double(1))
    gone = table.undo()
    assert gone is not None
    table.roll((2, 1))
    assert table.redo() is None
    assert not table.record_analysis(gone.number, truth(gone))


def test_the_higher_die_of_the_first_roll_begins() -> None:
    for dice, player in (((6, 2), 0), ((2, 6), 1)):
        table = live()
        assert table.decider is None
        table.roll(dice)
        assert table.decider == player
        assert table.dice == (6, 2)


def test_what_cannot_be_done_says_so_and_changes_nothing() -> None:
    table = live()
    with pytest.raises(RecordError, match="no double"):
        table.roll((3, 3))
    table.roll((3, 1))
    move = table.legal_moves()[0]
    for wrong in (
        lambda: table.roll((2, 1)),
        lambda: table.act(Play(0, (6, 5), ())),
        lambda: table.act(Play(1, (3, 1), move.steps)),
        lambda: table.act(Play(0, (3, 1), ((24, 20), (24, 20)))),
        lambda: table.act(Double(0)),
    ):
        with pytest.raises(RecordError):
            wrong()
        assert (table.dice, table.phase, table.entries) == ((3, 1), Phase.MOVE, ())


@pytest.mark.parametrize("length", [0, 1, 3])
def test_a_match_saved_at_any_moment_goes_on_where_it_was(length: int) -> None:
    chance = random.Random(length)
    table = live(length)
    for _ in range(120):
        play_on(table, chance)
        fresh = LiveMatch(table.analysed)
        assert fresh.match == table.match
        assert fresh.phase in (table.phase, Phase.TURN, Phase.OPENING)
        assert fresh.game_index == table.game_index
        if table.dice is None:
            assert fresh.state == table.state
        if table.phase is Phase.MATCH_OVER:
            break


def test_a_game_awarded_away_from_the_board_is_over() -> None:
    table = live()
    table.roll((3, 1))
    table.act(Play(0, (3, 1), table.legal_moves()[0].steps))
    game = table.match.games[0]
    awarded = replace(game, result=Result(1, 2))
    again = LiveMatch(AnalysedMatch(replace(table.match, games=(awarded,))))
    assert again.phase is Phase.GAME_OVER
    again.begin_next_game()
    assert again.match.games[1].score == (0, 2)


PLAYERS = ("Ann", "manyply")


@pytest.mark.slow
@settings(max_examples=40)
@given(game_states)
def test_match_begins_as_the_position_says_and_is_read_as_it_was_written(state: GameState) -> None:
    assume(state.position.result == 0)
    analysed = AnalysedMatch(match_from(state, PLAYERS))
    live = LiveMatch(analysed)
    match = state.match
    own = int(match.is_double_offered)
    assert live.state.game == replace(state, match=replace(match, player_on_roll=own))
    assert live.dice == match.dice
    assert live.decider == 0
    read = read_sgf(write_sgf(live.analysed), "written.sgf").match
    assert read.games == live.match.games
    assert (read.length, read.jacoby) == (analysed.match.length, analysed.match.jacoby)


def test_player_on_roll_is_at_the_bottom_with_its_own_score() -> None:
    for turn, score in ((1, (3, 5)), (-1, (5, 3))):
        state = parse_id(f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:00:3:5:0:7:10")
        live = LiveMatch(AnalysedMatch(match_from(state, PLAYERS)))
        assert live.match.games[0].score == score
        assert (live.phase, live.decider) == (Phase.TURN, 0)


def test_first_roll_of_such_a_game_is_no_opening_roll() -> None:
    state = parse_id("4HPwATDgc/ABMA")
    assert LiveMatch(AnalysedMatch(match_from(state, PLAYERS))).roll_number == 1


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (GameState(Position([15] + [0] * 25, [0] * 24 + [1, 0]), MatchState()), "is over"),
        (GameState(START, MatchState(resignation=1)), "resignation"),
    ],
)
def test_positions_from_which_no_game_goes_on_are_named(state: GameState, text: str) -> None:
    with pytest.raises(RecordError, match=text):
        match_from(state, PLAYERS)


CHI_SQUARE_35_MAX = 69.3  # 99.95 % of the chi-square distribution with 35 degrees of freedom
CHI_SQUARE_29_MAX = 60.7  # with 29


@given(st.integers(0, SEED_MAX), st.integers(0, 100), st.integers(0, 1000))
def test_a_roll_depends_on_seed_game_and_number_alone(seed: int, game: int, number: int) -> None:
    roll = seeded_roll(seed, game, number)
    assert roll == seeded_roll(seed, game, number)
    assert all(1 <= die <= 6 for die in roll)


def test_all_36_rolls_are_equally_frequent() -> None:
    count = 7200
    seen = Counter(seeded_roll(7, game, number) for game in range(20) for number in range(1, 361))
    assert len(seen) == 36
    assert sum((n - count / 36) ** 2 for n in seen.values()) / (count / 36) < CHI_SQUARE_35_MAX


def test_the_first_roll_is_never_a_double_and_favours_nobody() -> None:
    count = 3000
    seen = Counter(seeded_roll(seed, 0, 0) for seed in range(count))
    assert all(first != second for first, second in seen)
    assert len(seen) == 30
    assert sum((n - count / 30) ** 2 for n in seen.values()) / (count / 30) < CHI_SQUARE_29_MAX


def test_neighbouring_seeds_games_and_numbers_roll_apart() -> None:
    def rolls(seed: int, game: int) -> list[tuple[int, int]]:
        return [seeded_roll(seed, game, number) for number in range(1, 40)]

    assert rolls(1, 0) != rolls(2, 0)
    assert rolls(1, 0) != rolls(1, 1)
    assert seeded_roll(1, 11, 1) != seeded_roll(1, 1, 11) or rolls(1, 11) != rolls(11, 1)


MONEY = GameState(START, MatchState())
AT_START = decide_cube(MONEY)
TINY = 1e-6
EQUITIES = st.floats(-3, 3, allow_nan=False)


@st.composite
def decisions(draw: st.DrawFn) -> CubeDecision:
    """Draw a cube decision; equities equal to each other on purpose, with beavers or without."""
    no_double, take = draw(EQUITIES), draw(EQUITIES)
    drop = draw(st.sampled_from([1.0, no_double, take]))
    beaver = 2 * take if take < 0.0 and draw(st.booleans()) else None
    return replace(
        AT_START, no_double=no_double, double_take=take, double_pass=drop, double_beaver=beaver
    )


@given(decisions())
def test_the_right_action_gives_nothing_away_and_only_it(decision: CubeDecision) -> None:
    turn = Double(0) if is_double_right(decision) else Play(0, (3, 1), ())
    other = Play(0, (3, 1), ()) if isinstance(turn, Double) else Double(0)
    assert cube_loss(decision, turn) == 0.0 <= cube_loss(decision, other)
    answer = right_answer(decision, 1)
    assert cube_loss(decision, answer) == 0.0
    losses = cube_loss(decision, Take(1)), cube_loss(decision, Drop(1))
    assert min(losses) >= 0.0
    assert losses[0] - losses[1] == pytest.approx(decision.double_take - decision.double_pass)


@given(decisions())
def test_a_beaver_is_for_the_one_who_is_ahead(decision: CubeDecision) -> None:
    answer = right_answer(decision, 1)
    assert decision.double_take < 0.0 or not isinstance(answer, Beaver)
    if decision.double_take > TINY:
        loss = cube_loss(decision, Beaver(1))
        assert loss > cube_loss(decision, Take(1))


def test_who_may_not_double_loses_nothing_by_rolling() -> None:
    barred = replace(AT_START, may_double=False, no_double=0.0, double_take=1.0, double_pass=1.0)
    assert not is_double_right(barred)
    assert cube_loss(barred, Play(0, (3, 1), ())) == 0.0


def test_nobody_doubles_at_the_start() -> None:
    assert not is_double_right(AT_START)
    assert cube_loss(AT_START, Double(0)) > 0.1
    assert isinstance(right_answer(AT_START, 1), Beaver)
    without = GameState(START, MatchState(beavers=False))
    assert isinstance(right_answer(decide_cube(without), 1), Take)


def test_the_loss_of_a_move_is_counted_from_the_best() -> None:
    ranked = rank_moves(MONEY, (3, 1))
    losses = [move_loss(ranked, move.position_after) for move in ranked]
    assert losses[0] == 0.0
    assert losses == sorted(losses)


@pytest.mark.parametrize(
    ("probs", "least"),
    [
        (Probs(0.0, 0.0, 0.0, 0.0, 0.0), 1),
        (Probs(0.3, 0.1, 0.0, 0.2, 0.0), 1),
        (Probs(0.0, 0.0, 0.0, 0.5, 0.0), 2),
        (Probs(0.0, 0.0, 0.0, 1.0, 0.2), 3),
    ],
)
def test_a_resignation_is_accepted_when_playing_on_wins_no_more(probs: Probs, least: int) -> None:
    assert [multiple for multiple in (1, 2, 3) if is_resignation_accepted(probs, multiple)] == [
        *range(least, 4)
    ]
