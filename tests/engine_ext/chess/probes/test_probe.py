"""Looks: functions of the question, that see what there is to see."""

from engine_ext import services
from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import read_fen
from engine_ext.chess.probes.probe import probe
from engine_ext.chess.probes.probe_text import ProbeAnswer, ProbeQuestion, ProbeValue
from engine_ext.control import RunControl


def seen(*boards: ChessBoard, moves: tuple[str, ...] = (), lines: int = 1) -> ProbeAnswer:
    found = probe(ProbeQuestion("", boards, moves, 20_000, lines), RunControl())
    assert found is not None
    return found


def test_the_same_is_found_whenever_it_is_asked() -> None:
    board = read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    text = ProbeQuestion(services.engine_digest("chess"), (board,), (), 20_000, 2).to_text()
    answers = {services.answer(text, RunControl()) for _ in range(2)}
    assert answers == {seen(board, lines=2).to_text()}


def test_mates_are_counted_in_moves() -> None:
    mating = read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    assert seen(mating).lines[0].value == ProbeValue(2, is_mate=True)
    mated = mating.play("a2a7")
    assert seen(mated).lines[0].value == ProbeValue(-1, is_mate=True)


def test_castling_is_by_the_rook_s_square() -> None:
    board = read_fen("r3k2r/8/8/8/8/8/5PPP/R3K2R w KQkq - 0 1")
    moves = [line.moves[0] for line in seen(board, lines=50).lines]
    assert {"e1h1", "e1a1"} & set(moves)
    assert "e1g1" not in moves


def test_what_was_there_before_is_a_draw() -> None:
    board = read_fen("7k/8/8/8/8/q7/8/6QK w - - 10 40")
    boards, moves = [board], []
    for move in ("g1d4", "h8h7", "d4e4", "h7h8", "e4d4", "h8h7", "d4e4", "h7h8"):
        boards.append(boards[-1].play(move))
        moves.append(move)
    found = seen(*boards, moves=tuple(moves), lines=50)
    values = {line.moves[0]: line.value for line in found.lines}
    assert values["e4d4"] == ProbeValue(0)


def test_a_stopped_look_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    board = read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    assert probe(ProbeQuestion("", (board,), (), 10**9), control) is None
