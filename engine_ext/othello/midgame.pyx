"""The search of a fixed depth by PVS or MTD(f), iteration after iteration.

Knows the rules and how to search.  Must not know how values are evaluated nor what they are used
for.

V(board, 0) is the evaluation, of a full board DISC a disc of its score; V(board, depth) is the best
of -V(after a move, depth - 1), of a finished game DISC a disc.  A pass takes no depth, so that a
depth of all empty squares gives the exact score.  A search under (alpha, beta) is fail-soft:
value <= alpha proves V <= value, value >= beta proves V >= value, and between them value is V.
Entries of the table are bounds of V at exactly their depth, so V does not depend on what the table
holds, and best_move is the first legal square whose value is V: both are functions of (board,
depth, evaluation).  The node count is one of the table's contents too.

`is_fast` gives that up: at null windows a shallow search that is far enough outside the window
stands for the deep one (ProbCut, M. Buro, ICCA Journal 18(2), 1995), unless the depth reaches the
end of the game.  Bounds may then contradict each other, and the table must be the mode's own.

`nodes` counts boards whose value was asked for, evaluated ones included.
"""

from libc.stdint cimport uint64_t

from engine_ext.othello.board cimport SQUARE_NONE, Board, board_final_score, board_passed
from engine_ext.othello.evaluation cimport Parent
from engine_ext.othello.node cimport (
    INFINITE, MOVES_MAX, NOTHING, Child, children_bound, count_bits, first_bit, last_square,
    list_children, lookahead_after, lowest_rank, sight_empties, sight_moves, sight_played,
    sight_prepare, sight_value, sight_value_after)
from engine_ext.search.stepped cimport (
    RootMove, root_move_answers, root_move_narrow, stepped_best_to_front, stepped_forget,
    stepped_poll)
from engine_ext.search.table cimport (
    TableEntry, entry_answers, table_move, table_probe, table_store)

cdef enum:
    TABLE_DEPTH_MIN = 2       # below, a search costs less than a probe of cold memory
    # Successors are ordered by the other side's moves; from here on by their evaluation, and
    # further up by a look-ahead of one ply, and of two.
    STATIC_DEPTH = 3
    PROBE_1_DEPTH = 8
    PROBE_2_DEPTH = 12
    CUT_DEPTH = 4             # successors' entries are looked up first from here on
    PROB_CUT_DEPTH = 2        # by the evaluation itself, which mostly is known there
    # The difference between a depth d and the shallow one s of its parity has a standard
    # deviation near 15,000 (d - s)^.34 / (s + 1)^.33 / (empties + 17), the powers being 1.0 to 1.3
    # for the pairs in use: 230 with 48 empty squares, 320 with 30 and 480 with 14, measured with
    # the shipped patterns at depths up to 9.  The margin is about one of it.  In matches one and a
    # quarter gains less than the time it takes gains elsewhere, and three quarters lose more.
    PROB_CUT_EMPTIES = 17
    PROB_CUT_MARGIN = 17000
    PROB_CUT_STATIC_MARGIN = 22000    # where the shallow search is the evaluation


# ---- order of moves -----------------------------------------------------------------------


cdef int _list(MidgameSearch *search, const Board *board, uint64_t legal, int depth,
               Child *children, int *known_count) noexcept nogil:
    """List the successors; the table's move, if there is one, in front: 0 or 1 of them."""
    cdef int i, known = SQUARE_NONE
    cdef int count = list_children(
        &search.sight, search.table if depth > TABLE_DEPTH_MIN else NULL, board, legal, children)
    cdef Child first
    if depth >= TABLE_DEPTH_MIN:
        known = table_move(search.table, board.player, board.opponent)
    known_count[0] = 0
    for i in range(count):
        if children[i].square == known:
            first = children[0]
            children[0] = children[i]
            children[i] = first
            children[0].rank = NOTHING - 1
            known_count[0] = 1
    return count


