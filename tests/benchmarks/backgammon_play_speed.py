"""Seconds a decision with look-ahead, ours beside gnubg's, over the same seeded positions.

Run as `python -m tests.benchmarks.backgammon_play_speed [--positions N] [--plies N]`. Money
play with a centred cube, the move filter `normal`, one thread. gnubg's answers come from
`hint`, its cache emptied before each; it evaluates with its pruning nets, as it does unless
told otherwise, and once more without them. The best plays are compared too: two engines
choose alike most of the time.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.benchmarks import gnubg_program
from tests.benchmarks.measure import machine_description, print_table

TURNS_MAX = 40
"""A decision is taken from the first this many turns of a game: openings to bear-offs."""

CHOICES = (0, 0, 0, 1, 2)
"""Ranks of the plays that lead there: now and then a lesser one, so that games differ."""

_ANSWER_END = re.compile(r"cpu_s=(\d+\.\d+)")
_HINT = re.compile(r"^ +1\. Cubeful \d-ply +(.*?) +Eq\.:", re.MULTILINE)

Decision = tuple[Position, tuple[int, int]]


@dataclass(frozen=True)
class Timed:
    """What one program took: mean seconds of processor time, and its best plays."""

    name: str
    seconds: float
    best: list[str]
    evaluations: float | None = None


def decisions(count: int, seed: int) -> list[Decision]:
    """Return decisions of games that choose mostly the best play at 0-ply."""
    chance, searcher = random.Random(seed), Searcher()
    found: list[Decision] = []
    while len(found) < count:
        position = START
        for _ in range(chance.randrange(1, TURNS_MAX)):
            position = _played(position, _roll(chance), searcher, chance.choice(CHOICES))
            if position.result:
                break
        else:
            found.append((position, _roll(chance)))
    return found


def _roll(chance: random.Random) -> tuple[int, int]:
    one, other = chance.randint(1, 6), chance.randint(1, 6)
    return max(one, other), min(one, other)


def _played(position: Position, dice: tuple[int, int], searcher: Searcher, rank: int) -> Position:
    ranked = searcher.rank_moves(position, dice, Cube(), 0, RunControl())
    assert ranked is not None, "nobody stops this control"
    number = ranked[min(rank, len(ranked) - 1)][0]
    return legal_moves(position, dice)[number].after.swapped()


def our_time(asked: Sequence[Decision], ply: int, *, is_cached: bool) -> Timed:
    """Time our ranking; each decision has a fresh workspace, made outside the clock."""
    seconds, evaluations, best = 0.0, 0, []
    for position, dice in asked:
        searcher = Searcher(is_cached=is_cached)
        searcher.rank_moves(START, (2, 1), Cube(), 0, RunControl())
        before = searcher.evaluations
        started = time.process_time()
        ranked = searcher.rank_moves(position, dice, Cube(), ply, RunControl())
        seconds += time.process_time() - started
        assert ranked is not None, "nobody stops this control"
        evaluations += searcher.evaluations - before
        best.append(format_move(position, legal_moves(position, dice)[ranked[0][0]].steps))
    name = "ours" if is_cached else "ours, no table of nodes"
    return Timed(name, seconds / len(asked), best, evaluations / len(asked))


def gnubg_time(gnubg: str, asked: Sequence[Decision], ply: int, *, is_pruned: bool) -> Timed:
    """Time gnubg's `hint`."""
    on = "on" if is_pruned else "off"
    commands = [
        "set threads 1",
        "set confirm new off",
        "set automatic game off",
        "set automatic roll off",
        f"set evaluation chequerplay evaluation plies {ply}",
        f"set evaluation chequerplay evaluation prune {on}",
        "set player 0 human",
        "new session",
    ]
    for position, dice in asked:
        state = GameState(position, MatchState(dice=dice, jacoby=False, beavers=False))
        commands += [
            f"set gnubgid {to_gnubg_id(state)}",
            "clear cache",
            gnubg_program._START_CLOCKS,
            "hint 1",
            gnubg_program._STOP_CLOCKS,
        ]
    output = gnubg_program.run_commands(gnubg, commands)
    *answers, _ = _ANSWER_END.split(output)
    texts, seconds = answers[::2], [float(text) for text in answers[1::2]]
    if len(seconds) != len(asked):
        raise gnubg_program.GnubgError(f"{len(seconds)} answers of {len(asked)}: {output[-500:]}")
    hints = [_HINT.search(text) for text in texts]
    best = ["" if hint is None else hint[1] for hint in hints]
    name = "gnubg" if is_pruned else "gnubg, no pruning nets"
    return Timed(name, sum(seconds) / len(seconds), best)


def rows(timed: Sequence[Timed]) -> list[list[str]]:
    """Return a row a program: milliseconds, times slower than ours, agreement with ours."""
    ours = timed[0]
    return [
        [
            one.name,
            f"{1000 * one.seconds:.2f}",
            f"{one.seconds / ours.seconds:.2f}",
            "-" if one.evaluations is None else f"{one.evaluations:,.0f}",
            _agreement(ours.best, one.best),
        ]
        for one in timed
    ]


def _agreement(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """Return how many plays agree of those that both name; gnubg says nothing of a forced one."""
    named = [(one, other) for one, other in zip(ours, theirs, strict=True) if other]
    return f"{sum(one == other for one, other in named)} of {len(named)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args(arguments)
    asked = decisions(parsed.positions, parsed.seed)
    timed = [our_time(asked, parsed.plies, is_cached=is_cached) for is_cached in (True, False)]
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        print(gnubg_program.ABSENT)
    else:
        timed += [
            gnubg_time(gnubg, asked, parsed.plies, is_pruned=is_pruned)
            for is_pruned in (True, False)
        ]
    print(machine_description())
    print(f"{len(asked)} decisions, {parsed.plies}-ply, move filter normal")
    headings = ["", "ms a decision", "times ours", "evaluations", "same best play"]
    print_table(headings, rows(timed))


if __name__ == "__main__":
    main()
