# What all searches do at a node: see a board, list its successors, look ahead to order them.
#
# All inline: called in another module, the same took 5 % longer on FFO #41.  Nothing here fails
# or needs the GIL, but for sight_of.

from libc.stdint cimport int64_t, uint64_t
from engine_ext.othello.board cimport (
    Board, OthelloKernel, board_after, board_final_score, board_passed, board_squares,
    othello_kernel)
from engine_ext.othello.evaluation cimport (
    Evaluate, EvaluateAfter, Evaluation, Parent, Prepare, PrepareAfter)
from engine_ext.search.table cimport Table, TableEntry, table_prefetch, table_probe

cdef extern from *:
    int count_bits "__builtin_popcountll" (uint64_t) noexcept nogil
    int first_bit "__builtin_ctzll" (uint64_t) noexcept nogil     # of a word that is not 0

cdef enum:
    MOVES_MAX = 34            # no position has more legal moves (33 are known)
    NOTHING = -10000000       # below every value and rank
    INFINITE = 10000000       # above them

# What a search sees a board with.
ctypedef struct Sight:
    const OthelloKernel *kernel
    uint64_t squares
    Evaluate evaluate
    Prepare prepare           # and the next two: NULL if there is none
    PrepareAfter prepare_after
    EvaluateAfter evaluate_after
    const void *weights
    int final_disc            # what a disc of a finished game counts, in units of the evaluation
    # Evaluations are cut off there, and full boards are finished games; 0: as the evaluation says.
    int heuristic_max
    uint64_t examined         # positions, for all looks ahead

ctypedef struct Child:
    Board after
    int square
    int rank                  # the lowest is searched first

cdef inline uint64_t sight_moves(const Sight *sight, const Board *board) noexcept nogil:
    return sight.kernel.moves(board.player, board.opponent) & sight.squares

cdef inline Board sight_played(const Sight *sight, const Board *board, int square) noexcept nogil:
    return board_after(board, square, sight.kernel.flips(board.player, board.opponent, square))

cdef inline int sight_empties(const Sight *sight, const Board *board) noexcept nogil:
    return count_bits(sight.squares & ~(board.player | board.opponent))

# Where the child of the lowest rank is, the first of equals; first < count.
cdef inline int lowest_rank(const Child *children, int first, int count) noexcept nogil:
    cdef int i
    # A rank and its place as one number: which is less is nothing to guess, as a branch would be.
    cdef int64_t key, least = <int64_t>children[first].rank * 64 + first
    for i in range(first + 1, count):
        key = <int64_t>children[i].rank * 64 + i
        least = min(least, key)
    return least & 63

# Boards of a size, which is valid, seen with an evaluation: it owns what the sight points to.
cdef inline Sight sight_of(Evaluation evaluation, int size, int final_disc, int heuristic_max):
    cdef Sight sight
    sight.kernel = othello_kernel()
    sight.squares = board_squares(size)
    sight.evaluate = evaluation.evaluate
    sight.prepare = evaluation.prepare
    sight.prepare_after = evaluation.prepare_after
    sight.evaluate_after = evaluation.evaluate_after
    sight.weights = evaluation.weights
    sight.final_disc = final_disc
    sight.heuristic_max = heuristic_max
    sight.examined = 0
    return sight

# The evaluation, or the score of a full board, for the side to move.
cdef inline int sight_value(const Sight *sight, const Board *board) noexcept nogil:
    cdef int value
    if sight.heuristic_max == 0:
        return sight.evaluate(sight.weights, board.player, board.opponent)
    if sight.squares & ~(board.player | board.opponent) == 0:
        return sight.final_disc * board_final_score(board, sight.squares)
    value = sight.evaluate(sight.weights, board.player, board.opponent)
    return max(-sight.heuristic_max, min(sight.heuristic_max, value))

# The square of the last move; `before` is the board that it was made on.
cdef inline int last_square(const Parent *before, const Board *board) noexcept nogil:
    return first_bit((board.player | board.opponent) ^ (before.player | before.opponent))

# Have a board ready whose successors are seen next; `before` is the board before the last move, or
# NULL if it is not known or the side to move passed since.
cdef inline void sight_prepare(const Sight *sight, const Parent *before, const Board *board,
                               Parent *parent) noexcept nogil:
    parent.player = board.player
    parent.opponent = board.opponent
    if sight.prepare is NULL:
        return
    if before is NULL:
        sight.prepare(sight.weights, parent)
    else:
        sight.prepare_after(sight.weights, before, last_square(before, board),
                            before.opponent ^ board.player, parent)

# As sight_value of `after`, the board after a move of the parent's player to `square`.
cdef inline int sight_value_after(const Sight *sight, const Parent *parent, int square,
                                  const Board *after) noexcept nogil:
    cdef int value
    if sight.prepare is NULL or sight.heuristic_max and (
            sight.squares & ~(after.player | after.opponent) == 0):
        return sight_value(sight, after)
    value = sight.evaluate_after(sight.weights, parent, square, parent.opponent ^ after.player)
    if sight.heuristic_max == 0:
        return value
    return max(-sight.heuristic_max, min(sight.heuristic_max, value))

# The value after `plies` more, a pass being one; fail-soft, in order of squares, without a table.
# `before` as of sight_prepare.
cdef inline int lookahead(Sight *sight, const Parent *before, const Board *board, int plies,
                          int alpha, int beta) noexcept nogil:
    cdef uint64_t left
    cdef Board after
    cdef Parent parent
    cdef int value, square, best = NOTHING
    if plies == 0:
        sight.examined += 1
        return sight_value(sight, board)
    left = sight_moves(sight, board)
    if left == 0:
        after = board_passed(board)
        if sight_moves(sight, &after) == 0:
            return sight.final_disc * board_final_score(board, sight.squares)
        return -lookahead(sight, NULL, &after, plies - 1, -beta, -alpha)
    sight_prepare(sight, before, board, &parent)
    while left:
        square = first_bit(left)
        after = sight_played(sight, board, square)
        left &= left - 1
        value = -lookahead_after(sight, &parent, square, &after, plies - 1, -beta,
                                 -max(alpha, best))
        if value > best:
            best = value
            if best >= beta:
                break
    return best

# As lookahead of `after`, the board after a move of the parent's player to `square`.
cdef inline int lookahead_after(Sight *sight, const Parent *parent, int square,
                                const Board *after, int plies, int alpha,
                                int beta) noexcept nogil:
    if plies > 0:
        return lookahead(sight, parent, after, plies, alpha, beta)
    sight.examined += 1
    return sight_value_after(sight, parent, square, after)

# List the successors by the moves in `legal`, in order of squares, unranked; how many.  Have their
# lines of the table fetched unless it is NULL.
cdef inline int list_children(const Sight *sight, const Table *table, const Board *board,
                              uint64_t legal, Child *children) noexcept nogil:
    cdef int count = 0
    while legal:
        children[count].square = first_bit(legal)
        legal &= legal - 1
        children[count].after = sight_played(sight, board, children[count].square)
        if table is not NULL:
            table_prefetch(table, children[count].after.player, children[count].after.opponent)
        count += 1
    return count

# A lower bound >= beta that the table has for a successor, each searched to `depth`; or NOTHING.
cdef inline int children_bound(const Table *table, const Child *children, int count, int depth,
                               int beta) noexcept nogil:
    cdef TableEntry entry
    cdef int i
    for i in range(count):
        if (table_probe(table, children[i].after.player, children[i].after.opponent, depth,
                        &entry) and -entry.upper >= beta):
            return -entry.upper
    return NOTHING
