# Look-ahead: the best play of a roll, n-ply evaluation, ranked moves and cube answers.
#
# Ply counts are gnubg's: 0 is the static evaluation, n the mean over 21 rolls of the
# (n-1)-ply value after the best reply, replies being chosen statically.

from libc.stdint cimport uint64_t
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.cube cimport CubeState
from engine_ext.backgammon.evaluate cimport EvalTables
from engine_ext.backgammon.match_bearoff cimport ScoreBearoff
from engine_ext.backgammon.movegen cimport MoveList
from engine_ext.backgammon.order cimport Candidate
from engine_ext.backgammon.search_cache cimport NodeCache
from engine_ext.control cimport Control

cdef enum:
    SEARCH_PLY_MAX = 3
    ROLL_INDICES = 21         # distinct rolls: 1-1, 2-1, 2-2, 3-1, ... 6-6

# The best play of a roll, chosen statically.
ctypedef struct Reply:
    Board board               # after it, the next player on roll
    double probs[5]           # static, of the next player
    double equity             # static, of the player who moved, by the search's measure

# A thread's workspace (about 1.6 MiB): allocate it on the heap, all zero.
ctypedef struct Search:
    const EvalTables *tables  # own_tables
    EvalTables own_tables     # what they point at is borrowed
    ScoreBearoff score        # of the match score in play
    Control *control          # borrowed; polled
    bint is_cubeful           # measure: cubeful, or cubeless equity
    bint is_stopped           # set when the control was; results are then void
    uint64_t evaluations      # static ones so far
    MoveList moves            # of the node at hand
    Board replies[3060]       # after the moves of one roll or more, next player on roll
    double probs[15300]       # [3060][5], static, of the next player
    MoveList ranked_moves     # of the root
    Candidate candidates[3060]
    NodeCache cache           # of nodes at 1-ply and deeper; only search_node uses it

ctypedef struct CubeAnswer:
    double no_double          # equities of the player on roll, units of the cube as it is
    double double_take        # of a mere take, even where a beaver is the better answer
    double not_passed         # with the better of take and beaver
    double double_pass
    bint may_double
    double probs[5]

cdef void search_best_reply(Search *search, const Board *board, int die1, int die2,
                            const CubeState *next_cube, Reply *reply) noexcept nogil
# Number of a roll among the distinct ones; die1 >= die2.
cdef inline int roll_index(int die1, int die2) noexcept nogil:
    return die1 * (die1 - 1) // 2 + die2 - 1

cdef void search_all_replies(Search *search, const Board *board, const CubeState *next_cube,
                             Reply *replies) noexcept nogil
cdef void search_node(Search *search, const Board *board, const CubeState *cubes, int cube_count,
                      int ply, const double *static_probs,
                      double *probs, double *equities) noexcept nogil
cdef void search_cube(Search *search, const Board *board, const CubeState *cube, int ply,
                      const double *static_probs, CubeAnswer *answer) noexcept nogil
# The equity when both players answer best.
cdef inline double cube_answer_equity(const CubeAnswer *answer) noexcept nogil:
    cdef double doubled = answer.not_passed
    if answer.double_pass < doubled:
        doubled = answer.double_pass
    return doubled if doubled > answer.no_double else answer.no_double

cdef int search_rank(Search *search, const Board *board, int die1, int die2,
                     const CubeState *cube, int ply, int move_filter) noexcept nogil
cdef void search_best_move(Search *search, const Board *board, int die1, int die2,
                           const CubeState *cube, int ply, int move_filter,
                           Reply *reply) noexcept nogil
# One player's cumulative probabilities as the other's; never in place.
cdef inline void invert_probs(const double *probs, double *inverted) noexcept nogil:
    inverted[0] = 1.0 - probs[0]
    inverted[1] = probs[3]
    inverted[2] = probs[4]
    inverted[3] = probs[1]
    inverted[4] = probs[2]
