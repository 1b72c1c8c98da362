"""The pipeline's commands: generate, label, train, quantise, score.

Knows the command line and nothing else; README.md beside it shows a whole run.
"""

import argparse
from dataclasses import fields
from pathlib import Path

from engine_ext.backgammon.bearoff import shared_bearoff
from engine_ext.backgammon.evaluate import Evaluator
from engine_ext.backgammon.net import load_net, net_from_content
from engine_ext.backgammon.net_file import net_to_bytes


def _evaluator(contact: str, race: str) -> Evaluator:
    return Evaluator(load_net(contact), load_net(race), shared_bearoff())


def _shards(text: str) -> range:
    """Read "0:8" as shards 0 to 7."""
    first, _, stop = text.partition(":")
    return range(int(first), int(stop))


def _generate(arguments: argparse.Namespace) -> None:
    from engine_ext.backgammon.training.generate import Recipe, generate  # noqa: PLC0415

    recipe = Recipe(**{field.name: getattr(arguments, field.name) for field in fields(Recipe)})
    evaluator = None if arguments.pubeval else _evaluator(arguments.contact, arguments.race)
    generate(arguments.directory, evaluator, arguments.seed, arguments.shards, recipe)


def _label(arguments: argparse.Namespace) -> None:
    from engine_ext.backgammon.training import label  # noqa: PLC0415

    if arguments.teacher == "look-ahead":
        teacher = label.look_ahead_teacher(_evaluator(arguments.contact, arguments.race))
    else:
        teacher = label.bgsage_teacher(1 if arguments.teacher == "bgsage-static" else 2)
    name = arguments.name or arguments.teacher
    label.label(arguments.directory, name, teacher, arguments.shards, arguments.most)


def _train(arguments: argparse.Namespace) -> None:
    from engine_ext.backgammon.training.shards import load_labelled  # noqa: PLC0415
    from engine_ext.backgammon.training.train import (  # noqa: PLC0415
        Plan,
        class_boards,
        train,
    )

    plan = Plan(**{field.name: getattr(arguments, field.name) for field in fields(Plan)})
    boards, labels = load_labelled(arguments.directory, arguments.labels, arguments.shards)
    boards, labels = class_boards(boards, labels, arguments.position_class)
    print(f"{len(boards)} positions, {plan}", flush=True)
    train(plan, boards, labels, arguments.checkpoint, arguments.start)


def _quantise(arguments: argparse.Namespace) -> None:
    import torch  # noqa: PLC0415  (only the training commands need it)

    from engine_ext.backgammon.training.quantise import quantise  # noqa: PLC0415

    state = torch.load(arguments.checkpoint)["net"]
    content = net_to_bytes(quantise({name: tensor.numpy() for name, tensor in state.items()}))
    arguments.net.write_bytes(content)
    print(f"{arguments.net}: {len(content)} bytes, digest {net_from_content(content).digest[:16]}")


def _score(arguments: argparse.Namespace) -> None:
    from engine_ext.backgammon.training import score  # noqa: PLC0415

    evaluator = _evaluator(arguments.contact, arguments.race)
    print(f"contact {evaluator.contact.digest[:16]} race {evaluator.race.digest[:16]}")
    if arguments.rollouts is not None:
        for look_ahead in (False, True):
            print("one ply of look-ahead" if look_ahead else "static")
            errors = score.score_rollouts(evaluator, arguments.rollouts, look_ahead)
            print("\n".join(score.describe(errors)))
    if arguments.games:
        match = score.score_match(evaluator, None, arguments.seed, arguments.games // 2)
        print(
            f"against PubEval: {match.points_per_game:+.4f} points a game"
            f" (std error {match.std_error:.4f}, {match.games} games)"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine_ext.backgammon.training")
    commands = parser.add_subparsers(required=True)

    def command(name: str, run: object, text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(run=run)
        return added

    def nets(added: argparse.ArgumentParser) -> None:
        added.add_argument("--contact", default="contact", help="net file, or the shipped one")
        added.add_argument("--race", default="race", help="net file, or the shipped one")

    generate = command("generate", _generate, "make positions by self-play")
    generate.add_argument("directory", type=Path)
    nets(generate)
    generate.add_argument("--pubeval", action="store_true", help="PubEval plays, not the nets")
    generate.add_argument("--seed", type=int, default=1)
    generate.add_argument("--shards", type=_shards, default=range(8), help="FIRST:STOP")
    generate.add_argument("--size", type=int, default=500_000, help="positions a shard")
    generate.add_argument("--special", type=float, default=0.35, help="share of rare starts")
    generate.add_argument("--random-one-in", type=int, default=8, help="random moves; 0 = none")
    generate.add_argument(
        "--class", dest="position_class", choices=("any", "contact", "race"), default="any"
    )

    label = command("label", _label, "label positions by a teacher")
    label.add_argument("directory", type=Path)
    label.add_argument("teacher", choices=("bgsage-static", "bgsage-2ply", "look-ahead"))
    nets(label)
    label.add_argument("--name", help="of the labels; default: the teacher's")
    label.add_argument("--shards", type=_shards, default=range(10**6), help="FIRST:STOP")
    label.add_argument("--most", type=int, default=10**9, help="positions a shard")

    train = command("train", _train, "train a net")
    train.add_argument("directory", type=Path)
    train.add_argument(
        "labels", nargs="+", help="names of labels; the first that a shard has counts"
    )
    train.add_argument("checkpoint", type=Path, help="written; gone on from if it is there")
    train.add_argument("--shards", type=_shards, default=range(10**6), help="FIRST:STOP")
    train.add_argument(
        "--class", dest="position_class", choices=("contact", "race"), default="contact"
    )
    train.add_argument("--start", type=Path, help="checkpoint whose weights to begin with")
    train.add_argument("--width", type=int, default=512)
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--epochs", type=float, default=20.0)
    train.add_argument("--batch", type=int, default=4096)
    train.add_argument("--rate", type=float, default=0.006)
    train.add_argument("--rate-end", type=float, default=0.0)
    train.add_argument("--weight-decay", type=float, default=1e-4)
    train.add_argument("--device", default="cpu", help='"cuda" where there is a GPU')

    quantise = command("quantise", _quantise, "write a net file from a checkpoint")
    quantise.add_argument("checkpoint", type=Path)
    quantise.add_argument("net", type=Path)

    score = command("score", _score, "measure nets")
    nets(score)
    score.add_argument("--rollouts", type=Path, help="rolled-out positions, JSON lines")
    score.add_argument("--games", type=int, default=20_000, help="against PubEval; 0 for none")
    score.add_argument("--seed", type=int, default=1)
    return parser


def main() -> None:
    """Run one command."""
    arguments = _parser().parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
