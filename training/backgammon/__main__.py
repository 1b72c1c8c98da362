"""The pipeline's commands: generate, label, follow, train, quantise, balance, decisions, score.

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
    from training.backgammon.generate import Recipe, generate  # noqa: PLC0415

    recipe = Recipe(**{field.name: getattr(arguments, field.name) for field in fields(Recipe)})
    evaluator = None if arguments.pubeval else _evaluator(arguments.contact, arguments.race)
    generate(arguments.directory, evaluator, arguments.seed, arguments.shards, recipe)


def _label(arguments: argparse.Namespace) -> None:
    from training.backgammon import label  # noqa: PLC0415

    if arguments.teacher == "look-ahead":
        teacher = label.lookahead_teacher(_evaluator(arguments.contact, arguments.race))
    else:
        teacher = label.bgsage_teacher(1 if arguments.teacher == "bgsage-static" else 2)
    name = arguments.name or arguments.teacher
    label.label(arguments.directory, name, teacher, arguments.shards, arguments.most)


def _follow(arguments: argparse.Namespace) -> None:
    from training.backgammon.follow import Trail, follow  # noqa: PLC0415

    trail = Trail(**{field.name: getattr(arguments, field.name) for field in fields(Trail)})
    evaluator = _evaluator(arguments.contact, arguments.race)
    follow(evaluator, arguments.directory, arguments.target, arguments.shards, trail)


def _train(arguments: argparse.Namespace) -> None:
    from training.backgammon.shards import load_labelled  # noqa: PLC0415
    from training.backgammon.train import (  # noqa: PLC0415
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

    from training.backgammon.quantise import quantise  # noqa: PLC0415

    state = torch.load(arguments.checkpoint)["net"]
    content = net_to_bytes(quantise({name: tensor.numpy() for name, tensor in state.items()}))
    arguments.net.write_bytes(content)
    print(f"{arguments.net}: {len(content)} bytes, digest {net_from_content(content).digest[:16]}")


def _balance(arguments: argparse.Namespace) -> None:
    from engine_ext.backgammon.net_file import net_from_bytes  # noqa: PLC0415
    from training.backgammon.balance import (  # noqa: PLC0415
        balanced,
        contact_positions,
    )

    boards = contact_positions(arguments.directory, arguments.shards, arguments.most)
    arrays = net_from_bytes(arguments.net.read_bytes())
    content = net_to_bytes(balanced(arrays, load_net(arguments.race), boards))
    arguments.balanced.write_bytes(content)
    digest = net_from_content(content).digest[:16]
    print(f"{arguments.balanced}: balanced on {len(boards)} positions, digest {digest}")


def _decisions(arguments: argparse.Namespace) -> None:
    from training.backgammon import decisions  # noqa: PLC0415

    recipe = decisions.SetRecipe(
        **{field.name: getattr(arguments, field.name) for field in fields(decisions.SetRecipe)}
    )
    made = decisions.make_set(_evaluator(arguments.contact, arguments.race), recipe)
    decisions.save_set(arguments.set, made)
    print(f"{arguments.set}: {len(made.first) - 1} decisions, {len(made.boards)} plays")


def _score_decisions(evaluator: Evaluator, path: Path) -> None:
    from training.backgammon import decisions  # noqa: PLC0415

    teacher = decisions.static_teacher(evaluator)
    result = decisions.score_choices(decisions.load_set(path), teacher)
    print(
        f"decisions: mean loss {result.mean_loss_mp:.2f} thousandths"
        f" (std error {result.std_error_mp:.2f}, {result.decisions} decisions)"
    )


def _score(arguments: argparse.Namespace) -> None:
    from training.backgammon import score  # noqa: PLC0415

    evaluator = _evaluator(arguments.contact, arguments.race)
    print(f"contact {evaluator.contact.digest[:16]} race {evaluator.race.digest[:16]}")
    if arguments.rollouts is not None:
        for lookahead in (False, True):
            print("one ply of look-ahead" if lookahead else "static")
            errors = score.score_rollouts(evaluator, arguments.rollouts, lookahead)
            print("\n".join(score.describe(errors)))
    if arguments.decisions is not None:
        _score_decisions(evaluator, arguments.decisions)
    if arguments.games:
        match = score.score_match(evaluator, None, arguments.seed, arguments.games // 2)
        print(
            f"against PubEval: {match.points_per_game:+.4f} points a game"
            f" (std error {match.std_error:.4f}, {match.games} games)"
        )


def _add_nets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--contact", default="contact", help="net file, or the shipped one")
    parser.add_argument("--race", default="race", help="net file, or the shipped one")


def _add_generate(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("directory", type=Path)
    _add_nets(parser)
    add("--pubeval", action="store_true", help="PubEval plays, not the nets")
    add("--seed", type=int, default=1)
    add("--shards", type=_shards, default=range(8), help="FIRST:STOP")
    add("--size", type=int, default=500_000, help="positions a shard")
    add("--special", type=float, default=0.35, help="share of rare starts")
    add("--random-one-in", type=int, default=8, help="random moves; 0 = none")
    add("--class", dest="position_class", choices=("any", "contact", "race"), default="any")


def _add_label(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("directory", type=Path)
    add("teacher", choices=("bgsage-static", "bgsage-2ply", "look-ahead"))
    _add_nets(parser)
    add("--name", help="of the labels; default: the teacher's")
    add("--shards", type=_shards, default=range(10**6), help="FIRST:STOP")
    add("--most", type=int, default=10**9, help="positions a shard")


def _add_follow(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("directory", type=Path, help="whose positions paths begin at")
    add("target", type=Path, help="directory of the positions met, and of their labels")
    _add_nets(parser)
    add("--name", default="followed", help="of the labels")
    add("--seed", type=int, default=1)
    add("--shards", type=_shards, default=range(10**6), help="FIRST:STOP")
    add("--most", type=int, default=100_000, help="positions a shard")
    add("--decay", type=float, default=0.8, help="0 = look-ahead alone, 1 = the whole path")
    add("--random-one-in", type=int, default=20, help="random moves; 0 = none")
    add("--random-loss-max", type=float, default=9.0, help="what they may lose to the best")
    add("--class", dest="position_class", choices=("contact", "race"), default="contact")


def _add_train(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("directory", type=Path)
    add("labels", nargs="+", help="names of labels; the first that a position has counts")
    add("checkpoint", type=Path, help="written; gone on from if it is there")
    add("--shards", type=_shards, default=range(10**6), help="FIRST:STOP")
    add("--class", dest="position_class", choices=("contact", "race"), default="contact")
    add("--start", type=Path, help="checkpoint to begin with")
    add("--width", type=int, default=512)
    add("--seed", type=int, default=1)
    add("--epochs", type=float, default=20.0)
    add("--batch", type=int, default=4096)
    add("--rate", type=float, default=0.006)
    add("--rate-end", type=float, default=0.0)
    add("--weight-decay", type=float, default=1e-4)
    add("--device", default="cpu", help='"cuda" where there is a GPU')


def _add_quantise(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("net", type=Path)


def _add_balance(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("net", type=Path)
    add("balanced", type=Path, help="written")
    add("directory", type=Path, help="of positions")
    add("--race", default="race", help="net file, or the shipped one")
    add("--shards", type=_shards, default=range(10**6), help="FIRST:STOP")
    add("--most", type=int, default=10_000, help="contact positions a shard")


def _add_decisions(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("set", type=Path, help="written (.npz)")
    _add_nets(parser)
    add("--count", type=int, default=1000)
    add("--seed", type=int, default=1)
    add("--special", type=float, default=0.2, help="share of games from a rare plan")
    add("--plies", type=int, choices=(2, 3), default=3, help="of bgsage, in its count")


def _add_score(parser: argparse.ArgumentParser) -> None:
    _add_nets(parser)
    add = parser.add_argument
    add("--rollouts", type=Path, help="rolled-out positions, JSON lines")
    add("--decisions", type=Path, help="a set made by the command of that name")
    add("--games", type=int, default=20_000, help="against PubEval; 0 for none")
    add("--seed", type=int, default=1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.backgammon")
    commands = parser.add_subparsers(required=True)
    for name, run, add_arguments, text in (
        ("generate", _generate, _add_generate, "make positions by self-play"),
        ("label", _label, _add_label, "label positions by a teacher"),
        ("follow", _follow, _add_follow, "play on from positions and label the path"),
        ("train", _train, _add_train, "train a net"),
        ("quantise", _quantise, _add_quantise, "write a net file from a checkpoint"),
        ("balance", _balance, _add_balance, "shift a net's biases to where look-ahead agrees"),
        ("decisions", _decisions, _add_decisions, "make a set of move decisions"),
        ("score", _score, _add_score, "measure nets"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        add_arguments(command)
    return parser


def main() -> None:
    """Run one command."""
    arguments = _parser().parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
