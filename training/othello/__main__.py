"""The pipeline's commands: fit, play, learn, mean.

Knows the command line and nothing else; README.md beside it shows whole runs.
"""

import argparse
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine_ext.othello.evaluation import Evaluation, MobilityEvaluation
from engine_ext.othello.pattern_file import (
    PatternFileError,
    weights_from_bytes,
    weights_to_bytes,
)
from engine_ext.othello.patterns import load_patterns
from training.othello import TrainingError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def _of(kind: "type[DataclassInstance]", arguments: argparse.Namespace) -> Any:
    """Make a dataclass from the arguments that have its fields' names."""
    return kind(**{f.name: getattr(arguments, f.name) for f in fields(kind)})


def _fit(arguments: argparse.Namespace) -> None:
    from training.othello import chain  # noqa: PLC0415
    from training.othello.fit import Plan  # noqa: PLC0415

    player: Evaluation = MobilityEvaluation()
    if arguments.player:
        player = load_patterns(arguments.player)
    weights = chain.run(
        arguments.directory, player, _of(chain.Recipe, arguments), _of(Plan, arguments)
    )
    arguments.weights.write_bytes(weights_to_bytes(weights))


def _play(arguments: argparse.Namespace) -> None:
    from training.othello import strong_games  # noqa: PLC0415

    manner = _of(strong_games.Manner, arguments)
    player = load_patterns(arguments.player)
    batches = range(arguments.batches)
    for path in strong_games.play_batches(arguments.directory, player, manner, batches):
        print(path, flush=True)


def _learn(arguments: argparse.Namespace) -> None:
    from training.othello import outcome  # noqa: PLC0415
    from training.othello.fit import Plan  # noqa: PLC0415

    sources = outcome.Sources(
        arguments.directories, arguments.share, is_followed=arguments.followed,
        left_min=arguments.left_min, reach=arguments.reach,
    )  # fmt: skip
    before = None
    if arguments.before is not None:
        _, before = weights_from_bytes(arguments.before.read_bytes())
    weights = outcome.run(sources, _of(Plan, arguments), before)
    arguments.weights.write_bytes(weights_to_bytes(weights))


def _mean(arguments: argparse.Namespace) -> None:
    from training.othello import chain  # noqa: PLC0415

    files = [weights_from_bytes(path.read_bytes())[1] for path in arguments.files]
    arguments.weights.write_bytes(weights_to_bytes(chain.mean(files)))


def _add_fields(command: argparse.ArgumentParser, *kinds: "DataclassInstance") -> None:
    for kind in kinds:
        for field in fields(kind):
            default = getattr(kind, field.name)
            name = "--" + field.name.replace("_", "-")
            command.add_argument(name, type=type(default), default=default)


def main() -> None:
    """Run the command of sys.argv."""
    from training.othello import chain, strong_games  # noqa: PLC0415
    from training.othello.fit import Plan  # noqa: PLC0415
    from training.othello.outcome import Sources  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m training.othello")
    commands = parser.add_subparsers(required=True)
    fit = commands.add_parser("fit", help="play wildly, label and fit all stages")
    fit.add_argument("directory", type=Path, help="keeps the labels")
    fit.add_argument("weights", type=Path, help="the weight file to write")
    fit.add_argument("--player", default="", help="weights that play the games")
    _add_fields(fit, chain.Recipe(), Plan())
    fit.set_defaults(run=_fit)
    play = commands.add_parser("play", help="play games by searches and keep what they found")
    play.add_argument("directory", type=Path, help="keeps the games")
    play.add_argument("batches", type=int, help=f"of {strong_games.BATCH_GAMES} games")
    play.add_argument("--player", default=None, help="weights of the searches, or the shipped ones")
    _add_fields(play, strong_games.Manner())
    play.set_defaults(run=_play)
    learn = commands.add_parser("learn", help="fit all stages to the games of play")
    learn.add_argument("weights", type=Path, help="the weight file to write")
    learn.add_argument("directories", type=Path, nargs="+", help="of games")
    learn.add_argument(
        "--share", type=float, default=Sources.share, help="of what follows in a label"
    )
    learn.add_argument(
        "--followed", action="store_true", help="leave out what the player alone has judged"
    )
    learn.add_argument("--before", type=Path, help="a weight file to go on from")
    learn.add_argument(
        "--left-min", type=int, default=Sources.left_min, help="empty squares of what is learned"
    )
    learn.add_argument(
        "--reach", type=int, default=Sources.reach, help="empty squares beyond a stage's own"
    )
    _add_fields(learn, Plan())
    learn.set_defaults(run=_learn)
    mean = commands.add_parser("mean", help="make one weight file of several")
    mean.add_argument("weights", type=Path, help="the weight file to write")
    mean.add_argument("files", type=Path, nargs="+", help="weight files, each counting the same")
    mean.set_defaults(run=_mean)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except (PatternFileError, OSError, TrainingError) as error:
        parser.exit(2, f"error: {error}\n")


if __name__ == "__main__":
    main()
