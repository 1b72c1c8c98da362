"""A match that cannot have been played has one verdict, whatever the format of its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.repairs import WITHOUT_RULE
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.faulty_files import WRITERS

ANN, BOB = 0, 1
OPENING = ((8, 5), (6, 5))
ANN_OPENS, BOB_ANSWERS = Play(ANN, (3, 1), OPENING), Play(BOB, (3, 1), OPENING)
ANN_NEXT = Play(ANN, (4, 2), ((8, 4), (6, 4)))
TOO_FAR = Play(BOB, (3, 1), ((8, 2),))
ANN_WINS_TWO = Game((0, 0), (ANN_OPENS, Resign(BOB, 2)), Result(ANN, 2))
TAKEN = (ANN_OPENS, Double(BOB), Take(ANN), BOB_ANSWERS)

PAIRED = ("xg", "bgf")
"""These keep a double and its answer as one: an answer of its own cannot be written."""

SETS_DICE = ("ogxm", "xg", "bgf")
"""These keep a roll as one number, or their reader refuses such dice by itself."""


def match(*games: Game, length: int = 3) -> Match:
    return Match(("Ann", "Bob"), length, games)


def game(*actions: Action, winner: int = BOB, points: int = 1) -> Match:
    """Return a match to seven with one game."""
    return match(Game((0, 0), tuple(actions), Result(winner, points)), length=7)


def crawford(*actions: Action, winner: int = BOB, points: int = 1) -> Match:
    """Return a match to three whose second game is the Crawford game."""
    second = Game((2, 0), tuple(actions), Result(winner, points), is_crawford=True)
    return match(ANN_WINS_TWO, second)


REFUSED = {
    "an illegal play": (game(ANN_OPENS, TOO_FAR, Resign(ANN)), "illegal play", ()),
    "a play that moves back": (
        game(Play(ANN, (3, 1), ((5, 8), (6, 5))), Resign(ANN)),
        "illegal play|not a position set up",
        (),
    ),
    "a double of the other's cube": (
        game(*TAKEN, ANN_NEXT, Double(BOB), Take(ANN), Resign(ANN), points=4),
        "no double here: the opponent owns the cube",
        (),
    ),
    "a double out of turn": (
        game(ANN_OPENS, Double(ANN), Take(BOB), Resign(BOB), winner=ANN, points=2),
        "it is player 1's turn",
        (),
    ),
    "a double before the opening": (
        game(Double(ANN), Take(BOB), ANN_OPENS, Resign(BOB), winner=ANN, points=2),
        "no double here",
        (),
    ),
    "a take of nothing": (game(ANN_OPENS, Take(BOB), Resign(ANN)), "nothing was doubled", PAIRED),
    "a drop of nothing": (game(ANN_OPENS, Drop(BOB), winner=ANN), "nothing was doubled", PAIRED),
    "a take by the doubler": (
        game(ANN_OPENS, Double(BOB), Take(BOB), BOB_ANSWERS, Resign(ANN), points=2),
        "it is player 0's turn",
        PAIRED,
    ),
    "a double without an answer": (
        game(ANN_OPENS, Double(BOB), BOB_ANSWERS, Resign(ANN)),
        "it is player 0's turn|the game is over",
        (),
    ),
    "two turns in a row": (game(ANN_OPENS, ANN_NEXT, Resign(ANN)), "it is player 1's turn", ()),
    "a roll left unmoved in mid-game": (
        game(ANN_OPENS, Play(BOB, (3, 1), ()), ANN_NEXT, Resign(ANN)),
        "a roll was left unmoved|expected the move of 31 that was played, found none",
        (),
    ),
    "a die of seven": (
        game(Play(ANN, (7, 1), ((13, 6), (6, 5))), Resign(ANN)), "two dice", SETS_DICE,
    ),
    "a move after a drop": (
        game(ANN_OPENS, Double(BOB), Drop(ANN), BOB_ANSWERS), "since the game is over", ("xg",),
    ),
    "a drop that counts two": (
        game(ANN_OPENS, Double(BOB), Drop(ANN), points=2),
        "expected 'Wins 1', found 'Wins 2'|end with player 1 winning 1, but",
        (),
    ),
    "a drop that the other wins": (
        game(ANN_OPENS, Double(BOB), Drop(ANN), winner=ANN),
        "Bob has won|end with player 1 winning 1, but",
        (),
    ),
    "a resignation of what no cube counts": (
        game(*TAKEN, Resign(ANN), points=3),
        "of 2, 4, 6, found 3|not of 3 points|winning 2, but it records player 1 winning 3",
        (),
    ),
    "an award that does not end the match": (
        game(*TAKEN, points=3),
        "the game was left with the cube at 2: expected a result of 2, 4, 6, found 3",
        (),
    ),
    "a score that does not follow": (
        match(ANN_WINS_TWO, Game((1, 0), (ANN_OPENS, Resign(BOB)), Result(ANN, 1)), length=7),
        "expected the score 2-0|Ann wins 2 here, but by the next score Ann wins 1",
        ("ogxm",),  # keeps no scores where it has no positions
    ),
    "a game after the match": (
        match(
            Game((0, 0), (ANN_OPENS, Resign(BOB, 3)), Result(ANN, 3)),
            Game((3, 0), (ANN_OPENS, Resign(BOB)), Result(ANN, 1)),
        ),
        "at 3-0 the match to 3 is already over",
        (),
    ),
    "a match of 65 points": (
        match(ANN_WINS_TWO, length=65), "at most a 64 point match|1 to 64 points", (),
    ),
    "a fault behind a double in the Crawford game": (
        crawford(*TAKEN[:3], TOO_FAR, Resign(ANN), points=2), "illegal play|no double here", (),
    ),
}  # fmt: skip
"""What is refused: the match, what is said of it, and the formats that cannot hold it.  Of two
games one is at fault, and skipped by name."""

NO_FLAGS = ("mat", "ogxm")
"""These do not say which game is the Crawford game."""

WARNED = {
    "a double in the Crawford game": (
        crawford(*TAKEN, Resign(ANN), points=2), "game 2: a double in the Crawford game", (),
    ),
    "a first game called the Crawford game": (
        match(Game((0, 0), ANN_WINS_TWO.actions, Result(ANN, 2), is_crawford=True)),
        "game 1: at 0-0 this is no Crawford game",
        NO_FLAGS,
    ),
    "a Crawford game that is not called so": (
        match(ANN_WINS_TWO, Game((2, 0), (ANN_OPENS, Resign(ANN)), Result(BOB, 1))),
        "game 2: at 2-0 this is the Crawford game",
        NO_FLAGS,
    ),
}  # fmt: skip
"""What is read all the same: the match, the warning, and the formats that cannot hold it."""

READ = {
    "a redouble": (game(*TAKEN, Double(ANN), Drop(BOB), winner=ANN, points=2), ()),
    "an award that ends the match": (game(*TAKEN, points=7), ()),
    "a game left open": (
        match(Game((0, 0), (ANN_OPENS, BOB_ANSWERS)), length=7),
        ("xg",),  # gammonview wants the record of the game's end
    ),
}

LINED = ("mat", "sgf")
"""These have lines."""

PLACE = {
    "mat": r"a\.mat(:\d+)?: ",
    "sgf": r"a\.sgf(:\d+|: game \d+): ",
    "ogxm": r"a\.ogxm: game \d+: ",
    "xg": r"a\.xg: game \d+: ",
    "bgf": r"a\.bgf: game \d+: ",
}


def written(path: Path, kind: str, faulty: Match) -> Path:
    file = path / f"a.{kind}"
    file.write_bytes(WRITERS[kind](faulty))
    return file


@pytest.mark.parametrize("fault", REFUSED)
@pytest.mark.when_changed
def test_what_cannot_be_played_is_refused_in_every_format(tmp_path: Path, fault: str) -> None:
    faulty, expected, unable = REFUSED[fault]
    for kind in set(WRITERS).difference(unable):
        file = written(tmp_path, kind, faulty)
        if len(faulty.games) == 1:
            with pytest.raises(RecordError) as raised:
                read_match_file(file)
            error = str(raised.value)
            assert re.match(PLACE[kind], error), kind
        else:
            found = read_match_file(file)
            (skipped,) = found.skipped
            error = skipped.text(file.name)
            assert (skipped.line is not None) == (kind in LINED)
            read = [game for game in found.match.games if game.actions]
            assert len(read) == 1  # of a score that does not follow either game may be blamed
            assert read[0].actions == faulty.games[2 - skipped.number].actions
        assert re.search(expected, error), kind
        assert "\n" not in error


@pytest.mark.parametrize("fault", WARNED)
def test_a_breach_of_the_crawford_rule_is_warned_of_in_every_format(
    tmp_path: Path, fault: str
) -> None:
    faulty, expected, unable = WARNED[fault]
    for kind in set(WRITERS).difference(unable):
        found = read_match_file(written(tmp_path, kind, faulty))
        assert found.warnings == (f"a.{kind}: {expected}{WITHOUT_RULE}",)
        assert not found.match.uses_crawford
        assert [each.actions for each in found.match.games] == [
            each.actions for each in faulty.games
        ]


@pytest.mark.parametrize("name", READ)
def test_what_can_be_played_is_read_from_every_format(tmp_path: Path, name: str) -> None:
    played, unable = READ[name]
    for kind in set(WRITERS).difference(unable):
        found = read_match_file(written(tmp_path, kind, played))
        assert (found.match.games, found.warnings) == (played.games, ())


def test_a_fault_behind_one_of_the_rules_is_named_by_its_own_line(tmp_path: Path) -> None:
    """In .mat the double and the fault may even share a row."""
    path = tmp_path / "a.mat"
    rows = "  1) 31: 8/5 6/5    Doubles => 2\n  2) Takes    31: 8/2"
    path.write_text(f" 3 point match\n\n Game 1\n Ann : 2    Bob : 0\n{rows}\n")
    with pytest.raises(RecordError, match=r"a\.mat:6: Bob: illegal play"):
        read_match_file(path)
