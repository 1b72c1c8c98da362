"""Laws of live_match: whatever is done and taken back, no answer goes astray."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine_ext.backgammon.analysis import ActionAnalysis
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import (
    Action,
    Double,
    Drop,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import check_match
from master.games.backgammon.play.dice import seeded_roll
from master.games.backgammon.play.live_match import LiveMatch, Phase, TimelineEntry
from master.games.errors import RecordError

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
