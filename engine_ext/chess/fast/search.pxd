# The fast search for Python callers.

from engine_ext.chess.board cimport ChessBoard
from engine_ext.chess.fast.table cimport FastTable
from engine_ext.chess.fast.worker cimport Worker
from engine_ext.control cimport RunControl

cdef class FastSearch:
    cdef Worker *worker
    cdef readonly FastTable table
    cdef RunControl control
    cdef ChessBoard board
    cdef bint is_chess960
