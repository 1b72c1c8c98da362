"""How well and how fast Threes! is played, beside published figures and an earlier program's.

Run as `python -m tests.benchmarks.threes_play [--plies 1,2,3] [--rare R] [--games 3000,1000,300]
[--seed 77] [--json]`; a look-ahead may be of several numbers, 2-4. Games from the start by the
shipped net, on one core; moves a second are of processor time. The figures beside it are other
people's, measured on other machines: CGI is K.-H. Yeh's program of 2015; the prototype is the
throw-away program that ours follows.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from statistics import fmean, stdev

from engine_ext.control import RunControl
from engine_ext.threes.context import Lookahead, read_plies
from engine_ext.threes.depth import rarity_of
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game
from master.cli.bench.bench_figures import cpu_description
from master.games.threes.report import interval
from tests.benchmarks.measure import print_table

GAMES = {"1": 3000, "2": 1000, "3": 300}
GAMES_OTHERWISE = 10
"""Games of each look-ahead unless it is said: the first three take two minutes in all."""

RANKS = {3072: 13, 6144: 14}


@dataclass(frozen=True)
class Rate:
    """Games that reach a card: their share and Wilson's 95 % interval, None where nobody says."""

    share: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Played:
    """What one program reached; None: it is not known."""

    program: str
    plies: str
    score: float
    reached: dict[int, Rate]
    moves_per_s: float
    games: int | None = None
    std_error: float | None = None


PUBLISHED = (
    Played("CGI 2015", "1", 35_800, {3072: Rate(0.008), 6144: Rate(0.0)}, 21_500),
    Played("CGI 2015", "2", 158_000, {3072: Rate(0.485), 6144: Rate(0.010)}, 14_100),
    Played("CGI 2015", "3", 221_000, {3072: Rate(0.658), 6144: Rate(0.090)}, 298),
    Played("prototype", "1", 52_200, {3072: Rate(0.046), 6144: Rate(0.0)}, 1_000_000),
    Played("prototype", "2", 168_000, {3072: Rate(0.497), 6144: Rate(0.044)}, 30_000),
    Played("prototype", "3", 281_000, {3072: Rate(0.723), 6144: Rate(0.197)}, 1_800),
)


def played(lookahead: Lookahead, games: int, seed: int) -> Played:
    """Play so many games of a seed, the first ones."""
    net, control, began = shipped_net(), RunControl(), time.thread_time()
    found = [
        play_game(
            net,
            seed,
            number,
            lookahead.plies,
            control,
            lookahead.plies_max,
            rarity_of(lookahead.rare),
        )
        for number in range(games)
    ]
    seconds = time.thread_time() - began
    whole = [game for game in found if game is not None]
    scores = [float(game[2]) for game in whole]
    reached = {}
    for card, rank in RANKS.items():
        share = sum(game[1] >= rank for game in whole) / games
        reached[card] = Rate(share, *interval(share, games))
    return Played(
        program="manyply",
        plies=lookahead.text,
        score=fmean(scores),
        reached=reached,
        moves_per_s=sum(game[0] for game in whole) / seconds,
        games=games,
        std_error=stdev(scores) / sqrt(games) if games > 1 else None,
    )


def row(one: Played) -> list[str]:
    """Return a line of the table."""
    error = "" if one.std_error is None else f" +- {one.std_error:,.0f}"
    return [
        one.program,
        one.plies,
        "" if one.games is None else f"{one.games:,}",
        f"{one.score:,.0f}{error}",
        *(_rate(rate) for rate in one.reached.values()),
        f"{one.moves_per_s:,.0f}",
    ]


def _rate(rate: Rate) -> str:
    if rate.low is None or rate.high is None:
        return f"{rate.share:.1%}"
    return f"{rate.share:.1%} ({100 * rate.low:.1f}-{100 * rate.high:.1f})"


def by_plies(ours: Sequence[Played]) -> list[Played]:
    """Return ours, and what is published of the same look-ahead behind each."""
    return [each for one in ours for each in (one, *(p for p in PUBLISHED if p.plies == one.plies))]


def counts(text: str) -> list[int]:
    """Return whole numbers above 0 with commas between them; ValueError for anything else."""
    numbers = [int(word) for word in text.split(",")]
    if min(numbers) < 1:
        raise ValueError(f"expected numbers above 0, not {text}")
    return numbers


def lookaheads(text: str) -> list[Lookahead]:
    """Return look-aheads with commas between them; ValueError for anything else."""
    return [read_plies(word) for word in text.split(",")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table, or an object."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--plies", type=lookaheads, default=lookaheads("1,2,3"))
    parser.add_argument("--rare", type=int, help="leave out chances rarer than 1 in so many")
    parser.add_argument("--games", type=counts, help="one number, or one for each of --plies")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--json", action="store_true")
    parsed = parser.parse_args(arguments)
    games = parsed.games or [
        GAMES.get(lookahead.text, GAMES_OTHERWISE) for lookahead in parsed.plies
    ]
    if len(games) not in (1, len(parsed.plies)):
        parser.error("--games: expected one number, or one for each of --plies")
    games = games if len(games) == len(parsed.plies) else games * len(parsed.plies)
    asked = [replace(lookahead, rare=parsed.rare) for lookahead in parsed.plies]
    ours = [
        played(lookahead, count, parsed.seed) for lookahead, count in zip(asked, games, strict=True)
    ]
    if parsed.json:
        found = [asdict(each) for each in by_plies(ours)]
        cpu = cpu_description()
        print(
            json.dumps(
                {"engine": engine_digest(), "cpu": cpu, "seed": parsed.seed, "played": found}
            )
        )
        return
    print(f"{cpu_description()}, engine {engine_digest()}, one thread, seed {parsed.seed}")
    headings = ["", "plies", "games", "score +- standard error", "3072", "6144", "moves/s"]
    print_table(headings, [row(each) for each in by_plies(ours)])


if __name__ == "__main__":
    main()
