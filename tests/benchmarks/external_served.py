"""Matches of our engine against a program that serves gnubg's external protocol: gnubg itself.

`python -m tests.benchmarks.external_matches --serve` runs it: gnubg listens (its command
`external`) and is asked by the client of `manyply play --against external:HOST:PORT`; the match,
its rules and dice are ours.  An answer that cannot be is an error.
"""

from __future__ import annotations

import os
import pty
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from master.cli.backgammon.external.external_opponent import OpponentGoneError
from master.cli.backgammon.playing.backgammon_session import Opponent
from master.games.backgammon.external.best_action import Level, answer
from master.games.backgammon.external.fibs_board import Due, DueQuestion
from master.games.backgammon.external.session import read_reply
from master.games.backgammon.matches.record import Action, AnalysedMatch, Match
from master.games.backgammon.matches.replay import score_after
from master.games.backgammon.play.advice import has_cube_decision
from master.games.backgammon.play.live_match import LiveMatch, Phase, seeded_roll
from master.games.errors import RecordError
from protocol.address import Address

HERE = "127.0.0.1"
READY_S_MAX = 60.0
READY = b"Waiting for a connection"
READ_BYTES = 65_536

OURS, THEIRS = 0, 1

DECISIONS = {
    Phase.TURN: Due.TURN,
    Phase.MOVE: Due.MOVE,
    Phase.ANSWER: Due.ANSWER,
}


@dataclass(frozen=True)
class Served:
    """A match that was played: points of ours and theirs, questions to them, what went wrong."""

    points: tuple[int, int]
    asked: int
    errors: tuple[str, ...]


@contextmanager
def serving(gnubg: str, ply: int) -> Iterator[Address]:
    """Have gnubg serve; where it listens.  It is killed at the end, since it serves for ever."""
    with socket.create_server((HERE, 0)) as free:
        address = Address(HERE, free.getsockname()[1])
    typed = (
        f"set evaluation chequerplay evaluation plies {ply}\n"
        f"set evaluation cubedecision evaluation plies {ply}\n"
        f"external {address}\n"
    )
    ours, its = pty.openpty()  # it says at once to a terminal only that it is ready
    with (
        tempfile.TemporaryDirectory() as home,
        subprocess.Popen(
            [gnubg, "-t", "-q", "-r"], stdin=subprocess.PIPE, stdout=its, stderr=its,
            env=os.environ | {"HOME": home}, cwd=home, text=True,
        ) as process,
    ):  # fmt: skip
        os.close(its)
        killer = threading.Timer(READY_S_MAX, process.kill)
        killer.start()
        try:
            assert process.stdin is not None
            process.stdin.write(typed)
            process.stdin.flush()
            said = b""
            while READY not in said:
                said += os.read(ours, READ_BYTES)
            killer.cancel()
            yield address
        finally:
            killer.cancel()
            process.kill()
            os.close(ours)


def play_served(opponent: Opponent, length: int, level: Level, seed: int) -> Served:
    """Play one match, or one money game, with a program that serves."""
    rules = Match(("manyply", "gnubg"), length, jacoby=not length, beavers=not length)
    live = LiveMatch(AnalysedMatch(rules))
    asked = 0
    errors: list[str] = []
    while not errors and live.phase is not Phase.MATCH_OVER:
        if live.phase is Phase.GAME_OVER:
            if not length:
                break
            live.begin_next_game()
            continue
        try:
            asked += _go_on(live, opponent, level, seed)
        except (OpponentGoneError, RecordError) as error:
            errors.append(str(error))
    score = score_after(live.match.games[-1])
    return Served((score[OURS], score[THEIRS]), asked, tuple(errors))


def _go_on(live: LiveMatch, opponent: Opponent, level: Level, seed: int) -> bool:
    """Do one thing; return whether the opponent was asked."""
    player = live.decider
    is_theirs, action = False, None
    if live.phase is not Phase.OPENING and _has_choice(live):
        assert player is not None, "somebody decides"
        state = live.state.game
        asked = replace(state, match=replace(state.match, dice=live.dice))
        question = DueQuestion(DECISIONS[live.phase], asked)
        is_theirs = player == THEIRS
        action = _decide(question, player, opponent, level)
    if action is None:
        live.roll(seeded_roll(seed, live.game_index, live.roll_number))
    else:
        live.act(action)
    return is_theirs


def _has_choice(live: LiveMatch) -> bool:
    return live.phase is not Phase.TURN or has_cube_decision(live.state)


def _decide(question: DueQuestion, player: int, opponent: Opponent, level: Level) -> Action | None:
    if player == THEIRS:
        return opponent.decide(question, player)
    return read_reply(question, player, answer(question, level))
