"""How equities and cube answers move from ply to ply, ours beside gnubg's.

Run as `python -m tests.benchmarks.backgammon_odd_even [--contact N] [--race N] [--seed S]`.
Money play, the cube in the middle, no Jacoby rule.

The positions are of bgsage's static play, so that neither evaluation has chosen them: a
position that an evaluation chose is one that it takes for too good (without bgsage our own
play must do). Those `near` a decision lie within NEAR of the doubling or of the take point by
the mean of our 2-ply and 3-ply, never by a level whose shift is told.

`of it the net` is the shift of Janowski's formula at the cubeless probabilities of the levels:
what is left of `no double` is the cube model's, which looks at the rolls from one ply on.
Costs are what the double, or the take, of a level loses by another's equities. Needs the extra
`training`; without Debian's gnubg, ours alone.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.cube import Cube, efficiency
from engine_ext.backgammon.evaluate import position_class, shared_evaluator
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.benchmarks import gnubg_program
from tests.benchmarks.measure import optional_import, print_table

OUR_PLIES = 4  # 0-ply to 3-ply
GNUBG_PLIES = 3
NEAR = 0.2
GAMES_AT_ONCE = 50
CLASSES = ("over", "bearoff-two-sided", "bearoff-one-sided", "race", "contact")

Probs = tuple[float, ...]
ByName = dict[str, "list[Answers]"]  # of each evaluator, position by position
Choose = Callable[[list[list[Position]]], list[int]]  # of each roll's successors the one played


@dataclass(frozen=True)
class Answers:
    """What one evaluator says of one position, ply by ply; seen by the player on roll."""

    cubeless: tuple[float, ...]
    no_double: tuple[float, ...]
    of_net: tuple[float, ...]  # the formula's no double at the cubeless probabilities
    double_take: tuple[float, ...]

    @property
    def gain(self) -> tuple[float, ...]:
        """Return what double, take has more than no double."""
        return tuple(t - n for t, n in zip(self.double_take, self.no_double, strict=True))


MEASURES = {
    "cubeless": "cubeless",
    "no double": "no_double",
    "  of it the net": "of_net",
    "double, take": "double_take",
    "take less no double": "gain",
}


def answers(position: Position, levels: Sequence[tuple[Probs, float, float]]) -> Answers:
    """Put levels (probs, no double, double/take) together."""
    cube = Cube()
    x = efficiency(position, CLASSES.index(position_class(position)))
    probs, no_double, double_take = zip(*levels, strict=True)
    return Answers(
        tuple(cube.cubeless_equity(p) for p in probs),
        no_double,
        tuple(cube.equity_no_double(p, x) for p in probs),
        double_take,
    )


def our_answers(positions: Sequence[Position]) -> list[Answers]:
    """Ask ours."""
    searcher, control, cube = Searcher(), RunControl(), Cube()

    def level(position: Position, ply: int) -> tuple[Probs, float, float]:
        answer = searcher.answer_cube(position, cube, ply, control)
        evaluated = searcher.evaluate(position, cube, ply, control)
        assert answer is not None
        assert evaluated is not None
        return evaluated[0], answer[1], answer[2]

    return [answers(p, [level(p, ply) for ply in range(OUR_PLIES)]) for p in positions]


_GNUBG_SETUP = (
    "set threads 1",
    "new session",
    "> import gnubg; cube = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0); cube['jacoby'] = 0",
    "> level = lambda n, c: dict(cubeful=c, plies=n, deterministic=1, noise=0.0, prune=1)",
    "> ask = lambda b, n: (gnubg.evaluate(b, cube, level(n, 0))[:5],"
    " gnubg.cfevaluate(b, cube, level(n, 1))[1:3])",
)


def gnubg_answers(gnubg: str, positions: Sequence[Position]) -> list[Answers]:
    """Ask gnubg, through the Python inside it."""
    questions = [
        f"> b = gnubg.positionfromid('{position.position_id}');"
        f" print('answer', [ask(b, n) for n in range({GNUBG_PLIES})])"
        for position in positions
    ]
    printed = gnubg_program.run_commands(gnubg, [*_GNUBG_SETUP, *questions])
    found = re.findall(r"^answer (\[.*\])", printed, re.MULTILINE)
    if len(found) != len(positions):
        count = f"{len(found)} answers to {len(positions)} questions"
        raise gnubg_program.GnubgError(f"gnubg printed {count}: {printed[-500:]}")
    levels = [[(probs, *cubeful) for probs, cubeful in ast.literal_eval(text)] for text in found]
    return [answers(p, level) for p, level in zip(positions, levels, strict=True)]


def chooser(np: Any) -> Choose:
    """Return bgsage's static choice; our own where it is not installed."""
    from training.backgammon import decisions, label, score  # noqa: PLC0415

    is_there = optional_import("bgsage") is not None
    print("played by bgsage" if is_there else "played by our own nets: their choices flatter them")
    evaluator = shared_evaluator()
    teacher = label.bgsage_teacher(1) if is_there else decisions.static_teacher(evaluator)

    def choose(rolls: list[list[Position]]) -> list[int]:
        flat = [position for positions in rolls for position in positions]
        going = [position for position in flat if position.result == 0]
        equities = np.full(len(flat), -10.0)  # of a finished game
        if going:
            of_going = score.equities(teacher(np.stack([score.board_of(p) for p in going])))
            equities[[position.result == 0 for position in flat]] = of_going
        ends = np.cumsum([len(positions) for positions in rolls])[:-1]
        return [int(part.argmin()) for part in np.split(equities, ends)]

    return choose


