"""An opponent that is another program: one that serves gnubg's external protocol.

One connection with its deadlines; master.games.backgammon.external interprets the lines.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Self

from master.games.backgammon.external.fibs_board import DueQuestion
from master.games.backgammon.external.session import (
    DEBUG_MARK,
    REPLY_BYTES_MAX,
    ReplyError,
    asking_line,
    read_reply,
)
from master.games.backgammon.matches.record import Action
from protocol.address import Address, AddressError, parse_address

KIND = "external:"

CONNECT_S_MAX = 10.0

REPLY_S_MAX = 600.0
"""Programs may look deep: gnubg takes a minute for a move at 4-ply."""


DEBUG_LINES_MAX = 200
"""Of one answer; gnubg's `set debug on` draws a board, 22 lines."""


class OpponentGoneError(Exception):
    """The program cannot be reached, or its answer is impossible; the text is one line."""


def read_place(text: str) -> Address | Path:
    """Return where `external:HOST:PORT` or `external:/PATH` is; ValueError otherwise."""
    where = text.removeprefix(KIND)
    if where == text:
        raise ValueError(f"{text!r} is no opponent: expected {KIND}HOST:PORT or {KIND}/PATH")
    if where.startswith("/"):
        return Path(where)
    try:
        return parse_address(where)
    except AddressError as error:
        raise ValueError(f"{error} (or {KIND}/PATH)") from error


class ExternalOpponent:
    """One program, asked over one connection.  Use it as a context manager.

    Args:
        place: where it listens.
        reply_s: how long an answer is waited for.

    Raises:
        OpponentGoneError: no program listens there.
    """

    def __init__(self, place: Address | Path, reply_s: float = REPLY_S_MAX) -> None:
        self.name = str(place)
        try:
            self._socket = _connected(place)
        except OSError as error:
            raise OpponentGoneError(f"cannot reach {self.name}: {_reason(error)}") from error
        self._socket.settimeout(reply_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        """End the connection."""
        self._socket.close()

    def decide(self, question: DueQuestion, player: int) -> Action | None:
        """Return the program's action as this player; None: it rolls.

        Raises:
            OpponentGoneError: it is silent, has gone, or its answer is impossible.
        """
        try:
            self._socket.sendall(f"{asking_line(question)}\n".encode("ascii"))
            text = self._answer()
        except OSError as error:
            raise OpponentGoneError(f"{self.name} is lost: {_reason(error)}") from error
        try:
            return read_reply(question, player, text)
        except ReplyError as error:
            raise OpponentGoneError(f"{self.name}: {error}") from error

    def _answer(self) -> str:
        """Return the next line that is no debugging output; OSError at the end."""
        for _ in range(DEBUG_LINES_MAX):
            text = self._line()
            if not text.lstrip("\0").startswith(DEBUG_MARK.rstrip()):
                return text
        raise ConnectionError(f"it writes over {DEBUG_LINES_MAX} lines that begin with DBG:")

    def _line(self) -> str:
        """Return the next line, of no more than it may have; OSError at the end."""
        found = bytearray()
        while len(found) < REPLY_BYTES_MAX:
            sign = self._socket.recv(1)
            if not sign:
                raise ConnectionError("it has ended the connection")
            if sign == b"\n":
                break
            found += sign
        return found.decode("ascii", "replace")


def _connected(place: Address | Path) -> socket.socket:
    if isinstance(place, Address):
        return socket.create_connection((place.host or "localhost", place.port), CONNECT_S_MAX)
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(CONNECT_S_MAX)
    try:
        sock.connect(str(place))
    except OSError:
        sock.close()
        raise
    return sock


def _reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "it does not answer"
    return error.strerror or str(error)
