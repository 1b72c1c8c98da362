"""Writes a match as gnubg saves it, SGF game 6, so that gnubg opens it and shows our analysis.

The properties are gnubg's, with its marks of errors and luck, and a few of ours that gnubg ignores.
sgf_tree writes the trees, sgf_analysis the evaluations.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine_ext.backgammon.analysis import ActionAnalysis, CubeAnalysis
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.matches.replay import Moment, walk
from master.games.backgammon.matches.sgf_analysis import (
    Decision,
    Properties,
    write_analysis,
    write_steps,
)
from master.games.backgammon.matches.sgf_header import (
    GAME_NUMBER,
    NO_CUBE,
    PLAYERS,
    TAG_PROPERTIES,
    write_setup,
)
from master.games.backgammon.matches.sgf_tree import Node, Tree, compose, from_text, write_sgf_trees
from master.games.errors import RecordError

APPLICATION = "manyply"

# gnubg's thresholds (its manual, "Setting the thresholds for classifying moves"; 1.07's defaults):
# least error or luck, in points, and the mark's value.
ERROR_MARKS = ((0.12, "2"), (0.06, "1"))
DOUBTFUL = 0.03
LUCK_MARKS = ((0.6, "2"), (0.3, "1"))

_ANSWERS = {Double: "double", Take: "take", Beaver: "double", Drop: "drop"}


def write_sgf(analysed: AnalysedMatch) -> str:
    """Write a match or session, with the analysis of its actions; `read_sgf` reads it back.

    White space in texts but line breaks becomes blanks, as in all SGF; in names line breaks too.

    Raises:
        RecordError: it has no game, it breaks the rules, or its analysis lists illegal moves.
    """
    match = analysed.match
    if not match.games:
        raise RecordError("expected a match with a game begun at least")
    return write_sgf_trees([_write_game(analysed, index) for index in range(len(match.games))])


def _write_game(analysed: AnalysedMatch, index: int) -> Tree:
    match = analysed.match
    game = match.games[index]
    nodes = [_header(match, index)]
    if game.start is not None:
        nodes += write_setup(game.start)
    for moment in walk(match, index):
        nodes += _action_nodes(
            moment, analysed.of(index, moment.index), _comments(game, moment.index)
        )
    if comments := _comments(game, len(game.actions)):
        nodes.append(Node(tuple(comments)))
    return Tree(tuple(nodes))


def _header(match: Match, index: int) -> Node:
    game = match.games[index]
    numbers = (
        ("length", match.length), ("game", index), ("ws", game.score[0]), ("bs", game.score[1])
    )  # fmt: skip
    properties: Properties = [
        ("FF", ("4",)),
        ("GM", (GAME_NUMBER,)),
        ("CA", ("UTF-8",)),
        ("AP", (APPLICATION,)),
        ("MI", tuple(f"{key}:{number}" for key, number in numbers)),
        ("PW", (from_text(match.players[0]),)),
        ("PB", (from_text(match.players[1]),)),
    ]
    if index == 0:
        properties += _tags(match)
    if rules := _rules(match, game):
        properties.append(("RU", (":".join(rules),)))
    if game.cube > 1:
        properties.append(("CV", (str(game.cube),)))
    if game.result is not None:
        resigned = "R" if game.actions and isinstance(game.actions[-1], Resign) else ""
        winner = PLAYERS[game.result.winner]
        properties.append(("RE", (f"{winner}+{game.result.points}{resigned}",)))
    return Node(tuple(properties))


def _tags(match: Match) -> Iterator[tuple[str, tuple[str, ...]]]:
    for tag, name in TAG_PROPERTIES.items():
        if tag in match.tags:
            yield name, (from_text(match.tags[tag]),)
    others = [(tag, text) for tag, text in match.tags.items() if tag not in TAG_PROPERTIES]
    if others:
        yield "XT", tuple(compose(tag, text) for tag, text in others)


def _rules(match: Match, game: Game) -> list[str]:
    """gnubg's words, and one of ours for beavers, which gnubg does not save."""
    words = {
        "Crawford": match.uses_crawford,
        "CrawfordGame": game.is_crawford,
        "Jacoby": match.jacoby,
        "Beavers": match.beavers,
        NO_CUBE: not match.uses_cube,
    }
    return [word for word, is_so in words.items() if is_so]


def _comments(game: Game, index: int) -> Properties:
    texts = tuple(from_text(text) for found, text in game.comments if found == index)
    return [("C", texts)] if texts else []


def _action_nodes(
    moment: Moment, analysis: ActionAnalysis | None, comments: Properties
) -> list[Node]:
    action, properties = moment.action, []
    if analysis is not None:
        play = action if isinstance(action, Play) else None
        game = moment.state.game
        decision = Decision(action.player, game.position, game.match, play)
        properties = [*write_analysis(analysis, decision), *_marks(action, analysis)]
    nodes = [Node((*_action(moment), *properties, *comments))]
    if isinstance(action, Beaver):
        nodes.append(Node(((PLAYERS[1 - action.player], ("take",)),)))
    return nodes


def _action(moment: Moment) -> Properties:
    action = moment.action
    player = PLAYERS[action.player]
    if isinstance(action, Resign):
        return [("XR", (f"{player}{action.multiple}",))]
    if not isinstance(action, Play):
        return [(player, (_ANSWERS[type(action)],))]
    dice = "{}{}".format(*action.dice)
    if moment.move is None:
        return [("PL", (player,)), ("DI", (dice,))]
    return [(player, (dice + write_steps(action.player, action.steps),))]


def _marks(action: Action, analysis: ActionAnalysis) -> Properties:
    """gnubg's marks, from which it counts errors; the sizes it takes from the analysis."""
    marks: Properties = []
    cube_error = 0.0 if analysis.cube is None else _cube_error(action, analysis.cube)
    if isinstance(action, Play):
        checker = analysis.checker
        marks += _error_mark(0.0 if checker is None else checker.error, "BM", "DO")
        marks += _error_mark(cube_error, "BC", "DC")
        marks += _luck_mark(action.player, analysis.luck or 0.0)
    else:
        marks += _error_mark(cube_error, "BM", "DO")
    return marks


def _cube_error(action: Action, cube: CubeAnalysis) -> float:
    """The loss of an action as gnubg computes it: without beavers."""
    doubled = min(cube.double_take, cube.double_pass)
    if isinstance(action, Play):
        return doubled - cube.no_double
    if isinstance(action, Double):
        return cube.no_double - doubled
    if isinstance(action, Take | Beaver):
        return cube.double_take - doubled
    return cube.double_pass - doubled


def _error_mark(error: float, bad: str, doubtful: str) -> Properties:
    for least, value in ERROR_MARKS:
        if error >= least:
            return [(bad, (value,))]
    return [(doubtful, ("",))] if error >= DOUBTFUL else []


def _luck_mark(player: int, luck: float) -> Properties:
    good_for = PLAYERS[player if luck > 0.0 else 1 - player]
    for least, value in LUCK_MARKS:
        if abs(luck) >= least:
            return [(f"G{good_for}", (value,))]
    return []
