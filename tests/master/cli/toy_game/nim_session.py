"""Nim at the terminal: its rules, view, files and words, and no loop of its own."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from master.cli.output import echo
from master.cli.playing.game_file import Formats, read_text
from master.cli.playing.game_session import GameSession
from master.cli.playing.words import CommandMistake, Commands, Row, TypedWord, hint_word
from master.games.errors import RecordError
from master.games.spans import Line, Span
from tests.engine_ext.search import nim
from tests.master.cli.toy_game.engine import move_name


@dataclass(frozen=True)
class NimRecord:
    """Heaps to begin from, and the moves that were made; the player makes the first."""

    start: nim.Heaps
    moves: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()

    @property
    def heaps(self) -> nim.Heaps:
        heaps = self.start
        for move in self.moves:
            heaps = nim.played(heaps, move)
        return heaps


def _text(record: NimRecord) -> str:
    return " ".join([",".join(map(str, record.start)), *map(str, record.moves)])


def _read(path: Path) -> tuple[NimRecord, str]:
    text = read_text(path, 1000)
    if not re.fullmatch(r"[0-9](,[0-9])*( [0-9]+)*", text):
        raise RecordError(f"{path}: expected heaps and moves")
    heaps, *moves = text.split()
    return NimRecord(tuple(map(int, heaps.split(","))), tuple(map(int, moves))), ".nim"


NIM_FORMATS = Formats({".nim": _text}, _read)


class NimSession(GameSession[NimRecord]):
    @property
    def is_begun(self) -> bool:
        return bool(self.record.moves)

    @property
    def is_over(self) -> bool:
        return not any(self.record.heaps)

    @property
    def is_players_turn(self) -> bool:
        return self.is_over or len(self.record.moves) % 2 == 0

    def begun_again(self) -> NimRecord:
        return NimRecord(self.record.start)

    def show_how_it_stands(self) -> None:
        if self.is_over:
            echo("over: you win" if len(self.record.moves) % 2 else "over: I win")

    def undo(self) -> bool:
        moves, undone = self.record.moves, self.record.undone
        last = (len(moves) - 1) // 2 * 2
        if moves:
            self.record = replace(
                self.record, moves=moves[:last], undone=undone + moves[last:][::-1]
            )
        return bool(moves)

    def redo(self) -> bool:
        undone = self.record.undone
        if undone:
            self.record = replace(
                self.record, moves=(*self.record.moves, undone[-1]), undone=undone[:-1]
            )
        return bool(undone)

    def go_on(self) -> None:
        ours = best_move(self.record.heaps)
        echo(f"I leave {move_name(ours)}")
        self.do(ours)

    def do(self, move: int) -> None:
        self.record = NimRecord(self.record.start, (*self.record.moves, move))
        self.change()
        self.keep()
        self.show_how_it_stands()

    def board_lines(self) -> list[Line]:
        return [(Span("|" * heap),) for heap in self.record.heaps]

    def moves(self) -> list[str]:
        return list(map(move_name, nim.moves(self.record.heaps)))


def best_move(heaps: nim.Heaps) -> int:
    return max(nim.moves(heaps), key=lambda move: -nim.value(nim.played(heaps, move)))


def nim_commands(session: NimSession) -> Commands:
    def move(text: str) -> None:
        if text not in session.moves():
            raise CommandMistake(f"{text!r} is no move: expected such as 1:0")
        session.do(nim.moves(session.record.heaps)[session.moves().index(text)])

    def hint(count: int) -> None:
        echo(f"try {move_name(best_move(session.record.heaps))}")

    return Commands(
        prompt=lambda: "move? ",
        words=[
            TypedWord((), move, Row("1:0", "leave so many of a heap")),
            hint_word(hint, "the best"),
        ],
        thing="game",
        new="begin again",
        copy=".nim",
        other="game",
    )
