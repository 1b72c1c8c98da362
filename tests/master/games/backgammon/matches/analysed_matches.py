"""Random analyses of random matches: what figures are drawn from, without an engine."""

from random import Random

from hypothesis import strategies as st

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.record import AnalysedMatch, Match, Play, Resign
from master.games.backgammon.matches.replay import Moment, walk
from tests.master.games.backgammon.matches.random_matches import matches

PROBS = Probs(0.5, 0.1, 0.0, 0.1, 0.0)


def move(equity: float, text: str = "8/5 6/5") -> MoveAnalysis:
    return MoveAnalysis(text, "0-ply", equity, equity, PROBS)


def checker(error: float, *others: float) -> ActionAnalysis:
    """A played move that is so much worse than the best, beside others."""
    best = move(0.25, "24/23 13/11")
    moves = [best, *(move(0.25 - worse) for worse in (error, *others))]
    return ActionAnalysis(CheckerAnalysis(tuple(moves), 1, is_forced=False))


def cube(no_double: float, double_take: float, action: str = "double, take") -> ActionAnalysis:
    analysis = CubeAnalysis("0-ply", no_double, double_take, 1.0, action, no_double, PROBS)
    return ActionAnalysis(cube=analysis)


def analysed(match: Match, seed: int) -> AnalysedMatch:
    """Say something about every decision and roll of a match."""
    random = Random(seed)
    analyses = tuple(
        tuple(_analysis(random, moment) for moment in walk(match, index))
        for index in range(len(match.games))
    )
    return AnalysedMatch(match, analyses)


def _analysis(random: Random, moment: Moment) -> ActionAnalysis | None:
    if isinstance(moment.action, Resign):
        return None
    if not isinstance(moment.action, Play):
        return ActionAnalysis(cube=_cube(random))
    luck = random.uniform(-0.9, 0.9)
    if moment.move is None:
        return ActionAnalysis(luck=luck)
    question = _cube(random) if moment.state.may_double else None
    return ActionAnalysis(_checker(random), question, luck)


def _cube(random: Random) -> CubeAnalysis:
    no_double, double_take = random.uniform(-1.0, 1.5), random.uniform(-1.0, 1.5)
    return CubeAnalysis("0-ply", no_double, double_take, 1.0, "no double", no_double, PROBS)


def _checker(random: Random) -> CheckerAnalysis:
    count = random.randint(1, 4)
    equities = sorted((random.uniform(-1.0, 1.0) for _ in range(count)), reverse=True)
    moves = tuple(map(move, equities))
    return CheckerAnalysis(moves, random.randrange(count), is_forced=count == 1)


analysed_matches = st.builds(analysed, matches, st.integers(0, 2**32))
