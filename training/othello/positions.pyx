"""Games and labels in bulk, for fitting the pattern weights.

Knows how to play quickly and to look ahead a few plies, or to the end.  Must not know weights nor
how they are fitted.  Game g of a seed is the same whatever is played with it.
"""

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from engine_ext.control cimport Control, RunControl, control_is_stopped, control_step
from engine_ext.othello.board cimport (
    OTHELLO_LEAF_TABLE_BITS, Board, LeafEntry, LeafSearch, board_after, board_final_score,
    board_passed, othello_kernel)
from engine_ext.othello.evaluation cimport Evaluation
from engine_ext.rng cimport PhiloxBlock, philox4x32

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    int _first "__builtin_ctzll" (uint64_t) noexcept nogil

cdef uint64_t _ALL = <uint64_t>-1


cdef inline Board _played(const Judge *judge, const Board *board, int square) noexcept nogil:
    return board_after(board, square, judge.kernel.flips(board.player, board.opponent, square))


cdef inline int _static(const Judge *judge, const Board *board) noexcept nogil:
    return judge.evaluate(judge.weights, board.player, board.opponent)


# ---- games ----------------------------------------------------------------------------


cdef int _nth(uint64_t bits, int n) noexcept nogil:
    """The square of the n-th bit, from 0."""
    while n:
        bits &= bits - 1
        n -= 1
    return _first(bits)


cdef int _choose(const Judge *judge, const Board *board, uint64_t legal, const Manner *manner,
                 uint64_t game, int ply) noexcept nogil:
    """The move with the best evaluation and chance."""
    cdef PhiloxBlock chance
    cdef Board after
    cdef int square, value, best = -INFINITE, chosen = 0
    while legal:
        square = _first(legal)
        legal &= legal - 1
        after = _played(judge, board, square)
        chance = philox4x32(manner.seed, game, 64 * (ply + 1) + square)
        value = -_static(judge, &after)
        if manner.noise:
            value += <int>(chance.words[0] % <uint32_t>manner.noise)
        if value > best:
            best = value
            chosen = square
    return chosen


cdef void _play(const Judge *judge, const Manner *manner, uint64_t game,
                uint64_t *boards) noexcept nogil:
    """One game; boards[2 * e] and boards[2 * e + 1] are the position with e empty squares."""
    cdef PhiloxBlock chance = philox4x32(manner.seed, game, 0)
    cdef int random_plies = <int>(chance.words[0] % <uint32_t>(manner.random_plies_max + 1))
    cdef Board board
    cdef uint64_t legal
    cdef int square, empties, ply = 0
    board.player = <uint64_t>1 << 28 | <uint64_t>1 << 35
    board.opponent = <uint64_t>1 << 27 | <uint64_t>1 << 36
    while True:
        legal = judge.kernel.moves(board.player, board.opponent)
        if legal == 0:
            board = board_passed(&board)
            legal = judge.kernel.moves(board.player, board.opponent)
            if legal == 0:
                return
        empties = 64 - _count(board.player | board.opponent)
        boards[2 * empties] = board.player
        boards[2 * empties + 1] = board.opponent
        chance = philox4x32(manner.seed, game, 64 * (ply + 1) + 63)
        if ply < random_plies or (manner.random_one_in
                                  and chance.words[1] % <uint32_t>manner.random_one_in == 0):
            square = _nth(legal, <int>(chance.words[0] % <uint32_t>_count(legal)))
        else:
            square = _choose(judge, &board, legal, manner, game, ply)
        board = _played(judge, &board, square)
        ply += 1


def play_games(Evaluation evaluation not None, seed, first, uint64_t[:, :, ::1] boards not None, *,
               random_plies_max, random_one_in, noise):
    """Play games that are random at first and greedy later.

    Shapes: boards: uint64[games, 61, 2]: [g, e] becomes the position of game first + g with e
    empty squares and a legal move, zeros where there is none.  GIL: releases.
    """
    cdef Judge judge = Judge(othello_kernel(), evaluation.evaluate, evaluation.weights)
    cdef Manner manner = Manner(seed, random_plies_max, random_one_in, noise)
    cdef uint64_t start = first
    cdef Py_ssize_t game
    if boards.shape[1] != PLIES_MAX + 1 or boards.shape[2] != 2:
        raise ValueError(f"boards are [games, {PLIES_MAX + 1}, 2]")
    if boards.shape[0] == 0:
        return
    boards[:] = 0
    with nogil:
        for game in range(boards.shape[0]):
            _play(&judge, &manner, start + game, &boards[game, 0, 0])


# ---- exact labels -----------------------------------------------------------------------


cdef void _never(LeafSearch *search) noexcept nogil:
    search.poll_at = _ALL


