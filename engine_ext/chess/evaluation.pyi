from engine_ext.chess.board import ChessBoard

VALUE_MAX: int
TERM_COUNT: int

def static_value(board: ChessBoard) -> int: ...