def _rolled(random: Any, is_first: bool) -> tuple[int, int]:
    while True:
        low, high = sorted(random.integers(1, 7, 2).tolist())
        if not is_first or low != high:
            return high, low


def played_positions(random: Any, choose: Choose) -> list[Position]:
    """Return the positions that GAMES_AT_ONCE games meet, each of them once."""
    live, met = [START] * GAMES_AT_ONCE, dict[Position, None]()
    while live:
        is_first = not met
        rolls = [
            [move.after.swapped() for move in legal_moves(p, _rolled(random, is_first))]
            for p in live
        ]
        chosen = [roll[i] for roll, i in zip(rolls, choose(rolls), strict=True)]
        live = [position for position in chosen if position.result == 0]
        met |= dict.fromkeys(live)
    return list(met)


def sample(np: Any, counts: dict[str, int], seed: int) -> dict[str, list[Position]]:
    """Return so many positions of each class, drawn from games of the seed."""
    random, choose = np.random.default_rng(seed), chooser(np)
    found: dict[str, list[Position]] = {name: [] for name in counts}
    while any(len(found[name]) < count for name, count in counts.items()):
        met = played_positions(random, choose)
        for i in random.permutation(len(met)).tolist():
            if (name := position_class(met[i])) in found:
                found[name].append(met[i])
    return {name: found[name][:count] for name, count in counts.items()}


def is_near(ours: Answers) -> bool:
    """Say whether doubling or taking is within NEAR of a close decision, by 2-ply and 3-ply."""
    no_double = sum(ours.no_double[2:4]) / 2
    double_take = sum(ours.double_take[2:4]) / 2
    return abs(min(double_take, 1.0) - no_double) <= NEAR or abs(double_take - 1.0) <= NEAR


def shift_rows(name: str, asked: Sequence[Answers]) -> Iterator[list[str]]:
    """Yield a row a measure: mean, its standard error and rms of each ply less the one before."""
    for heading, field in MEASURES.items():
        values = [getattr(a, field) for a in asked]
        row = [f"{name}, {heading}", str(len(values))]
        for ply in range(len(values[0]) - 1):
            gaps = [value[ply + 1] - value[ply] for value in values]
            mean = sum(gaps) / len(gaps)
            square = sum(gap * gap for gap in gaps) / len(gaps)
            error = (max(0.0, square - mean * mean) / len(gaps)) ** 0.5
            row += [f"{mean:+.4f}", f"{error:.4f}", f"{square**0.5:.4f}"]
        yield row


def is_double(asked: Answers, ply: int) -> bool:
    """Say whether a level doubles."""
    return min(asked.double_take[ply], 1.0) > asked.no_double[ply]


