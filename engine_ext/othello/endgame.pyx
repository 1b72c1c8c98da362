"""The exact endgame search.

Knows the rules and how to search to the end of a game.  Must not know what a score is used for.

A search of a position under a window (alpha, beta) gives a score, fail-soft: score <= alpha
proves that the position is worth at most score, score >= beta that it is worth at least score, and
between them score is exact.  Scores are discs of the side to move minus the other's, the empty
squares to the winner.

Positions with many empty squares are searched here, by PVS: table of whole positions, cut-offs by
stable discs and by the table's entries of successors, moves ordered by a short look-ahead with
an evaluation.  From LEAF_EMPTIES on down the kernel does it (othello_kernel_leaf.h).

`nodes` counts boards visited: every board that the search was asked the value of, once each
time, also if the table answers; boards after a pass and boards of finished games are among them,
boards only looked at to order moves are not.  The count, the score and the best move are functions
of (position, window, evaluation, contents of the table): equal on every machine and kernel, and
however the search is interrupted.
"""

from libc.stdint cimport uint64_t

from engine_ext.control cimport control_is_stopped, control_step
from engine_ext.coroutine cimport coroutine_yield
from engine_ext.othello.board cimport (
    SCORE_MAX, SQUARE_NONE, Board, LeafSearch, board_after, board_final_score, board_stable)
from engine_ext.othello.table cimport TableEntry, table_prefetch, table_probe, table_store

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    int _first "__builtin_ctzll" (uint64_t) noexcept nogil

cdef enum:
    NOTHING = -100            # below every score
    # The kernel's small table holds what it needs up to here; above, the shared one pays.
    LEAF_EMPTIES = 13
    FINISHED_VALUE = 10000    # a disc of a finished game: the least win is above most evaluations
    VALUE_MAX = 10000000      # above every value and rank
    REPLY_DISCS = 3           # what a reply counts in the order of moves; a corner counts twice
    GUESS_PLIES = 4           # look-ahead of the first guess


ctypedef struct Child:
    Board after
    int square
    int rank                  # the lowest is searched first


# ---- polls ----------------------------------------------------------------------------


cdef void endgame_tell(EndgameSearch *search) noexcept nogil:
    """Report the nodes since the last report to the control.  Never fails.  GIL: nogil."""
    if search.control is not NULL:
        control_step(search.control, search.leaf.nodes - search.nodes_told)
        search.nodes_told = search.leaf.nodes


cdef void endgame_poll(LeafSearch *leaf) noexcept nogil:
    """Hand control back at the end of a step or when stopped; set the next poll.

    Errors: never fails.  GIL: nogil; waits while the control is paused.
    """
    cdef EndgameSearch *search = <EndgameSearch *>leaf
    while True:
        endgame_tell(search)
        if search.control is not NULL and control_is_stopped(search.control):
            coroutine_yield(search.coroutine)
            continue
        if leaf.nodes < search.step_end:
            break
        coroutine_yield(search.coroutine)
    leaf.poll_at = min(search.step_end, leaf.nodes + POLL_NODES)


cdef inline void _visit(EndgameSearch *search) noexcept nogil:
    search.leaf.nodes += 1
    if search.leaf.nodes >= search.leaf.poll_at:
        endgame_poll(&search.leaf)


# ---- order of moves -----------------------------------------------------------------------


cdef int _look_ahead(EndgameSearch *search, const Board *board, int plies, int alpha,
                     int beta) noexcept nogil:
    """The evaluation after `plies` more, for the side to move; alpha-beta in order of squares."""
    cdef uint64_t left, turned
    cdef Board after
    cdef int square, value, best = -VALUE_MAX
    if plies == 0:
        return search.evaluate(search.weights, board.player, board.opponent)
    left = search.kernel.moves(board.player, board.opponent) & search.leaf.squares
    if left == 0:
        after.player = board.opponent
        after.opponent = board.player
        if search.kernel.moves(after.player, after.opponent) & search.leaf.squares == 0:
            return FINISHED_VALUE * board_final_score(board, search.leaf.squares)
        return -_look_ahead(search, &after, plies - 1, -beta, -alpha)
    while left:
        square = _first(left)
        left &= left - 1
        turned = search.kernel.flips(board.player, board.opponent, square)
        after = board_after(board, square, turned)
        value = -_look_ahead(search, &after, plies - 1, -beta, -max(alpha, best))
        if value > best:
            best = value
            if best >= beta:
                break
    return best