cdef inline bint _is_evaluated(int depth) noexcept nogil:
    """Whether the ranks of successors at this depth are their evaluations."""
    return STATIC_DEPTH <= depth < PROBE_1_DEPTH


cdef void _rank_all(MidgameSearch *search, const Parent *board, Child *children, int first,
                    int count, int depth) noexcept nogil:
    """Rank the children from `first` on by what the other side can make of them."""
    cdef int i, plies = (depth >= PROBE_1_DEPTH) + (depth >= PROBE_2_DEPTH)
    for i in range(first, count):
        if depth < STATIC_DEPTH:
            children[i].rank = count_bits(sight_moves(&search.sight, &children[i].after))
        else:
            children[i].rank = lookahead_after(
                &search.sight, board, children[i].square, &children[i].after, plies,
                NOTHING, INFINITE)


cdef inline const Child *_next(Child *children, int first, int count) noexcept nogil:
    """Bring the child of the lowest rank from `first` on to `first`."""
    cdef int lowest = lowest_rank(children, first, count)
    cdef Child child = children[lowest]
    children[lowest] = children[first]
    children[first] = child
    return &children[first]


# ---- search -----------------------------------------------------------------------------


cdef int _value(MidgameSearch *search, const Board *board, int depth, int alpha, int beta,
                const Parent *before, int evaluated) noexcept nogil:
    """Search under (alpha, beta), fail-soft.

    `before` is the board before the last move, or NULL; `evaluated` the evaluation, or NOTHING.
    """
    cdef TableEntry entry
    cdef Board passed
    cdef uint64_t legal
    cdef int value
    search.nodes += 1
    if depth == 0:
        return _evaluated(search, board, before, evaluated)
    if search.nodes >= search.poll_at:
        stepped_poll(search.stepped)
    if depth >= TABLE_DEPTH_MIN and table_probe(search.table, board.player, board.opponent,
                                                depth, &entry):
        if entry_answers(&entry, alpha, beta, &value):
            return value
    if search.is_fast and beta == alpha + 1 and depth >= PROB_CUT_DEPTH:
        value = _prob_cut(search, board, depth, alpha, before, evaluated)
        if value != NOTHING:
            return value
    legal = sight_moves(&search.sight, board)
    if legal == 0:
        passed = board_passed(board)
        if sight_moves(&search.sight, &passed) == 0:
            return DISC * board_final_score(board, search.sight.squares)
        return -_value(search, &passed, depth, -beta, -alpha, NULL, NOTHING)
    if depth == 1:
        return _last_ply(search, board, legal, beta, before)
    return _moves_value(search, board, legal, depth, alpha, beta, before)


cdef inline int _evaluated(MidgameSearch *search, const Board *board, const Parent *before,
                           int evaluated) noexcept nogil:
    """The evaluation: known, or what is quickest."""
    if evaluated != NOTHING:
        return evaluated
    if before is NULL:
        return sight_value(&search.sight, board)
    return sight_value_after(&search.sight, before, last_square(before, board), board)


cdef int _prob_cut(MidgameSearch *search, const Board *board, int depth, int alpha,
                   const Parent *before, int evaluated) noexcept nogil:
    """A value outside (alpha, alpha + 1) that a shallow search makes probable, or NOTHING.

    The shallow depth has the deep one's parity: who moves last is worth half a disc.
    """
    cdef int empties = sight_empties(&search.sight, board)
    cdef int shallow = depth // 2 - ((depth // 2 + depth) & 1)
    cdef int margin = (PROB_CUT_MARGIN if shallow else PROB_CUT_STATIC_MARGIN) // (
        empties + PROB_CUT_EMPTIES)
    cdef int value, at
    if depth >= empties:
        return NOTHING
    value = _evaluated(search, board, before, evaluated)
    if value > alpha:
        at = alpha + margin
        if at < VALUE_MAX and _value(search, board, shallow, at, at + 1, before, value) > at:
            return alpha + 1
    else:
        at = alpha - margin
        if at >= -VALUE_MAX and _value(search, board, shallow, at, at + 1, before, value) <= at:
            return alpha
    return NOTHING


