"""Matches of `manyply external` against Debian's gnubg, which asks it as its external player.

Run as `python -m tests.benchmarks.external_matches [--matches N] [--length L] [--plies N]
[--cube-plies N] [--gnubg-plies N] [--seed S]`; `--length 0` plays single money games with the
Jacoby rule and beavers.  Sides alternate, and the dice are gnubg's, by the seed.  With `--serve`
gnubg is the one who is asked (external_served.py).

Every line between the two is recorded, and the match that gnubg saves, as .sgf and as .mat, is read
and replayed by our own readers: each question has to be of the position, cube and score that the
record has there, and what the record has done has to be what was answered.  Any difference, and
anything that gnubg complains of, is an error and is printed.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_text import NO_MOVE
from engine_ext.backgammon.notation import parse_move
from master.cli.backgammon.external.external_opponent import ExternalOpponent
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.fibs_board import Due, DueQuestion, SessionRules
from master.games.backgammon.external.session import Ask, read_line
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import Beaver, Double, Drop, Match, Play, Take
from master.games.backgammon.matches.replay import Moment, canonical, score_after, walk
from tests.benchmarks.external_served import play_served, serving
from tests.benchmarks.gnubg_program import ABSENT, find_gnubg

HERE = "127.0.0.1"
READY_S_MAX = 60.0
MATCH_S_MAX = 1_800.0
READ_BYTES = 65_536

_READY = re.compile(r"listening on \S*:([0-9]+)")
_COMPLAINT = re.compile(
    r"error|warning|illegal|bad|cannot|must|please|unknown|closed|fault", re.IGNORECASE
)

WORDS = {Take: "take", Drop: "drop", Beaver: "beaver", Double: "double"}


@dataclass(frozen=True)
class Setting:
    """How matches are played.

    Args:
        length: points of a match; 0: one money game.
        ply, cube_ply: our own.
        gnubg_ply: gnubg's.
    """

    length: int = 5
    ply: int = 0
    cube_ply: int = 0
    gnubg_ply: int = 0


@dataclass(frozen=True)
class Exchange:
    """A line that gnubg sent, and the one that it got."""

    asked: str
    answered: str


@dataclass
class Wire:
    """What went over the wire so far."""

    port: int = 0
    exchanges: list[Exchange] = field(default_factory=list)


@contextmanager
def external_player(setting: Setting) -> Iterator[int]:
    """Run `manyply external`; the port that it listens on.  It ends by SIGINT, with exit code 0."""
    command = [
        sys.executable, "-m", "master.cli", "external", "--listen", f"{HERE}:0",
        "--plies", str(setting.ply), "--cube-plies", str(setting.cube_ply), "--beavers",
    ]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        killer = threading.Timer(READY_S_MAX, process.kill)
        killer.start()
        try:
            assert process.stderr is not None
            ready = _READY.search(process.stderr.readline())
            killer.cancel()
            if ready is None:
                raise RuntimeError("manyply external did not listen")
            yield int(ready[1])
        finally:
            killer.cancel()
            process.send_signal(signal.SIGINT)
            try:
                code = process.wait(READY_S_MAX)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    if code:
        raise RuntimeError(f"manyply external ended with exit code {code}")


@contextmanager
def recorded(port: int) -> Iterator[Wire]:
    """Stand between gnubg and a player, and record what they say."""
    wire = Wire()
    with socket.create_server((HERE, 0)) as server:
        wire.port = server.getsockname()[1]
        threading.Thread(target=_accept, args=(server, port, wire), daemon=True).start()
        yield wire
        with suppress(OSError):  # the thread that accepts has gone where gnubg never came
            server.shutdown(socket.SHUT_RDWR)


def _accept(server: socket.socket, port: int, wire: Wire) -> None:
    with suppress(OSError):
        while True:
            theirs, _ = server.accept()
            ours = socket.create_connection((HERE, port))
            with theirs, ours, theirs.makefile("rb") as asked, ours.makefile("rb") as answered:
                for line in asked:
                    ours.sendall(line)
                    if not line.endswith(b"\n"):  # the NUL byte that gnubg leaves behind
                        continue
                    answer = answered.readline()
                    texts = (each.decode("ascii").strip("\0\n") for each in (line, answer))
                    wire.exchanges.append(Exchange(*texts))
                    theirs.sendall(answer)


def commands(setting: Setting, seed: int, player_index: int, port: int) -> list[str]:
    """Return what gnubg is told: to play a match with the external player, and to save it."""
    players = [
        words
        for player in (0, 1)
        for words in (
            f"player {player} gnubg",
            f"player {player} chequerplay evaluation plies {setting.gnubg_ply}",
            f"player {player} cubedecision evaluation plies {setting.gnubg_ply}",
        )
    ]
    settings = [
        "rng mersenne", f"seed {seed}", "automatic roll on", "automatic move off",
        "automatic bearoff off", f"automatic game {'on' if setting.length else 'off'}",
        "confirm new off", "confirm save off", "display off", "jacoby on", "beavers 3", *players,
        f"player {player_index} external {HERE}:{port}",
    ]  # fmt: skip
    begin = f"new match {setting.length}" if setting.length else "new session"
    end = ("save match match.sgf", "export match mat match.mat", "quit", "y")
    return [*(f"set {words}" for words in settings), begin, *end]


def run_gnubg(gnubg: str, folder: Path, typed: Sequence[str]) -> str:
    """Give gnubg commands in a folder, which is also its home; return all that it printed."""
    done = subprocess.run(
        [gnubg, "-t", "-q", "-r"],
        input="".join(f"{line}\n" for line in typed),
        cwd=folder,
        env=os.environ | {"HOME": str(folder), "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=MATCH_S_MAX,
        check=False,
    )
    code = "" if done.returncode == 0 else f"\nerror: exit code {done.returncode}"
    return done.stdout + code


def complaints(printed: str) -> list[str]:
    """Return the lines in which gnubg complains, after those with which it greets."""
    _, _, said = printed.partition("Seed set to")
    return [line.strip() for line in said.splitlines() if _COMPLAINT.search(line)]


def differences(match: Match, player_index: int, exchanges: Sequence[Exchange]) -> list[str]:
    """Return what was asked or done otherwise than the record of the match has it."""
    moments = [
        moment
        for game in range(len(match.games))
        for moment in walk(match, game)
        if moment.action.player == player_index
    ]
    found: list[str] = []
    place = 0
    for exchange in exchanges:
        if place == len(moments):
            return [*found, f"asked once more than the record has actions: {exchange.asked}"]
        moment = moments[place]
        try:
            fault, is_done = _compare(moment, exchange)
        except ValueError as error:
            fault, is_done = str(error), True
        if fault:
            found.append(f"action {place + 1}: {fault}: {exchange.asked} -> {exchange.answered}")
        place += is_done
    if place < len(moments):
        found.append(f"the record has {len(moments) - place} actions that nobody was asked about")
    return found


def _compare(moment: Moment, exchange: Exchange) -> tuple[str, bool]:
    """Return what is wrong, and whether the moment's action is what the answer did."""
    command = read_line(exchange.asked, SessionRules(beavers=True))
    if not isinstance(command, Ask):
        return "no question", False
    question, action, reply = command.question, moment.action, exchange.answered
    wanted = moment.state.game
    if question.due is Due.MOVE and isinstance(action, Play):
        wanted = replace(wanted, match=replace(wanted.match, dice=action.dice))
    if _differ(question, wanted):
        return f"the record has {wanted}", True
    if question.due is Due.MOVE:
        after = parse_move(wanted.position, _dice_of(question), reply or NO_MOVE).after
        is_same = moment.move is not None and moment.move.after == after
    elif reply == "roll":
        is_same = isinstance(action, Play)
    else:
        is_same = WORDS.get(type(action)) == reply
    return ("" if is_same else f"the record has {action}"), reply != "roll"


