# Complete legal move generation.

from libc.stdint cimport int8_t, uint64_t
from engine_ext.backgammon.board cimport Board
from engine_ext.control cimport Control

cdef enum:
    # C(15 + 4 - 1, 4): ways to share out the four steps of a double among
    # fifteen checkers; no dice roll can have more distinct results.
    MOVES_MAX = 3060

ctypedef struct Move:
    int8_t count          # checkers moved, 0..4 (0 = no legal move)
    int8_t source[4]      # 25 = bar, 24..1
    int8_t target[4]      # 24..1, 0 = off

# A reusable buffer; about 200 KiB: allocate it on the heap, one a thread.
ctypedef struct MoveList:
    int count
    Move moves[3060]
    Board boards[3060]    # after the move, STILL seen by the mover (not swapped)

# Every distinct position reachable with the dice, in a fixed, documented
# order; one entry with count = 0 and the unchanged board when there is no
# legal move.  Returns list.count.  Never fails.
cdef int generate_moves(const Board *board, int die1, int die2, MoveList *list) noexcept nogil

# Perft of one first roll: distinct positions after each of `depth` plies, summed
# over all rolls of the later plies.  lists[depth] is scratch of the caller.
cdef uint64_t count_positions(const Board *board, int die1, int die2, int depth, MoveList *lists,
                              Control *control) noexcept nogil
