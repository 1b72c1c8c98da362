# Static (0-ply) evaluation: which class a position is in and who answers for it.

from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.bearoff cimport BearoffTables, Bearoff
from engine_ext.backgammon.match_bearoff cimport ScoreBearoff
from engine_ext.backgammon.net cimport NetWeights, Net

ctypedef enum PositionClass:
    CLASS_OVER = 0            # somebody has borne everything off
    CLASS_BEAROFF_TWO = 1     # two-sided table: exact, cube included
    CLASS_BEAROFF_ONE = 2     # one-sided table
    CLASS_RACE = 3            # contact is over
    CLASS_CONTACT = 4

ctypedef struct EvalTables:
    const NetWeights *contact
    const NetWeights *race
    BearoffTables bearoff
    const ScoreBearoff *score   # borrowed: of the match score in play; NULL for money

cdef class Evaluator:
    # Keeps what EvalTables points at alive.
    cdef EvalTables tables
    cdef readonly Net contact
    cdef readonly Net race
    cdef readonly Bearoff bearoff
    cdef readonly str digest       # sha256 hex over nets and bear-off tables

cpdef Evaluator shared_evaluator()  # one a process, made on first use

cdef PositionClass classify(const Board *board) noexcept nogil
# probs[5], cumulative, of the player on roll; sane: each in [0, 1], gammons <=
# wins, impossible gammons 0.
cdef void evaluate_board(const EvalTables *tables, const Board *board, double *probs) noexcept nogil
# The same for `count` boards near one another (successors of one position, all
# swapped so that side[0] is on roll): probs[count][5].
cdef void evaluate_boards(const EvalTables *tables, const Board *near, const Board *boards,
                          int count, double *probs) noexcept nogil
