"""The exact endgame search.

Knows the rules and how to search to the end of a game.  Must not know what a score is used for.

A search of a position under a window (alpha, beta) gives a score, fail-soft: score <= alpha
proves that the position is worth at most score, score >= beta that it is worth at least score, and
between them score is exact.  Scores are discs of the side to move minus the other's, the empty
squares to the winner.

Positions with many empty squares are searched here, by PVS: table of whole positions, cut-offs by
stable discs and by the table's entries of successors, moves ordered by a short look-ahead with
an evaluation.  From LEAF_EMPTIES on down the kernel does it (othello_kernel_leaf.h).

With a `judge`, a fast search of the same evaluation that looks some moves ahead, a score is only
probable: what the judge sees far outside a null window is taken to be outside (ProbCut, see
midgame.pyx).  The table must then be the search's own.

`nodes` counts boards visited: every board that the search was asked the value of, once each
time, also if the table answers; boards after a pass, boards of finished games and the judge's nodes
are among them, boards only looked at to order moves are not.  The count, the score and the best
move are functions of (position, window, evaluation, contents of the tables): equal on every machine
and kernel, and however the search is interrupted.
"""

from libc.stdint cimport uint64_t

from engine_ext.othello.board cimport (
    SCORE_MAX, SQUARE_NONE, Board, LeafSearch, board_final_score, board_passed, board_stable)
from engine_ext.othello.evaluation cimport Parent
from engine_ext.othello.midgame cimport DISC, VALUE_MAX, MidgameSearch, midgame_value
from engine_ext.othello.node cimport (
    INFINITE, MOVES_MAX, NOTHING, Child, children_bound, count_bits, list_children, lookahead,
    lookahead_after, lowest_rank, sight_empties, sight_moves, sight_played, sight_prepare,
    sight_value)
from engine_ext.othello.table cimport entry_move, entry_second
from engine_ext.search.stepped cimport (
    RootMove, root_move_answers, root_move_narrow, stepped_best_to_front, stepped_forget,
    stepped_poll)
from engine_ext.search.table cimport TableEntry, entry_answers, table_probe, table_store

cdef enum:
    # The kernel's small table holds what it needs below; from here on the shared one pays.
    LEAF_EMPTIES = 13
    REPLY_DISCS = 3           # what a reply counts in the order of moves; a corner counts twice
    WINDOW_DISCS = 8          # moves so much worse than the best are put in order less exactly
    GUESS_PLIES = 4           # look-ahead of the first guess
    # A score less the judge's value has a standard deviation of 4 to 7 discs with 14 to 24 empty
    # squares.  With 22 margins of 5, 6 and 7 discs misjudge who wins on 11, 9 and 7 boards in a
    # hundred, and take 13, 21 and 28 ms instead of 285.
    JUDGED_EMPTIES = 14       # a board of fewer is solved about as soon as judged
    JUDGE_MARGIN = 700
    JUDGE_PLIES_MAX = 8       # a millisecond, since polls wait for it


# ---- polls ----------------------------------------------------------------------------


cdef void endgame_poll(LeafSearch *leaf) noexcept nogil:
    """Poll from within the kernel.  Errors: never fails.  GIL: nogil."""
    stepped_poll((<EndgameSearch *>leaf).stepped)


cdef inline void _visit(EndgameSearch *search) noexcept nogil:
    search.leaf.nodes += 1
    if search.leaf.nodes >= search.leaf.poll_at:
        stepped_poll(search.stepped)


# ---- order of moves -----------------------------------------------------------------------


cdef inline int _lookahead_plies(int empties) noexcept nogil:
    # A ply more costs what it saves near these: the best of ten choices on FFO #41-#47.
    return (empties >= 15) + (empties >= 17) + (empties >= 20) + (empties >= 22)


cdef inline int _reply_malus(EndgameSearch *search, const Board *after) noexcept nogil:
    """What replies cost a move in order, whoever they are good for.

    However good a position is judged, the fewer replies it leaves the sooner it is searched
    through: with learned weights that saves half the nodes.
    """
    cdef uint64_t replies = sight_moves(&search.sight, after)
    return REPLY_DISCS * search.disc_value * (
        count_bits(replies) + count_bits(replies & search.leaf.corners))


