"""The program at the other end is a thread that says what a test tells it to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from engine_ext.backgammon.xgid import state_from_xgid
from master.cli.backgammon.external.external_opponent import (
    DEBUG_LINES_MAX,
    ExternalOpponent,
    OpponentGoneError,
    read_place,
)
from master.games.backgammon.external.due import Due, DueQuestion
from master.games.backgammon.external.replies import REPLY_BYTES_MAX, asking_line
from master.games.backgammon.matches.record import Play
from protocol.address import Address

pytestmark = pytest.mark.sockets

HERE = "127.0.0.1"
QUESTION = DueQuestion(Due.MOVE, state_from_xgid("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"))


@contextmanager
def program(reply: bytes) -> Iterator[tuple[Address, list[bytes]]]:
    """Answer each line of one connection; where it listens, and what it hears."""
    heard: list[bytes] = []
    with socket.create_server((HERE, 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            # We may hang up before the program has seen that.
            with suppress(ConnectionError), connection, connection.makefile("rb") as lines:
                for line in lines:
                    heard.append(line)
                    if not reply:
                        return
                    connection.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        yield Address(HERE, server.getsockname()[1]), heard
        thread.join()


def test_debugging_output_before_an_answer_is_passed_over() -> None:
    reply = b"DBG: [1]\nDBG: \nDBG:  | X |\n8/5 6/5 \n"
    with program(reply) as (place, _), ExternalOpponent(place) as opponent:
        for _ in range(2):
            assert opponent.decide(QUESTION, 1) == Play(1, (3, 1), ((8, 5), (6, 5)))


def test_debugging_output_without_end_is_no_answer() -> None:
    reply = b"DBG: \n" * (DEBUG_LINES_MAX + 1)
    with (
        program(reply) as (place, _),
        ExternalOpponent(place) as opponent,
        pytest.raises(OpponentGoneError, match="begin with DBG:"),
    ):
        opponent.decide(QUESTION, 1)


def test_question_goes_out_as_a_line_and_the_answer_is_an_action() -> None:
    with program(b"8/5 6/5 \n") as (place, heard), ExternalOpponent(place) as opponent:
        for _ in range(2):
            move = opponent.decide(QUESTION, 1)
            assert move == Play(1, (3, 1), ((8, 5), (6, 5)))
        assert heard == [f"{asking_line(QUESTION)}\n".encode()] * 2
        assert opponent.name == str(place)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (b"", "is lost: it has ended the connection"),
        (b"8/3\n", "expected a move of 3-1, not '8/3'"),
        (b"x" * (REPLY_BYTES_MAX + 1), "expected a move of 3-1, not 'xxx"),
        (b"\xff\n", "expected a move of 3-1"),
        (b"8/5", "is lost: it does not answer"),
    ],
)
def test_program_that_does_not_play_is_named(reply: bytes, text: str) -> None:
    with program(reply) as (place, _), ExternalOpponent(place, reply_s=0.1) as opponent:
        with pytest.raises(OpponentGoneError, match=text) as caught:
            opponent.decide(QUESTION, 1)
        assert str(place) in str(caught.value)


def test_nobody_there_is_named(tmp_path: Path) -> None:
    with socket.create_server((HERE, 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(OpponentGoneError, match=f"cannot reach {HERE}:{port}: Connection refused"):
        ExternalOpponent(Address(HERE, port))
    with pytest.raises(OpponentGoneError, match="No such file"):
        ExternalOpponent(tmp_path / "none")


def test_unix_socket_is_a_place_too(tmp_path: Path) -> None:
    path = tmp_path / "player"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        with ExternalOpponent(path) as opponent:
            assert opponent.name == str(path)


def test_places_are_read() -> None:
    assert read_place("external:attic:4327") == Address("attic", 4327)
    assert read_place("external:/run/player") == Path("/run/player")
    for text in ("gnubg", "external:", "external:attic"):
        with pytest.raises(ValueError, match="expected "):
            read_place(text)
