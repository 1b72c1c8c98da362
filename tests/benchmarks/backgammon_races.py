"""Races of our own play: how far look-ahead is from the static evaluation, ours beside gnubg's.

Run as `python -m tests.benchmarks.backgammon_races [--count N] [--seed S]`. Only races outside
the bear-off tables; `close` ones are within ten pips, in `long` ones the player on roll has more
than seventy to go. Look-ahead is one ply over all 21 rolls. The columns `off gnubg 1-ply` are
mean absolute differences to gnubg's look-ahead. Needs the extra `training`; without gnubg-nn,
ours alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from engine_ext.backgammon.bearoff import shared_bearoff
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.evaluate import Evaluator, shared_evaluator
from engine_ext.backgammon.net import load_net
from tests.benchmarks import wheels
from tests.benchmarks.measure import optional_import, print_table

CLOSE_PIPS = 10
LONG_PIPS = 70


def races(np: Any, count: int, seed: int) -> Any:
    """Return boards uint8[n, 52] of races that ordinary games of the shipped nets reach."""
    from training.backgammon import games, generate  # noqa: PLC0415

    recipe = generate.Recipe(count, special=0.0, random_one_in=0, position_class="race")
    boards = generate.make_shard(shared_evaluator(), seed, 0, recipe)
    classes = np.zeros(len(boards), np.uint8)
    games.classify_boards(boards, classes)
    return np.ascontiguousarray(boards[classes == 1])


def kinds(np: Any, boards: Any) -> dict[str, Any]:
    """Return a mask a kind of race."""
    pips = boards.reshape(-1, 2, 26).astype(int) @ np.arange(26)
    close = abs(pips[:, 0] - pips[:, 1]) <= CLOSE_PIPS
    return {"all": pips[:, 0] > 0, "close": close, "long": pips[:, 0] > LONG_PIPS}


def our_equities(np: Any, evaluator: Evaluator, boards: Any) -> tuple[Any, Any]:
    """Return the static equities and those of one ply."""
    from training.backgammon import decisions, games, score  # noqa: PLC0415

    ahead = np.empty((len(boards), 5))
    games.lookahead(evaluator, boards, ahead)
    static = decisions.static_teacher(evaluator)(boards)
    return score.equities(static), score.equities(ahead)


def gnubg_equities(np: Any, gnubg_nn: Any, boards: Any) -> tuple[Any, Any]:
    """Return gnubg's static equities and those of one ply."""
    from training.backgammon import score  # noqa: PLC0415

    positions = [Position(b[:26].tolist(), b[26:].tolist()) for b in boards]
    asked = wheels.gnubg_boards(gnubg_nn, positions)
    levels = [np.array(wheels.gnubg_probs(gnubg_nn, asked, ply)) for ply in (0, 1)]
    return score.equities(levels[0]), score.equities(levels[1])


def rows(
    np: Any, boards: Any, equities: dict[str, tuple[Any, Any]], reference: Any | None
) -> Iterator[list[str]]:
    """Yield a row an evaluator and kind of race."""
    for kind, mask in kinds(np, boards).items():
        for name, (static, ahead) in equities.items():
            gap = (ahead - static)[mask]
            row = [f"{name}, {kind}", str(mask.sum()), f"{gap.mean():+.4f}"]
            row.append(f"{np.sqrt((gap**2).mean()):.4f}")
            if reference is not None:
                row += [f"{abs(level - reference)[mask].mean():.4f}" for level in (static, ahead)]
            yield row


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=6000, help="races, bear-offs among them")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--race", default="race", help="net file, or the shipped one")
    parsed = parser.parse_args(arguments)
    np = optional_import("numpy")
    gnubg_nn = optional_import("gnubg_nn")
    if np is None:
        return
    boards = races(np, parsed.count, parsed.seed)
    evaluator = Evaluator(load_net("contact"), load_net(parsed.race), shared_bearoff())
    equities = {"ours": our_equities(np, evaluator, boards)}
    headings = ["", "races", "1-ply - 0-ply", "rms"]
    reference = None
    if gnubg_nn is not None:
        equities["gnubg-nn"] = gnubg_equities(np, gnubg_nn, boards)
        reference = equities["gnubg-nn"][1]
        headings += ["0-ply off gnubg 1-ply", "1-ply off gnubg 1-ply"]
    print(f"race net {evaluator.race.digest[:16]}")
    print_table(headings, list(rows(np, boards, equities, reference)))


if __name__ == "__main__":
    main()