cdef inline void _to_place(Child *children, int at, int place) noexcept nogil:
    """Bring the child at `at` forward to `place`, the others in order."""
    cdef Child child = children[at]
    cdef int i
    for i in range(at, place, -1):
        children[i] = children[i - 1]
    children[place] = child


cdef inline int _known_first(Child *children, int count, const TableEntry *known) noexcept nogil:
    """Bring the table's moves to the front, the better one first; how many there are."""
    cdef int i, found = 0
    for i in range(count):
        if children[i].square == entry_move(known):
            _to_place(children, i, found)
            found += 1
    for i in range(found, count):
        if children[i].square == entry_second(known):
            _to_place(children, i, found)
            found += 1
    return found


cdef void _rank(EndgameSearch *search, const Board *board, Child *children, int first, int count,
                int empties) noexcept nogil:
    """Rank the children from `first` on by what the other side can make of them."""
    cdef int plies = _lookahead_plies(empties)
    cdef int i, value, best = INFINITE - WINDOW_DISCS * search.disc_value
    cdef Parent parent
    if count - first == 1:
        return                    # whatever its rank, it is the next one
    sight_prepare(&search.sight, NULL, board, &parent)
    for i in range(first, count):
        value = lookahead_after(&search.sight, &parent, children[i].square, &children[i].after,
                                plies, NOTHING, best + WINDOW_DISCS * search.disc_value)
        best = min(best, value)
        children[i].rank = value + _reply_malus(search, &children[i].after)


cdef inline const Child *_next(EndgameSearch *search, const Board *board, Child *children, int i,
                               int count, int known_count, int empties) noexcept nogil:
    """Bring what is searched next to place i.

    The table's moves often are enough: the others are ranked only after them.
    """
    if i == known_count:
        _rank(search, board, children, i, count, empties)
    if i >= known_count and count - i > 1:
        _to_place(children, lowest_rank(children, i, count), i)
    return &children[i]


# ---- search -----------------------------------------------------------------------------


cdef inline int _stable_bound(EndgameSearch *search, const Board *board,
                              int alpha) noexcept nogil:
    """An upper bound of the score from the opponent's stable discs."""
    cdef int area = count_bits(search.leaf.squares)
    cdef Board passed
    if area - 2 * count_bits(board.opponent) > alpha:
        return area
    passed = board_passed(board)
    return area - 2 * count_bits(board_stable(&passed, search.leaf.squares))


cdef int _leaf(EndgameSearch *search, const Board *board, int depth, int alpha) noexcept nogil:
    """A null window at a leaf.

    Scores of LEAF_EMPTIES empty squares, the greater part of all leaves, are kept: few of them are
    asked for again by this search, and more by others who share the table or are told its news.
    """
    cdef uint64_t started = search.leaf.nodes
    cdef TableEntry entry
    cdef int score
    if depth < LEAF_EMPTIES:
        return search.sight.kernel.solve(&search.leaf, board.player, board.opponent, alpha)
    if (table_probe(search.table, board.player, board.opponent, depth, &entry)
            and entry_answers(&entry, alpha, alpha + 1, &score)):
        _visit(search)
        return score
    score = search.sight.kernel.solve(&search.leaf, board.player, board.opponent, alpha)
    table_store(search.table, board.player, board.opponent, depth,
                score if score > alpha else -SCORE_MAX, score if score <= alpha else SCORE_MAX,
                SQUARE_NONE, search.leaf.nodes - started)
    return score


cdef int _null_window(EndgameSearch *search, const Board *board, int alpha) noexcept nogil:
    """Search under (alpha, alpha + 1), fail-soft."""
    cdef int score, depth = sight_empties(&search.sight, board)
    cdef TableEntry entry
    cdef bint is_known
    if depth <= LEAF_EMPTIES:
        return _leaf(search, board, depth, alpha)
    _visit(search)
    score = _stable_bound(search, board, alpha)
    if score <= alpha:
        return score
    is_known = table_probe(search.table, board.player, board.opponent, depth, &entry)
    if is_known and entry_answers(&entry, alpha, alpha + 1, &score):
        return score
    if search.judge is not NULL and depth >= JUDGED_EMPTIES:
        score = _judged(search, board, depth, alpha)
        if score != NOTHING:
            return score
    return _null_window_moves(search, board, depth, alpha, &entry if is_known else NULL)