cdef int _last_ply(MidgameSearch *search, const Board *board, uint64_t legal, int beta,
                   const Parent *before) noexcept nogil:
    """The best of the evaluations after one move."""
    cdef Parent parent
    cdef Board after
    cdef int value, square, best = NOTHING
    sight_prepare(&search.sight, before, board, &parent)
    while legal:
        square = first_bit(legal)
        after = sight_played(&search.sight, board, square)
        legal &= legal - 1
        search.nodes += 1
        value = -sight_value_after(&search.sight, &parent, square, &after)
        if value > best:
            best = value
            if best >= beta:
                break
    return best


cdef int _moves_value(MidgameSearch *search, const Board *board, uint64_t legal, int depth,
                      int alpha, int beta, const Parent *before) noexcept nogil:
    cdef uint64_t started = search.nodes
    cdef Child children[MOVES_MAX]
    cdef const Child *child
    cdef int i, value, floor, best, known_count, evaluated, best_move = SQUARE_NONE
    cdef bint is_evaluated = _is_evaluated(depth)
    cdef int count = _list(search, board, legal, depth, children, &known_count)
    cdef Parent here
    best = NOTHING
    if depth >= CUT_DEPTH:
        best = children_bound(search.table, children, count, depth - 1, beta)
        if best >= beta:
            return best
    sight_prepare(&search.sight, before, board, &here)
    for i in range(count):
        # The table's move often is enough: the others are ranked only after it.
        if i == known_count:
            _rank_all(search, &here, children, i, count, depth)
        child = _next(children, i, count) if i >= known_count else &children[0]
        evaluated = child.rank if i >= known_count and is_evaluated else NOTHING
        floor = max(alpha, best)
        if i == 0 or beta == floor + 1:
            value = -_value(search, &child.after, depth - 1, -beta, -floor, &here,
                            evaluated)
        else:
            value = -_value(search, &child.after, depth - 1, -floor - 1, -floor, &here,
                            evaluated)
            if floor < value < beta:
                value = -_value(search, &child.after, depth - 1, -beta, -value + 1, &here,
                                evaluated)
        if value > best:
            best = value
            best_move = child.square
            if best >= beta:
                break
    table_store(search.table, board.player, board.opponent, depth,
                best if best > alpha else -VALUE_MAX, best if best < beta else VALUE_MAX,
                best_move, search.nodes - started)
    return best


cdef int midgame_value(MidgameSearch *search, const Board *board, int depth, int alpha, int beta,
                       int evaluated) noexcept nogil:
    """As _value.  Errors: never fails.  GIL: nogil."""
    return _value(search, board, depth, alpha, beta, NULL, evaluated)


# ---- the root ---------------------------------------------------------------------------


cdef void midgame_list_root_moves(MidgameSearch *search) noexcept nogil:
    """Fill root_moves, those first that look best; none if the side to move must pass.

    Errors: never fails.  GIL: nogil.
    """
    cdef Child children[MOVES_MAX]
    cdef Parent root
    cdef int i, known_count
    cdef int count = _list(search, &search.root, sight_moves(&search.sight, &search.root),
                           PROBE_1_DEPTH, children, &known_count)
    sight_prepare(&search.sight, NULL, &search.root, &root)
    _rank_all(search, &root, children, known_count, count, PROBE_1_DEPTH)
    search.stepped.root_count = count
    for i in range(count):
        search.stepped.root_moves[i].move = _next(children, i, count).square
    stepped_forget(search.stepped, VALUE_MAX)


cdef int _root_move(MidgameSearch *search, RootMove *move, int depth, int alpha,
                    int beta) noexcept nogil:
    """Search one move under (alpha, beta) unless what is proved decides; keep what it proves."""
    cdef uint64_t started = search.nodes
    cdef Board after
    cdef int value
    if root_move_answers(move, alpha, beta, &value):
        return value
    after = sight_played(&search.sight, &search.root, move.move)
    value = -_value(search, &after, depth - 1, -beta, -alpha, NULL, NOTHING)
    root_move_narrow(move, value, alpha, beta)
    move.work += search.nodes - started
    return value


