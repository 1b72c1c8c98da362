from engine_ext.chess.board import ChessBoard

VALUE_MAX: int

def static_value(board: ChessBoard) -> int: ...