cdef int _solved(const Judge *judge, LeafSearch *leaf, const Board *board) noexcept nogil:
    """The exact score: null windows around the last answer (MTD(f))."""
    cdef int lower = -64, upper = 64, guess = 0, alpha, score
    while lower < upper:
        # Scores are even but for the rare games that end early: steps of two where they suffice.
        alpha = guess - 1 if guess > lower else guess
        score = judge.kernel.solve(leaf, board.player, board.opponent, alpha)
        if score <= alpha:
            upper = score
        else:
            lower = score
        guess = score
    return lower


def label_exactly(const uint64_t[:, ::1] boards not None, int16_t[::1] values not None,
                  RunControl control=None):
    """Solve each board; returns how many were, fewer if the control was stopped.

    Shapes: boards: uint64[n, 2], player and opponent; values: int16[n], 1/100 disc for the player.
    GIL: releases.
    """
    cdef Judge judge
    cdef LeafSearch leaf
    cdef Board board
    cdef Py_ssize_t i, done = 0
    cdef Control *shared = &control.control if control is not None else NULL
    judge.kernel = othello_kernel()
    leaf.nodes = 0
    leaf.poll_at = _ALL
    leaf.poll = _never
    leaf.squares = _ALL
    leaf.corners = <uint64_t>0x8100000000000081
    leaf.table = <LeafEntry *>calloc(1 << OTHELLO_LEAF_TABLE_BITS, sizeof(LeafEntry))
    if leaf.table is NULL:
        raise MemoryError
    with nogil:
        for i in range(min(boards.shape[0], values.shape[0])):
            if shared is not NULL:
                control_step(shared, 1)
                if control_is_stopped(shared):
                    break
            board.player = boards[i, 0]
            board.opponent = boards[i, 1]
            values[i] = <int16_t>(100 * _solved(&judge, &leaf, &board))
            done += 1
    free(leaf.table)
    return done


# ---- labels by looking ahead ------------------------------------------------------------


cdef int _ordered(const Judge *judge, const Board *board, uint64_t legal, bint is_sorted,
                  Board *after) noexcept nogil:
    """All successors, those first that are worst for the other side."""
    cdef int ranks[MOVES_MAX]
    cdef Board next_board
    cdef int count = 0, at, rank = 0
    while legal:
        next_board = _played(judge, board, _first(legal))
        legal &= legal - 1
        if is_sorted:
            rank = _static(judge, &next_board)
        at = count
        while at > 0 and is_sorted and ranks[at - 1] > rank:
            ranks[at] = ranks[at - 1]
            after[at] = after[at - 1]
            at -= 1
        ranks[at] = rank
        after[at] = next_board
        count += 1
    return count


cdef int _lookahead(const Judge *judge, const Board *board, int depth, int alpha,
                    int beta) noexcept nogil:
    """The value `depth` moves deep under (alpha, beta), fail-soft; a pass is no move."""
    cdef Board after[MOVES_MAX]
    cdef Board passed
    cdef int i, count, value, best = -INFINITE
    cdef uint64_t legal
    if depth == 0:
        return _static(judge, board)
    legal = judge.kernel.moves(board.player, board.opponent)
    if legal == 0:
        passed = board_passed(board)
        if judge.kernel.moves(passed.player, passed.opponent) == 0:
            return 100 * board_final_score(board, _ALL)
        return -_lookahead(judge, &passed, depth, -beta, -alpha)
    count = _ordered(judge, board, legal, depth >= ORDERED_DEPTH, after)
    for i in range(count):
        if i > 0 and beta > alpha + 1:
            value = -_lookahead(judge, &after[i], depth - 1, -alpha - 1, -alpha)
            if alpha < value < beta:
                value = -_lookahead(judge, &after[i], depth - 1, -beta, -value)
        else:
            value = -_lookahead(judge, &after[i], depth - 1, -beta, -alpha)
        if value > best:
            best = value
            alpha = max(alpha, best)
            if best >= beta:
                break
    return best


def label_by_search(Evaluation evaluation not None, const uint64_t[:, ::1] boards not None, depth,
                    int16_t[::1] values not None, RunControl control=None):
    """Search each board `depth` moves deep; returns how many were, fewer if stopped.

    Shapes: as label_exactly.  Units: the evaluation's; finished games count 100 a disc.
    GIL: releases.
    """
    cdef Judge judge = Judge(othello_kernel(), evaluation.evaluate, evaluation.weights)
    cdef Board board
    cdef Py_ssize_t i, done = 0
    cdef int plies = depth
    cdef Control *shared = &control.control if control is not None else NULL
    if not 0 <= depth <= PLIES_MAX:
        raise ValueError(f"the depth is 0 to {PLIES_MAX}, not {depth}")
    with nogil:
        for i in range(min(boards.shape[0], values.shape[0])):
            if shared is not NULL:
                control_step(shared, 1)
                if control_is_stopped(shared):
                    break
            board.player = boards[i, 0]
            board.opponent = boards[i, 1]
            values[i] = <int16_t>_lookahead(&judge, &board, plies, -INFINITE, INFINITE)
            done += 1
    return done