def _dice_of(question: DueQuestion) -> tuple[int, int]:
    assert question.state.match.dice is not None, "a move is one of a roll"
    return question.state.match.dice


def _differ(question: DueQuestion, wanted: GameState) -> bool:
    """Whether a question is not of this state, but for the rules that a board does not say."""
    match = replace(question.state.match, jacoby=wanted.match.jacoby, beavers=wanted.match.beavers)
    return replace(question.state, match=match) != wanted


@dataclass(frozen=True)
class Played:
    """A match that was played.

    Args:
        points: ours and gnubg's.
        asked: how many questions gnubg asked.
        errors: what went wrong, a line each.
    """

    points: tuple[int, int]
    asked: int
    errors: tuple[str, ...]

    @property
    def is_won(self) -> bool:
        """Whether we won it."""
        return self.points[0] > self.points[1]


def play_match(gnubg: str, setting: Setting, port: int, seed: int, player_index: int) -> Played:
    """Play one match with an external player that listens, and compare all of it."""
    with tempfile.TemporaryDirectory() as name, recorded(port) as wire:
        folder = Path(name)
        printed = run_gnubg(gnubg, folder, commands(setting, seed, player_index, wire.port))
        errors = complaints(printed)
        try:
            match, exported = (
                canonical(read_match_file(folder / f"match.{ending}").match)
                for ending in ("sgf", "mat")
            )
        except (OSError, ValueError) as error:
            ending = printed.splitlines()[-1:]
            return Played((0, 0), len(wire.exchanges), (*errors, f"no record: {error}", *ending))
        errors += differences(match, player_index, wire.exchanges)
        if [game.actions for game in match.games] != [game.actions for game in exported.games]:
            errors.append("match.mat has other actions than match.sgf")
        score = score_after(match.games[-1])
        if max(score) < max(setting.length, 1):
            errors.append(f"the match was not played to its end: {score[0]}-{score[1]}")
        return Played(
            (score[player_index], score[1 - player_index]), len(wire.exchanges), tuple(errors)
        )


