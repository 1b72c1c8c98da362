from engine_ext.chess.board import ChessBoard

def what_counts(
    board: ChessBoard, flags: int, depth: int
) -> tuple[int | None, list[tuple[str, int, int | None, int | None]]]: ...