def is_take(asked: Answers, ply: int) -> bool:
    """Say whether a level takes."""
    return asked.double_take[ply] < 1.0


def lost_by_double(asked: Answers, ply: int, judge: Answers) -> float:
    """Return what a level's double, or its waiting, loses by the judge's deepest equities."""
    doubled = min(judge.double_take[-1], 1.0)
    loss = judge.no_double[-1] - doubled
    return max(0.0, loss) if is_double(asked, ply) else max(0.0, -loss)


def lost_by_take(asked: Answers, ply: int, judge: Answers) -> float:
    """Return what a level's take or pass loses by the judge's deepest equities."""
    loss = judge.double_take[-1] - 1.0
    return max(0.0, loss) if is_take(asked, ply) else max(0.0, -loss)


def action_rows(
    name: str, asked: Sequence[Answers], judges: Sequence[Sequence[Answers]]
) -> Iterator[list[str]]:
    """Yield a row a ply: shares that double and that a ply more changes, costs by each judge."""
    count, plies = len(asked), len(asked[0].no_double)
    for ply in range(plies):
        row = [f"{name}, {ply}-ply", str(count)]
        row.append(f"{sum(is_double(a, ply) for a in asked) / count:.3f}")
        for says in (is_double, is_take):
            changed = sum(says(a, ply) != says(a, min(ply + 1, plies - 1)) for a in asked)
            row.append(f"{changed / count:.3f}" if ply + 1 < plies else "")
        for judge in judges:
            for lost in (lost_by_double, lost_by_take):
                losses = [lost(a, ply, j) for a, j in zip(asked, judge, strict=True)]
                row.append(f"{1000 * sum(losses) / count:.2f}")
        yield row


def only(asked: ByName, kept: Sequence[bool]) -> ByName:
    """Keep the same positions of every evaluator's."""
    return {
        name: [a for a, k in zip(every, kept, strict=True) if k] for name, every in asked.items()
    }


def report(asked: dict[str, ByName]) -> None:
    """Print both tables; `asked` is by class."""
    shifts: list[list[str]] = []
    actions: list[list[str]] = []
    names = list(next(iter(asked.values())))
    for kind, by_name in asked.items():
        near = only(by_name, [is_near(a) for a in by_name["ours"]])
        for group, answered in ((kind, by_name), (f"{kind} near", near)):
            for name, some in answered.items() if near["ours"] else ():
                shifts += shift_rows(f"{group}, {name}", some)
        for name, some in near.items() if near["ours"] else ():
            actions += action_rows(f"{kind} near, {name}", some, list(near.values()))
    print("Each level less the one before: mean, its standard error, root mean square")
    steps = [f"{ply + 1} - {ply}" for ply in range(OUR_PLIES - 1)]
    headings = ["", "positions", *(text for step in steps for text in (step, "error", "rms"))]
    print_table(headings, [row + [""] * (len(headings) - len(row)) for row in shifts])
    print("\nCube actions, and their costs in thousandths by the deepest level of ours and gnubg's")
    costs = [f"{what} lost, {judge}" for judge in names for what in ("double", "take")]
    print_table(["", "positions", "doubles", "double turns", "take turns", *costs], actions)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how far levels are from one another, and what the cube decisions cost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--contact", type=int, default=1500, help="contact positions")
    parser.add_argument("--race", type=int, default=500, help="races outside the tables")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--ours-alone", action="store_true")
    parsed = parser.parse_args(arguments)
    np = optional_import("numpy")
    if np is None:
        return
    evaluator = shared_evaluator()
    print(f"contact net {evaluator.contact.digest[:16]}, race net {evaluator.race.digest[:16]}")
    positions = sample(np, {"contact": parsed.contact, "race": parsed.race}, parsed.seed)
    asked = {kind: {"ours": our_answers(some)} for kind, some in positions.items()}
    gnubg = None if parsed.ours_alone else gnubg_program.find_gnubg()
    if gnubg is None and not parsed.ours_alone:
        print(gnubg_program.ABSENT)
    if gnubg is not None:
        for kind, some in positions.items():
            asked[kind]["gnubg"] = gnubg_answers(gnubg, some)
    report(asked)


if __name__ == "__main__":
    main()
