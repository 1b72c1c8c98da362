"""Files of matches that cannot have been played, in every format: nothing is checked on the way."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from importlib.util import find_spec

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from master.games.backgammon.matches.flow import GameStage, ReplayState
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.matches.replay import Moment
from master.games.backgammon.matches.sgf_analysis import write_steps
from tests.master.games.backgammon.matches.foreign_files import bgf_file, document, xg_file

NOWHERE = ReplayState(GameState(START, MatchState()), GameStage.ROLL)
WORDS = {Double: "Doubles", Take: "Takes", Drop: "Drops"}
SGF_WORDS = {Double: "double", Take: "take", Drop: "drop"}


def unchecked(match: Match, index: int) -> Iterator[Moment]:
    """Go through a game as it is recorded, each action at the usual start."""
    for place, action in enumerate(match.games[index].actions):
        yield Moment(place, NOWHERE, action)


def mat_file(match: Match) -> bytes:
    """Write a match as .mat, each entry in a row of its own."""
    lines = [f" {match.length} point match"]
    for number, game in enumerate(match.games, start=1):
        names = [
            f"{name} : {points}" for name, points in zip(match.players, game.score, strict=True)
        ]
        lines += ["", f" Game {number}", f" {names[0]:<31} {names[1]}", *_mat_rows(game)]
    return "\n".join(lines).encode()


def _mat_rows(game: Game) -> Iterator[str]:
    entries = [(action.player, _mat_text(action)) for action in game.actions]
    if game.result is not None:
        points = game.result.points
        entries.append((game.result.winner, f"Wins {points} point{'s' * (points != 1)}"))
    for row, (player, text) in enumerate((entry for entry in entries if entry[1]), start=1):
        yield f"{row:3}) {' ' * 28 * player}{text}"


def _mat_text(action: Action) -> str:
    if isinstance(action, Play):
        steps = (f"{source}/{target}" for source, target in action.steps)
        return " ".join(["{}{}:".format(*action.dice), *steps])
    return WORDS.get(type(action), "")


def sgf_file(match: Match) -> bytes:
    """Write a match as gnubg does, each action on a line of its own."""
    return "\n".join(_sgf_game(match, game) for game in match.games).encode()


def _sgf_game(match: Match, game: Game) -> str:
    rules = ["Crawford"] * match.uses_crawford + ["CrawfordGame"] * game.is_crawford
    head = (
        f"(;FF[4]GM[6]MI[length:{match.length}][ws:{game.score[0]}][bs:{game.score[1]}]"
        f"PW[{match.players[0]}]PB[{match.players[1]}]"
    )
    head += f"RU[{':'.join(rules)}]" if rules else ""
    if game.result is not None:
        resigned = "R" * isinstance(game.actions[-1], Resign)
        head += f"RE[{'WB'[game.result.winner]}+{game.result.points}{resigned}]"
    return "\n".join([head, *map(_sgf_node, game.actions)]) + ")"


def _sgf_node(action: Action) -> str:
    name = "WB"[action.player]
    if isinstance(action, Play):
        return f";{name}[{'{}{}'.format(*action.dice)}{write_steps(action.player, action.steps)}]"
    if isinstance(action, Resign):
        return f";XR[{name}{action.multiple}]"
    return f";{name}[{SGF_WORDS[type(action)]}]"


def ogxm_file(match: Match) -> bytes:
    """Write a match as gammonview does."""
    gvformat = importlib.import_module("gvformat")  # of the optional extra `files`
    return bytes(gvformat.write_gvab(document(AnalysedMatch(match), unchecked)))


WRITERS: dict[str, Callable[[Match], bytes]] = {"mat": mat_file, "sgf": sgf_file}
if find_spec("gvformat") is not None:
    WRITERS |= {
        "ogxm": ogxm_file,
        "xg": lambda match: xg_file(match, unchecked),
        "bgf": lambda match: bgf_file(match, unchecked),
    }
"""Every format that can be written here; those of other programs only with the extra `files`."""