cdef int _root_pvs(MidgameSearch *search, int depth, int alpha, int beta) noexcept nogil:
    cdef int i, value, floor, best = NOTHING
    for i in range(search.stepped.root_count):
        floor = max(alpha, best)
        if i == 0 or beta == floor + 1:
            value = _root_move(search, &search.stepped.root_moves[i], depth, floor, beta)
        else:
            value = _root_move(search, &search.stepped.root_moves[i], depth, floor, floor + 1)
            if floor < value < beta:
                value = _root_move(search, &search.stepped.root_moves[i], depth, value - 1, beta)
        best = max(best, value)
        if best >= beta:
            break
    return best


cdef int _root_mtdf(MidgameSearch *search, int depth, int guess, int alpha,
                    int beta) noexcept nogil:
    """Null windows from the guess on until they meet, or leave (alpha, beta)."""
    cdef int lower = -VALUE_MAX, upper = VALUE_MAX, value = guess, at
    while lower < upper and lower < beta and upper > alpha:
        at = max(alpha, min(beta - 1, value - 1 if value > lower else value))
        value = _root_pvs(search, depth, at, at + 1)
        if value > at:
            lower = value
        else:
            upper = value
    return value


cdef int _first_best(MidgameSearch *search, int depth, int value, int alpha,
                     int beta) noexcept nogil:
    """The first square whose move is worth `value`, or at least beta; that of the highest bound
    where nothing is better than alpha."""
    cdef int i, best = 0, floor = min(value, beta) - 1
    cdef RootMove *move
    for i in range(1, search.stepped.root_count):
        if search.stepped.root_moves[i].upper > search.stepped.root_moves[best].upper:
            best = i
    if value <= alpha:
        return search.stepped.root_moves[best].move
    best = SQUARE_NONE
    for i in range(search.stepped.root_count):
        move = &search.stepped.root_moves[i]
        if move.move < best and _root_move(search, move, depth, floor, floor + 1) > floor:
            best = move.move
    if best != SQUARE_NONE:
        return best
    # A fast search did not find its own value again.
    best = 0
    for i in range(1, search.stepped.root_count):
        if search.stepped.root_moves[i].lower > search.stepped.root_moves[best].lower:
            best = i
    return search.stepped.root_moves[best].move


cdef void _iterate(MidgameSearch *search, int depth) noexcept nogil:
    cdef uint64_t started = search.nodes
    cdef int value
    search.depth_begun = depth
    stepped_forget(search.stepped, VALUE_MAX)
    if search.stepped.root_count == 0 or depth == 0:
        search.value = _value(
            search, &search.root, depth, search.alpha, search.beta, NULL, NOTHING)
    else:
        search.nodes += 1
        if search.is_mtdf:
            value = _root_mtdf(search, depth, search.value, search.alpha, search.beta)
        else:
            value = _root_pvs(search, depth, search.alpha, search.beta)
        search.stepped.best_move = _first_best(search, depth, value, search.alpha, search.beta)
        search.value = value
        table_store(search.table, search.root.player, search.root.opponent, depth,
                    value if value > search.alpha else -VALUE_MAX,
                    value if value < search.beta else VALUE_MAX,
                    search.stepped.best_move, search.nodes - started)
        stepped_best_to_front(search.stepped)
    search.depth_done = depth


cdef void midgame_body(void *argument) noexcept nogil:
    """Search all iterations, on the coroutine.  Errors: never fails.  GIL: nogil.

    Fast ones have the parity of the last, which is two thirds of the nodes of iterations of every
    depth: a value two moves less deep is the better guess, its best moves as good to begin with.
    """
    cdef MidgameSearch *search = <MidgameSearch *>argument
    cdef int depth = search.depth_first
    if search.is_fast:
        depth += (search.depth - depth) & 1
    while depth <= search.depth:
        _iterate(search, depth)
        depth += 2 if search.is_fast else 1