cdef inline int _look_ahead_plies(int empties) noexcept nogil:
    # A ply more costs what it saves near these: the best of ten choices on FFO #41-#47.
    return (empties >= 15) + (empties >= 17) + (empties >= 20) + (empties >= 22)


cdef int _list_children(EndgameSearch *search, const Board *board, uint64_t legal,
                        Child *children) noexcept nogil:
    cdef int count = 0
    cdef int square
    while legal:
        square = _first(legal)
        legal &= legal - 1
        children[count].square = square
        children[count].after = board_after(
            board, square, search.kernel.flips(board.player, board.opponent, square))
        table_prefetch(search.table, children[count].after.player, children[count].after.opponent)
        count += 1
    return count


cdef void _rank(EndgameSearch *search, Child *children, int count, int empties,
                const TableEntry *known) noexcept nogil:
    """Rank by what the other side can make of it; the table's moves come first.

    However good a position is judged, the fewer replies it leaves the sooner it is searched
    through: with learned weights that saves half the nodes.
    """
    cdef int plies = _look_ahead_plies(empties)
    cdef int i
    cdef uint64_t replies
    for i in range(count):
        if known is not NULL and children[i].square == known.move:
            children[i].rank = -3 * VALUE_MAX
        elif known is not NULL and children[i].square == known.second:
            children[i].rank = -2 * VALUE_MAX
        else:
            replies = search.leaf.squares & search.kernel.moves(
                children[i].after.player, children[i].after.opponent)
            children[i].rank = (
                _look_ahead(search, &children[i].after, plies, -VALUE_MAX, VALUE_MAX)
                + REPLY_DISCS * search.disc_value
                * (_count(replies) + _count(replies & search.leaf.corners)))


cdef inline const Child *_next(Child *children, int first, int count) noexcept nogil:
    """Bring the child of the lowest rank from `first` on to `first`, the others in order."""
    cdef int i, least = first
    cdef Child child
    for i in range(first + 1, count):
        if children[i].rank < children[least].rank:
            least = i
    child = children[least]
    for i in range(least, first, -1):
        children[i] = children[i - 1]
    children[first] = child
    return &children[first]


# ---- search -----------------------------------------------------------------------------


cdef inline int _stable_bound(EndgameSearch *search, const Board *board,
                              int alpha) noexcept nogil:
    """An upper bound of the score from the opponent's stable discs."""
    cdef int area = _count(search.leaf.squares)
    cdef Board passed
    if area - 2 * _count(board.opponent) > alpha:
        return area
    passed.player = board.opponent
    passed.opponent = board.player
    return area - 2 * _count(board_stable(&passed, search.leaf.squares))


cdef int _child_cut(EndgameSearch *search, const Child *children, int count, int depth,
                    int alpha) noexcept nogil:
    """A lower bound above alpha that the table has for a successor; NOTHING if none."""
    cdef TableEntry entry
    cdef int i
    for i in range(count):
        if (table_probe(search.table, children[i].after.player, children[i].after.opponent,
                        depth - 1, &entry) and -entry.upper > alpha):
            return -entry.upper
    return NOTHING


cdef int _null_window(EndgameSearch *search, const Board *board, int alpha) noexcept nogil:
    """Search under (alpha, alpha + 1), fail-soft."""
    cdef uint64_t empties = search.leaf.squares & ~(board.player | board.opponent)
    cdef int depth = _count(empties)
    cdef int score
    cdef TableEntry entry
    cdef bint is_known
    if depth <= LEAF_EMPTIES:
        return search.kernel.solve(&search.leaf, board.player, board.opponent, alpha)
    _visit(search)
    score = _stable_bound(search, board, alpha)
    if score <= alpha:
        return score
    is_known = table_probe(search.table, board.player, board.opponent, depth, &entry)
    if is_known:
        if entry.lower > alpha:
            return entry.lower
        if entry.upper <= alpha:
            return entry.upper
    return _null_window_moves(search, board, depth, alpha, &entry if is_known else NULL)


