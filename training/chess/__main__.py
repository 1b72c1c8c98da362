"""Make samples, and fit the evaluation's terms to them.

`python -m training.chess games FILE [--games N] [--first N] [--nodes N]` appends the
quiet positions of games to a file; `... fit FILE... [--epochs N] [--out FILE]` fits the terms to
them, beginning with those that are shipped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine_ext.chess.terms import TERMS_FILE, read_terms, write_terms
from training.chess.games import Sample, play_game

NODES = 1500
"""Of a move: a game takes a third of a second."""

GAMES = 10_000

EPOCHS = 200

CHECK_EVERY = 20
"""One sample in so many is not learned from: it tells how well the terms do elsewhere."""


def make_games(path: Path, first: int, count: int, nodes: int) -> None:
    """Append the samples of games to a file."""
    with path.open("a") as file:
        for number in range(first, first + count):
            for sample in play_game(number, nodes):
                print(sample.to_line(), file=file)
            if (number + 1 - first) % 100 == 0:
                print(f"{number + 1 - first:,} of {count:,} games", file=sys.stderr)


def fit_terms(paths: list[Path], epochs: int, out: Path) -> None:
    """Fit the terms to the samples of files, and write them."""
    from training.chess.fit import fit, loss, to_data, to_weights  # noqa: PLC0415  # needs numpy

    lines = [line for path in paths for line in path.read_text().splitlines()]
    samples = [Sample.from_line(line) for line in lines]
    learned = to_data(each for number, each in enumerate(samples) if number % CHECK_EVERY)
    checked = to_data(samples[::CHECK_EVERY])
    terms = read_terms(TERMS_FILE.read_text())
    print(f"{len(samples):,} samples", file=sys.stderr)

    def say(epoch: int, missed: float) -> None:
        print(f"epoch {epoch + 1} of {epochs}: {missed:.6f}", file=sys.stderr)

    fitted = fit(learned, terms, epochs, say)
    before, after = (loss(checked, to_weights(each)) for each in (terms, fitted))
    print(f"not learned from: {before:.6f} before, {after:.6f} after", file=sys.stderr)
    remark = f"Fitted to {len(samples):,} positions: training/chess/README.md"
    out.write_text(write_terms(fitted, remark))


def main() -> None:
    """Read the command and do it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("games")
    games.add_argument("file", type=Path)
    games.add_argument("--games", type=int, default=GAMES)
    games.add_argument("--first", type=int, default=0)
    games.add_argument("--nodes", type=int, default=NODES)
    fitting = commands.add_parser("fit")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--epochs", type=int, default=EPOCHS)
    fitting.add_argument("--out", type=Path, default=TERMS_FILE)
    asked = parser.parse_args()
    if asked.command == "games":
        make_games(asked.file, asked.first, asked.games, asked.nodes)
    else:
        fit_terms(asked.files, asked.epochs, asked.out)


if __name__ == "__main__":
    main()