cdef int _judged(EndgameSearch *search, const Board *board, int depth, int alpha) noexcept nogil:
    """A score outside (alpha, alpha + 1) that the judge makes probable, or NOTHING."""
    cdef MidgameSearch *judge = search.judge
    cdef uint64_t before = judge.nodes
    cdef int plies = min(2 * ((depth - 8) // 4), JUDGE_PLIES_MAX)         # 2 at 14, 8 from 24 on
    cdef int value = sight_value(&judge.sight, board)
    cdef int at, score = NOTHING
    if value > DISC * alpha:
        at = DISC * (alpha + 1) + JUDGE_MARGIN
        if at <= VALUE_MAX and midgame_value(judge, board, plies, at - 1, at, value) >= at:
            score = alpha + 1
    else:
        at = DISC * alpha - JUDGE_MARGIN
        if at >= -VALUE_MAX and midgame_value(judge, board, plies, at, at + 1, value) <= at:
            score = alpha
    search.leaf.nodes += judge.nodes - before
    return score


cdef int _null_window_moves(EndgameSearch *search, const Board *board, int depth, int alpha,
                            const TableEntry *known) noexcept nogil:
    cdef uint64_t started = search.leaf.nodes
    cdef Child children[MOVES_MAX]
    cdef const Child *child
    cdef Board passed
    cdef int count, i, score, best, known_count = 0, best_move = SQUARE_NONE
    cdef uint64_t legal = sight_moves(&search.sight, board)
    if legal == 0:
        passed = board_passed(board)
        if sight_moves(&search.sight, &passed) == 0:
            return board_final_score(board, search.leaf.squares)
        return -_null_window(search, &passed, -alpha - 1)
    count = list_children(&search.sight, search.table, board, legal, children)
    best = children_bound(search.table, children, count, depth - 1, alpha + 1)
    if best > alpha:
        return best
    if known is not NULL:
        known_count = _known_first(children, count, known)
    for i in range(count):
        child = _next(search, board, children, i, count, known_count, depth)
        score = -_null_window(search, &child.after, -alpha - 1)
        if score > best:
            best = score
            best_move = child.square
            if best > alpha:
                break
    table_store(search.table, board.player, board.opponent, depth,
                best if best > alpha else -SCORE_MAX, best if best <= alpha else SCORE_MAX,
                best_move, search.leaf.nodes - started)
    return best


cdef int _leaf_window(EndgameSearch *search, const Board *board, int alpha,
                      int beta) noexcept nogil:
    """A full window at a leaf: raise the lower bound by null windows."""
    cdef int score = search.sight.kernel.solve(&search.leaf, board.player, board.opponent, alpha)
    cdef int lower = alpha
    while score > lower and score < beta:
        lower = score
        score = search.sight.kernel.solve(&search.leaf, board.player, board.opponent, lower)
    return max(score, lower) if lower > alpha else score


cdef int _window(EndgameSearch *search, const Board *board, int alpha, int beta) noexcept nogil:
    """Search under (alpha, beta) by PVS, fail-soft."""
    cdef uint64_t started = search.leaf.nodes
    cdef int depth = sight_empties(&search.sight, board)
    cdef Child children[MOVES_MAX]
    cdef const Child *child
    cdef Board passed
    cdef TableEntry entry
    cdef bint is_known
    cdef int count, i, score, best = NOTHING, known_count = 0, best_move = SQUARE_NONE
    cdef uint64_t legal
    if beta == alpha + 1:
        return _null_window(search, board, alpha)
    if depth <= LEAF_EMPTIES:
        return _leaf_window(search, board, alpha, beta)
    _visit(search)
    is_known = table_probe(search.table, board.player, board.opponent, depth, &entry)
    if is_known and entry_answers(&entry, alpha, beta, &score):
        return score
    legal = sight_moves(&search.sight, board)
    if legal == 0:
        passed = board_passed(board)
        if sight_moves(&search.sight, &passed) == 0:
            return board_final_score(board, search.leaf.squares)
        return -_window(search, &passed, -beta, -alpha)
    count = list_children(&search.sight, search.table, board, legal, children)
    if is_known:
        known_count = _known_first(children, count, &entry)
    for i in range(count):
        child = _next(search, board, children, i, count, known_count, depth + 2)
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


# ---- the root ---------------------------------------------------------------------------


cdef inline int _expected(EndgameSearch *search, const Child *child, bint is_ranked,
                          int empties) noexcept nogil:
    """What a look ahead said of a child when it was ranked, or says now."""
    if is_ranked:
        return child.rank - _reply_malus(search, &child.after)
    return lookahead(
        &search.sight, NULL, &child.after, _lookahead_plies(empties), NOTHING, INFINITE)


cdef void endgame_list_root_moves(EndgameSearch *search) noexcept nogil:
    """Fill root_moves in the order of the search; none if the side to move must pass.

    Errors: never fails.  GIL: nogil.
    """
    cdef const Board *root = &search.root
    cdef int depth = sight_empties(&search.sight, root)
    cdef Child children[MOVES_MAX]
    cdef const Child *child
    cdef TableEntry entry
    # A part under a null window, of many, is searched no longer than any node inside.
    cdef int judged = depth if search.beta == search.alpha + 1 else depth + 2
    cdef bint is_known = table_probe(search.table, root.player, root.opponent, depth, &entry)
    cdef int i, count = list_children(
        &search.sight, search.table, root, sight_moves(&search.sight, root), children)
    cdef int known_count = _known_first(children, count, &entry) if is_known else 0
    cdef bint is_ranked
    search.stepped.root_count = count
    for i in range(count):
        child = _next(search, root, children, i, count, known_count, judged)
        search.stepped.root_moves[i].move = child.square
        is_ranked = i >= known_count and count - known_count > 1
        search.stepped.root_moves[i].estimate = -_expected(search, child, is_ranked, judged)
    stepped_forget(search.stepped, SCORE_MAX)


cdef int _root_move_score(EndgameSearch *search, RootMove *move, int alpha, int beta,
                          bint is_first) noexcept nogil:
    """As _move_score, keeping what each search proves of the move."""
    cdef uint64_t started = search.leaf.nodes
    cdef Board after = sight_played(&search.sight, &search.root, move.move)
    cdef int score = NOTHING
    if not is_first:
        score = -_null_window(search, &after, -alpha - 1)
        root_move_narrow(move, score, alpha, alpha + 1)
    if is_first or alpha < score < beta:
        alpha = alpha if is_first else score - 1
        score = -_window(search, &after, -beta, -alpha)
        root_move_narrow(move, score, alpha, beta)
    move.work += search.leaf.nodes - started
    return score


cdef int _root_pass(EndgameSearch *search, int alpha, int beta) noexcept nogil:
    """Search the root's moves under (alpha, beta), but for what is proved already."""
    cdef RootMove *move
    cdef int i, score, best = NOTHING
    _visit(search)
    for i in range(search.stepped.root_count):
        move = &search.stepped.root_moves[i]
        if not root_move_answers(move, max(alpha, best), beta, &score):
            score = _root_move_score(search, move, max(alpha, best), beta, i == 0)
        if score > best:
            best = score
            if best > alpha or search.stepped.best_move == SQUARE_NONE:
                search.stepped.best_move = move.move
            if best >= beta:
                break
    return best


cdef int _first_guess(EndgameSearch *search) noexcept nogil:
    """The evaluation's, as an even number of discs: all scores are even."""
    cdef int value = lookahead(
        &search.sight, NULL, &search.root, GUESS_PLIES, NOTHING, INFINITE)
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
            stepped_best_to_front(search.stepped)
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
    cdef int depth = sight_empties(&search.sight, root)
    if search.stepped.root_count == 0:                  # a pass, or the end
        return _window(search, root, search.alpha, search.beta)
    if search.disc_value and search.beta > search.alpha + 1:
        score = _mtd(search, &lower, &upper)
    else:
        score = _root_pass(search, search.alpha, search.beta)
        lower = score if score > search.alpha else lower
        upper = score if score < search.beta else upper
    table_store(search.table, root.player, root.opponent, depth, lower, upper,
                search.stepped.best_move, search.leaf.nodes - started)
    return score


cdef void endgame_body(void *argument) noexcept nogil:
    """Do the whole search, on its coroutine.  Errors: never fails.  GIL: nogil."""
    cdef EndgameSearch *search = <EndgameSearch *>argument
    search.score = _root(search)