cdef int _null_window_moves(EndgameSearch *search, const Board *board, int depth, int alpha,
                            const TableEntry *known) noexcept nogil:
    cdef uint64_t started = search.leaf.nodes
    cdef Child children[MOVES_MAX]
    cdef const Child *child
    cdef Board passed
    cdef int count, i, score, best = NOTHING, best_move = SQUARE_NONE
    cdef uint64_t legal = (search.kernel.moves(board.player, board.opponent)
                           & search.leaf.squares)
    if legal == 0:
        passed.player = board.opponent
        passed.opponent = board.player
        if search.kernel.moves(passed.player, passed.opponent) & search.leaf.squares == 0:
            return board_final_score(board, search.leaf.squares)
        return -_null_window(search, &passed, -alpha - 1)
    count = _list_children(search, board, legal, children)
    best = _child_cut(search, children, count, depth, alpha)
    if best > alpha:
        return best
    _rank(search, children, count, depth, known)
    for i in range(count):
        child = _next(children, i, count)
        score = -_null_window(search, &child.after, -alpha - 1)
        if score > best:
            best = score
            best_move = child.square
            if best > alpha:
                break
    if best > alpha:
        table_store(search.table, board.player, board.opponent, depth, best, SCORE_MAX,
                    best_move, search.leaf.nodes - started)
    else:
        table_store(search.table, board.player, board.opponent, depth, -SCORE_MAX, best,
                    best_move, search.leaf.nodes - started)
    return best


cdef int _leaf_window(EndgameSearch *search, const Board *board, int alpha,
                      int beta) noexcept nogil:
    """A full window at a leaf: raise the lower bound by null windows."""
    cdef int score = search.kernel.solve(&search.leaf, board.player, board.opponent, alpha)
    cdef int lower = alpha
    while score > lower and score < beta:
        lower = score
        score = search.kernel.solve(&search.leaf, board.player, board.opponent, lower)
    return max(score, lower) if lower > alpha else score


cdef int _window(EndgameSearch *search, const Board *board, int alpha, int beta) noexcept nogil:
    """Search under (alpha, beta) by PVS, fail-soft."""
    cdef uint64_t started = search.leaf.nodes
    cdef int depth = _count(search.leaf.squares & ~(board.player | board.opponent))
    cdef Child children[MOVES_MAX]
    cdef const Child *child
    cdef Board passed
    cdef TableEntry entry
    cdef bint is_known
    cdef int count, i, score, best = NOTHING, best_move = SQUARE_NONE
    cdef uint64_t legal
    if beta == alpha + 1:
        return _null_window(search, board, alpha)
    if depth <= LEAF_EMPTIES:
        return _leaf_window(search, board, alpha, beta)
    _visit(search)
    is_known = table_probe(search.table, board.player, board.opponent, depth, &entry)
    if is_known:
        if entry.lower >= beta or entry.lower == entry.upper:
            return entry.lower
        if entry.upper <= alpha:
            return entry.upper
    legal = search.kernel.moves(board.player, board.opponent) & search.leaf.squares
    if legal == 0:
        passed.player = board.opponent
        passed.opponent = board.player
        if search.kernel.moves(passed.player, passed.opponent) & search.leaf.squares == 0:
            return board_final_score(board, search.leaf.squares)
        return -_window(search, &passed, -beta, -alpha)
    count = _list_children(search, board, legal, children)
    _rank(search, children, count, depth + 2, &entry if is_known else NULL)
    for i in range(count):
        child = _next(children, i, count)
        score = _move_score(search, &child.after, max(alpha, best), beta, i == 0)
        if score > best:
            best = score
            best_move = child.square
            if best >= beta:
                break
    table_store(search.table, board.player, board.opponent, depth,
                best if best > alpha else -SCORE_MAX, best if best < beta else SCORE_MAX,
                best_move, search.leaf.nodes - started)
    return best


cdef int _move_score(EndgameSearch *search, const Board *after, int alpha, int beta,
                     bint is_first) noexcept nogil:
    """The score of the move that led to `after` under (alpha, beta): null window unless first."""
    cdef int score
    if is_first:
        return -_window(search, after, -beta, -alpha)
    score = -_null_window(search, after, -alpha - 1)
    if alpha < score < beta:
        score = -_window(search, after, -beta, -score + 1)
    return score


cdef void endgame_list_root_moves(EndgameSearch *search) noexcept nogil:
    """Fill root_moves in the order of the search; none if the side to move must pass.

    Errors: never fails.  GIL: nogil.
    """
    cdef const Board *root = &search.root
    cdef uint64_t legal = search.kernel.moves(root.player, root.opponent) & search.leaf.squares
    cdef int depth = _count(search.leaf.squares & ~(root.player | root.opponent))
    cdef Child children[MOVES_MAX]
    cdef const Child *child
    cdef TableEntry entry
    cdef bint is_known = table_probe(search.table, root.player, root.opponent, depth, &entry)
    cdef int i, count = _list_children(search, root, legal, children)
    _rank(search, children, count, depth + 2, &entry if is_known else NULL)
    for i in range(count):
        child = _next(children, i, count)
        search.root_moves[i].after = child.after
        search.root_moves[i].square = child.square
        search.root_moves[i].lower = -SCORE_MAX
        search.root_moves[i].upper = SCORE_MAX
        search.root_moves[i].work = 0
    search.root_count = count


