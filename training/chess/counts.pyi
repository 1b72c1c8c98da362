from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine_ext.chess.board import ChessBoard

def term_counts(boards: Sequence[ChessBoard]) -> tuple[NDArray[np.int8], NDArray[np.int8]]: ...
