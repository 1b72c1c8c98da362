"""The pipeline's command: fit.

Knows the command line and nothing else; README.md beside it shows whole runs.
"""

import argparse
from dataclasses import fields
from pathlib import Path

from engine_ext.othello.evaluation import Evaluation, MobilityEvaluation
from engine_ext.othello.pattern_file import weights_to_bytes
from engine_ext.othello.patterns import load_patterns


def _fit(arguments: argparse.Namespace) -> None:
    from engine_ext.othello.training import chain  # noqa: PLC0415
    from engine_ext.othello.training.fit import Plan  # noqa: PLC0415

    recipe = chain.Recipe(**{f.name: getattr(arguments, f.name) for f in fields(chain.Recipe)})
    plan = Plan(**{f.name: getattr(arguments, f.name) for f in fields(Plan)})
    player: Evaluation = MobilityEvaluation()
    if arguments.player:
        player = load_patterns(arguments.player)
    weights = chain.run(arguments.directory, player, recipe, plan)
    arguments.weights.write_bytes(weights_to_bytes(weights))


def main() -> None:
    """Run the command of sys.argv."""
    from engine_ext.othello.training import chain  # noqa: PLC0415
    from engine_ext.othello.training.fit import Plan  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m engine_ext.othello.training")
    commands = parser.add_subparsers(required=True)
    fit = commands.add_parser("fit", help="play, label and fit all stages")
    fit.add_argument("directory", type=Path, help="keeps the labels")
    fit.add_argument("weights", type=Path, help="the weight file to write")
    fit.add_argument("--player", default="", help="weights that play the games")
    for kind in (chain.Recipe(), Plan()):
        for field in fields(kind):
            default = getattr(kind, field.name)
            name = "--" + field.name.replace("_", "-")
            fit.add_argument(name, type=type(default), default=default)
    fit.set_defaults(run=_fit)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
