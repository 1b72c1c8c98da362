"""Learn values of Threes! boards from nothing; measure them by games.

    python -m training.threes learn --boards 400 --threads 2 --out value.net
    python -m training.threes score value.net --plies 2 --games 1000

RESULTS.md has every experiment.  Knows options and threads; the learning is learn.pyx's.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

import click

from engine_ext.control import RunControl
from engine_ext.threes.net_file import read_net, write_net
from engine_ext.threes.player import play_game
from training.threes.learn import LEARNERS_MAX, Learner

UNIT = 4.0
"""Points that a weight of 1 is worth in the file: 127 * 127 of them are more than any has."""

BATCH_GAMES = 50
"""Games between two looks at the clock: less than a second."""

PROGRESS_S = 15.0

RANK_3072, RANK_6144 = 13, 14


class Session:
    """Threads that learn into one net until they have seen enough boards."""

    def __init__(self, learner: Learner, seed: int, boards_max: int) -> None:
        self._learner = learner
        self._seed = seed
        self._boards_max = boards_max
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._shown_at = self._began
        self.boards = 0
        self._scores, self._games, self._reached = 0, 0, 0

    def run(self, threads: int) -> None:
        """Learn."""
        workers = [threading.Thread(target=self._work, args=(i,)) for i in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def _work(self, thread: int) -> None:
        first = 0
        while self.boards < self._boards_max:
            boards, scores, highest = self._learner.play(
                thread, self._seed + thread, first, BATCH_GAMES
            )
            first += BATCH_GAMES
            with self._lock:
                self.boards += boards
                self._scores += scores
                self._games += sum(highest)
                self._reached += sum(highest[RANK_3072:])
                self._show()

    def _show(self) -> None:
        now = time.monotonic()
        if now - self._shown_at < PROGRESS_S or not self._games:
            return
        click.echo(
            f"{now - self._began:.0f} s, {self.boards / 1e6:.0f} million boards: "
            f"score {self._scores / self._games:,.0f}, 3072 in {self._reached / self._games:.1%} "
            f"of {self._games:,} games"
        )
        self._shown_at, self._scores, self._games, self._reached = now, 0, 0, 0


@click.group()
def main() -> None:
    """Make the value net of Threes!."""


@main.command()
@click.option("--boards", default=400, show_default=True, help="Millions of boards to learn from.")
@click.option("--threads", type=click.IntRange(1, LEARNERS_MAX), default=2, show_default=True)
@click.option("--seed", default=1000, show_default=True, help="Of the first thread's games.")
@click.option("--decay", default=0.5, show_default=True, help="Lambda.")
@click.option("--restarts", default=0.4, show_default=True, help="Share of games begun late.")
@click.option("--optimism", default=0.0, show_default=True, help="Points a board begins with.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The net's file.")
def learn(
    boards: int, threads: int, seed: int, decay: float, restarts: float, optimism: float, out: Path
) -> None:
    """Learn from nothing, and write a net."""
    learner = Learner(decay, restarts, optimism)
    session = Session(learner, seed, boards * 1_000_000)
    session.run(threads)
    write_net(out, learner.to_weights(UNIT), UNIT)
    click.echo(f"{out}: {out.stat().st_size:,} bytes")


@main.command()
@click.argument("net", type=click.Path(path_type=Path))
@click.option("--plies", default=2, show_default=True)
@click.option("--games", default=1000, show_default=True)
@click.option("--seed", default=77, show_default=True)
def score(net: Path, plies: int, games: int, seed: int) -> None:
    """Play games by a net on one thread, and tell how far they come."""
    weights, control, began = read_net(net), RunControl(), time.thread_time()
    moves, scores, reached, more = 0, 0, 0, 0
    for number in range(games):
        played = play_game(weights, seed, number, plies, control)
        assert played is not None, "nobody stops it"
        moves, scores = moves + played[0], scores + played[2]
        reached, more = reached + (played[1] >= RANK_3072), more + (played[1] >= RANK_6144)
    click.echo(
        f"{plies}-ply, {games:,} games of seed {seed}: score {scores / games:,.0f}, "
        f"3072 {reached / games:.2%}, 6144 {more / games:.2%}, "
        f"{moves / (time.thread_time() - began):,.0f} moves/s"
    )


if __name__ == "__main__":
    main()
