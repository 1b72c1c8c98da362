# The cubeful equity of a position as it stands, from whichever source knows it best.
#
# Equities are of the player on roll, in points of the cube as it is (money) or
# normalised (match).

from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.cube cimport CubeState
from engine_ext.backgammon.evaluate cimport EvalTables, PositionClass

# Of a finished game.
cdef double over_equity(const Board *board, const CubeState *cube) noexcept nogil
# About to roll, not doubling now; `probs` are static.
cdef double leaf_equity_no_double(const EvalTables *tables, const Board *board,
                                  PositionClass cls, const CubeState *cube,
                                  const double *probs) noexcept nogil
# With the best cube action now.
cdef double leaf_equity_optimal(const EvalTables *tables, const Board *board,
                                const CubeState *cube, const double *probs) noexcept nogil
# What the player not on roll may hope to gain by doubling at his next turn; of a leaf.
cdef double leaf_waiting_gain(const Board *board, const CubeState *cube, const double *probs,
                              double no_double) noexcept nogil