def play_matches(gnubg: str, setting: Setting, count: int, seed: int) -> Iterator[Played]:
    """Play matches one after the other with one external player, seats by turns."""
    with external_player(setting) as port:
        for number in range(count):
            yield play_match(gnubg, setting, port, seed + number, number % 2)


def play_served_matches(gnubg: str, setting: Setting, count: int, seed: int) -> Iterator[Played]:
    """Play matches with a gnubg that serves, and that we ask."""
    level = Level(setting.ply, setting.cube_ply)
    with serving(gnubg, setting.gnubg_ply) as place, ExternalOpponent(place) as opponent:
        for number in range(count):
            one = play_served(opponent, setting.length, level, seed + number)
            yield Played(one.points, one.asked, one.errors)


def main(args: Sequence[str] | None = None) -> int:
    """Play, and print what came out; the exit code is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--matches", type=int, default=20)
    for name, default in (("length", 5), ("plies", 0), ("gnubg-plies", 0), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--cube-plies", type=int)
    parser.add_argument("--serve", action="store_true")
    given = parser.parse_args(args)
    gnubg = find_gnubg()
    if gnubg is None:
        print(ABSENT)
        return 0
    cube_ply = given.plies if given.cube_plies is None else given.cube_plies
    setting = Setting(given.length, given.plies, cube_ply, given.gnubg_plies)
    began_s, played = time.perf_counter(), []
    play = play_served_matches if given.serve else play_matches
    for number, one in enumerate(play(gnubg, setting, given.matches, given.seed), 1):
        played.append(one)
        score = f"{one.points[0]}-{one.points[1]}"
        print(f"match {number}: {score}, {one.asked} questions, {len(one.errors)} errors")
        for error in one.errors:
            print(f"  {error}")
    seconds = time.perf_counter() - began_s
    won, errors = sum(one.is_won for one in played), sum(len(one.errors) for one in played)
    asked = sum(one.asked for one in played)
    print(f"{len(played)} matches, {won} won, {asked} questions, {errors} errors, {seconds:.1f} s")
    return int(errors > 0)


if __name__ == "__main__":
    sys.exit(main())