cdef int _root_move_score(EndgameSearch *search, RootMove *move, int alpha, int beta,
                          bint is_first) noexcept nogil:
    """As _move_score, keeping what each search proves of the move."""
    cdef uint64_t started = search.leaf.nodes
    cdef int score = NOTHING
    if not is_first:
        score = -_null_window(search, &move.after, -alpha - 1)
        _note(move, score, alpha, alpha + 1)
    if is_first or alpha < score < beta:
        alpha = alpha if is_first else score - 1
        score = -_window(search, &move.after, -beta, -alpha)
        _note(move, score, alpha, beta)
    move.work += search.leaf.nodes - started
    return score


cdef inline void _note(RootMove *move, int score, int alpha, int beta) noexcept nogil:
    """Narrow a move's bounds by a fail-soft score under (alpha, beta)."""
    if score > alpha:
        move.lower = max(move.lower, score)
    if score < beta:
        move.upper = min(move.upper, score)


cdef int _root_pass(EndgameSearch *search, int alpha, int beta) noexcept nogil:
    """Search the root's moves under (alpha, beta), but for what is proved already."""
    cdef RootMove *move
    cdef int i, score, best = NOTHING
    _visit(search)
    for i in range(search.root_count):
        move = &search.root_moves[i]
        if move.lower >= beta or move.lower == move.upper:
            score = move.lower
        elif move.upper <= max(alpha, best):
            score = move.upper
        else:
            score = _root_move_score(search, move, max(alpha, best), beta, i == 0)
        if score > best:
            best = score
            if best > alpha or search.best_move == SQUARE_NONE:
                search.best_move = move.square
            if best >= beta:
                break
    return best


cdef void _best_to_front(EndgameSearch *search) noexcept nogil:
    cdef RootMove move
    cdef int i = 0
    while search.root_moves[i].square != search.best_move:
        i += 1
    move = search.root_moves[i]
    while i > 0:
        search.root_moves[i] = search.root_moves[i - 1]
        i -= 1
    search.root_moves[0] = move


cdef int _first_guess(EndgameSearch *search) noexcept nogil:
    """The evaluation's, as an even number of discs: all scores are even."""
    cdef int value = _look_ahead(search, &search.root, GUESS_PLIES, -VALUE_MAX, VALUE_MAX)
    return max(-SCORE_MAX, min(SCORE_MAX, 2 * (value // (2 * search.disc_value))))


cdef int _mtd(EndgameSearch *search, int *lower, int *upper) noexcept nogil:
    """Close the bracket by null windows within (alpha, beta), from the first guess on."""
    cdef int test = _first_guess(search) - 1
    cdef int score
    while True:
        test = max(search.alpha, min(search.beta - 1, test))
        score = _root_pass(search, test, test + 1)
        if score > test:
            lower[0] = test = score
            _best_to_front(search)
        else:
            upper[0] = score
            test = score - 1
        if lower[0] >= upper[0] or lower[0] >= search.beta or upper[0] <= search.alpha:
            return score


cdef int _root(EndgameSearch *search) noexcept nogil:
    """Search the root: by MTD(f) if the evaluation can guess a score, else by PVS."""
    cdef uint64_t started = search.leaf.nodes
    cdef const Board *root = &search.root
    cdef int score, lower = -SCORE_MAX, upper = SCORE_MAX
    cdef int depth = _count(search.leaf.squares & ~(root.player | root.opponent))
    if search.root_count == 0:                  # a pass, or the end
        return _window(search, root, search.alpha, search.beta)
    if search.disc_value and search.beta > search.alpha + 1:
        score = _mtd(search, &lower, &upper)
    else:
        score = _root_pass(search, search.alpha, search.beta)
        lower = score if score > search.alpha else lower
        upper = score if score < search.beta else upper
    table_store(search.table, root.player, root.opponent, depth, lower, upper, search.best_move,
                search.leaf.nodes - started)
    return score


cdef void endgame_body(void *argument) noexcept nogil:
    """Do the whole search, on its coroutine.  Errors: never fails.  GIL: nogil."""
    cdef EndgameSearch *search = <EndgameSearch *>argument
    search.score = _root(search)
