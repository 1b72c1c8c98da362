"""Files of other programs, made from our matches: documents of gammonview, .xg and .bgf."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from engine_ext.backgammon.analysis import ActionAnalysis, CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.board import START
from engine_ext.backgammon.notation import parse_move
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.record import (
    AnalysedMatch,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Step,
    Take,
)
from master.games.backgammon.matches.replay import Moment, score_after, walk

Document = dict[str, Any]
Walk = Callable[[Match, int], Iterator[Moment]]
"""How a game is gone through: `walk`, which checks it, or unchecked."""

DICE_IDS = {
    dice: number
    for number, dice in enumerate((low, high) for low in range(1, 7) for high in range(low, 7))
}
CUBE_IDS = {Double: 21, Take: 22, Drop: 23}
RECORD_BYTES = 2560
HEADER_BYTES = 8232


def document(analysed: AnalysedMatch, go_through: Walk = walk) -> Document:
    """Write a match as gammonview describes it; beavers have no place there."""
    match = analysed.match
    return {
        "match_length": match.length, "player_white": match.players[0],
        "player_black": match.players[1], "white_score": 0, "black_score": 0, "result": 0,
        "source": 0, "timestamp": 0, "crawford": match.uses_crawford, "jacoby": match.jacoby,
        "beaver": match.beavers, "cube_limit": 0 if match.uses_cube else 1,
        "event": None, "site": None,
        "analysis_info": {"ply": 2, "eval_level": "2ply", "model_id": "test", "timestamp": 0},
        "games": [_game(analysed, index, go_through) for index in range(len(match.games))],
    }  # fmt: skip


def _game(analysed: AnalysedMatch, index: int, go_through: Walk) -> Document:
    game = analysed.match.games[index]
    plies = [
        ply
        for moment in go_through(analysed.match, index)
        for ply in _plies(moment, analysed.of(index, moment.index))
    ]
    result = game.result
    if result is not None and not isinstance(game.actions[-1], Resign):
        plies.append({"color": 1 - result.winner, "action_id": 24})
    return {
        "game_index": index,
        "winner": 255 if result is None else result.winner,
        "points_won": 0 if result is None else result.points,
        "is_crawford": game.is_crawford,
        "plies": plies,
    }


def _plies(moment: Moment, analysis: ActionAnalysis | None) -> Iterator[Document]:
    action = moment.action
    ply: Document = {"color": 1 - action.player}
    if isinstance(action, Play):
        die1, die2 = sorted(action.dice)
        ply |= {"action_id": DICE_IDS[die1, die2], "d1": die1, "d2": die2}
        ply["moves"] = moves(action.steps, action.player)
    else:
        ply["action_id"] = CUBE_IDS.get(type(action), 27)
    if analysis is not None:
        ply["analysis"] = _analysis(moment, analysis)
    yield ply


def moves(steps: tuple[Step, ...], player: int) -> list[Document]:
    return [
        {"from": source if player else 25 - source, "pips": source - target}
        for source, target in steps
    ]


def evaluation(probs: Probs) -> Document:
    names = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
    return dict(zip(names, probs, strict=True))


def _analysis(moment: Moment, analysis: ActionAnalysis) -> Document:
    known: Document = {"equity_loss": 0.0, "decision": True}
    if analysis.luck is not None:
        known["luck"] = analysis.luck
    if analysis.checker is not None and isinstance(moment.action, Play):
        known |= _checker(moment, moment.action, analysis.checker)
    if analysis.cube is not None:
        cube = _cube(analysis.cube)
        known |= {"cube_decision": cube} if isinstance(moment.action, Play) else cube
    return known


def _checker(moment: Moment, play: Play, checker: CheckerAnalysis) -> Document:
    position = moment.state.game.position
    alternatives = [
        {
            "move": moves(parse_move(position, play.dice, move.text).steps, play.player),
            "notation": move.text, "equity": move.equity_cubeful, "eval": evaluation(move.probs),
            "is_played": index == checker.played, "diff": 0.0, "eval_level": _level(move.level),
        }
        for index, move in enumerate(checker.moves)
    ]  # fmt: skip
    best, played = checker.moves[0], checker.moves[checker.played]
    return {
        "eval": evaluation(best.probs), "best_equity": best.equity_cubeful,
        "played_equity": played.equity_cubeful, "equity_loss": checker.error,
        "alternatives": alternatives,
    }  # fmt: skip


def _cube(cube: CubeAnalysis) -> Document:
    return {
        "should_double": False, "no_double_equity": cube.no_double,
        "double_take_equity": cube.double_take, "double_pass_equity": cube.double_pass,
        "eval": evaluation(cube.probs), "equity_loss": 0.0, "decision": True,
        "eval_level": _level(cube.level), "correct_action": "double", "played_action": "double",
        "action": "no_double",
    }  # fmt: skip


def _level(level: str) -> str:
    return f"{int(level[0]) + 1}ply"


def xg_file(match: Match, go_through: Walk = walk) -> bytes:
    """Write a match as eXtreme Gammon saves it: records of fixed size, compressed.

    Each play lists itself as the one move analysed; only so does the file say what it was.
    """
    records = [_xg_match(match)]
    for index, game in enumerate(match.games):
        records.append(_xg_game(game, index))
        moments = list(go_through(match, index))
        for moment, answer in zip(moments, [*moments[1:], None], strict=True):
            if isinstance(moment.action, Double):
                records.append(_xg_double(moment, answer))
            elif isinstance(moment.action, Play):
                records.append(_xg_play(moment, moment.action))
        if game.result is not None:
            records.append(_xg_end(game))
    header = bytearray(HEADER_BYTES)
    header[:4] = b"RGMH"
    return bytes(header) + zlib.compress(b"".join(records))


def _record(kind: int, *fields: tuple[str, int, tuple[float, ...]]) -> bytes:
    record = bytearray(RECORD_BYTES)
    record[8] = kind
    for form, offset, values in fields:
        struct.pack_into("<" + form, record, offset, *values)
    return bytes(record)


def _xg_match(match: Match) -> bytes:
    record = bytearray(
        _record(
            0, ("i", 92, (match.length or 99999,)), ("i", 612, (10,)),
            ("3b", 100, (match.uses_crawford, match.jacoby, match.beavers)),
        )
    )  # fmt: skip
    for offset, name in zip((880, 1138), match.players, strict=True):
        text = name.encode("utf-16-le")
        record[offset : offset + len(text)] = text
    return bytes(record)


def _xg_game(game: Game, index: int) -> bytes:
    return _record(
        1, ("2i", 12, game.score), ("b", 20, (game.is_crawford,)), ("i", 48, (index + 1,))
    )


def _sign(player: int) -> int:
    return -1 if player else 1


def _xg_double(moment: Moment, answer: Moment | None) -> bytes:
    is_taken = answer is not None and isinstance(answer.action, Take)
    player = moment.action.player
    return _record(
        2, ("3i", 12, (_sign(player), 1, int(is_taken))),
        ("3f", 152, (0.5, 0.75, 1.0)), ("7f", 124, (0.0, 0.1, 0.4, 0.6, 0.2, 0.0, 0.5)),
        ("i", 92, (2,)),
    )  # fmt: skip


def _xg_play(moment: Moment, play: Play) -> bytes:
    points = [number - 1 for step in play.steps for number in step]
    listed = [*points, *[-1] * (8 - len(points))]
    return _record(
        3, ("i", 64, (_sign(play.player),)), ("8b", 68, tuple(listed)), ("2i", 100, play.dice),
        ("i", 120, (1,)), ("8b", 1024, tuple(listed)), ("h", 1280, (2,)), ("i", 2472, (2,)),
        ("7f", 1408, (0.0, 0.125, 0.5, 0.5, 0.25, 0.0, 0.25)), ("d", 2320, (0.125,)),
    )  # fmt: skip


def _xg_end(game: Game) -> bytes:
    assert game.result is not None
    is_resigned = isinstance(game.actions[-1], Resign)
    winner = _sign(game.result.winner)
    return _record(4, ("3i", 24, (winner, game.result.points, 101 if is_resigned else 1)))


def bgf_file(match: Match, go_through: Walk = walk) -> bytes:
    """Write a match as BGBlitz saves it: a line of JSON, and the match in Smile, without analysis.

    Green is player 0.
    """
    final = score_after(match.games[-1])
    body = {
        "nameGreen": match.players[0], "nameRed": match.players[1], "matchlen": match.length,
        "useCrawford": match.uses_crawford, "useJacoby": match.jacoby, "useBeaver": False,
        "finalGreen": final[0], "finalRed": final[1],
        "games": [_bgf_game(match, index, go_through) for index in range(len(match.games))],
    }  # fmt: skip
    header = json.dumps({"format": "BGF", "version": "1.0"}).encode()
    return header + b"\n:)\n\0" + smile(body)


def _bgf_game(match: Match, index: int, go_through: Walk) -> Document:
    game = match.games[index]
    points = [0] * 26
    for slot, count in enumerate(START.on_roll[1:25], start=1):
        points[24 - slot] += count
        points[slot - 1] -= count
    return {
        "scoreGreen": game.score[0], "scoreRed": game.score[1], "isCrawford": game.is_crawford,
        "initial": {"points": points, "cube": 1, "cubeOwner": 0},
        "moves": [move for moment in go_through(match, index) for move in _bgf_moves(moment, game)],
        "wonPoints": 0 if game.result is None else game.result.points,
        "wasResignation": isinstance(game.actions[-1], Resign),
    }  # fmt: skip


def _bgf_moves(moment: Moment, game: Game) -> Iterator[Document]:
    action = moment.action
    nowhere = [-1] * 4
    move: Document = {"player": 1 if action.player else -1, "from": nowhere, "to": nowhere}
    if isinstance(action, Play) and action.steps:
        sources, targets = ([step[end] for step in action.steps] for end in (0, 1))
        move |= {"from": [*sources, *nowhere][:4], "to": [*targets, *nowhere][:4]}
        yield move | {"red": action.dice[0], "green": action.dice[1]}
    elif isinstance(action, Play):
        dice = {"from": [action.dice[0], -1, -1, -1], "to": [action.dice[1], -1, -1, -1]}
        yield move | dice | {"dancingEquity": 0}
    elif isinstance(action, Double):
        answer = game.actions[moment.index + 1]
        decision = {"hasDoubled": True, "hasAccepted": isinstance(answer, Take)}
        yield move | {"equity": {"cubeDecision": decision}}
        yield move | {"player": -move["player"]}


def smile(value: object) -> bytes:
    """Encode as Smile (https://github.com/FasterXML/smile-format-specification)."""
    if isinstance(value, dict):
        return b"\xfa" + b"".join(_smile_key(key) + smile(value[key]) for key in value) + b"\xfb"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(smile, value)) + b"\xf9"
    if isinstance(value, bool):
        return b"\x23" if value else b"\x22"
    if isinstance(value, int):
        bits = value * 2 if value >= 0 else -value * 2 - 1
        return b"\x24" + (bytes([bits >> 6]) if bits > 63 else b"") + bytes([0x80 | bits & 63])
    text = str(value).encode("ascii")
    return bytes([0x3F + len(text)]) + text


def _smile_key(key: str) -> bytes:
    return bytes([0x7F + len(key)]) + key.encode("ascii")
