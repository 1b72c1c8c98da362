"""The search of the reproducible value: alpha-beta with a table, whatever order finds it soonest.

Knows how to search.  Must not know what counts (listing.pyx), nor what values are used for.

A search under (alpha, beta) is fail-soft: value <= alpha proves V <= value, value >= beta proves
V >= value, and between them value is V.  Entries of the table are bounds of V at exactly their
depth.  What is remembered of moves changes their order and nothing else.
"""

from libc.stdint cimport int16_t, uint8_t, uint64_t
from engine_ext.chess.board cimport (
    CHESS_CASTLING, CHESS_EN_PASSANT, CHESS_MOVES_MAX, CHESS_NONE, CHESS_QUEEN, ChessMove,
    board_is_check, chess_code, chess_kernel)
from engine_ext.chess.exact.leaf cimport leaf_value, still_value
from engine_ext.chess.exact.listing cimport (
    NOT_MATED, NOT_REDUCED, Listed, list_moves, may_pass, option_value, the_pass)
from engine_ext.chess.exact.node cimport (
    MATE, NOTHING, VALUE_MAX, node_is_drawn, node_key, node_play)
from engine_ext.search.stepped cimport stepped_poll
from engine_ext.search.table cimport (
    TableEntry, entry_answers, table_move, table_prefetch, table_probe, table_store)

cdef enum:
    HISTORY_MAX = 8192


cdef inline int _both(ValueSearch *search, const ExactNode *after, const Listed *listed, int alpha,
                      int beta) noexcept nogil:
    """The move's value: the lesser of both depths, the lesser depth first."""
    cdef int value = VALUE_MAX
    if listed.reduced != NOT_REDUCED:
        value = -exact_value(search, after, listed.reduced, -beta, -alpha)
        if value <= alpha:
            return value
    return min(value, -exact_value(search, after, listed.depth, -beta, -alpha))


cdef int listed_value(ValueSearch *search, const ExactNode *node, const Listed *listed, int alpha,
                      int beta) noexcept nogil:
    """What a move counts but for its cap, fail-soft.  Errors: never fails.  GIL: nogil."""
    cdef ExactNode after
    node_play(node, listed.move, &after)
    return _both(search, &after, listed, alpha, beta)


cdef int _move_value(ValueSearch *search, const ExactNode *node, const Listed *listed, int alpha,
                     int beta, bint is_first) noexcept nogil:
    """The same, at a null window first unless it is the first."""
    cdef ExactNode after
    cdef uint64_t first, second
    cdef int value
    cdef int high = min(beta, <int>listed.cap)
    node_play(node, listed.move, &after)
    node_key(&after, listed.depth, search.before, &first, &second)
    table_prefetch(search.table, first, second)
    if not is_first and high > alpha + 1:
        value = _both(search, &after, listed, alpha, alpha + 1)
        if value <= alpha or value >= high:
            return min(value, <int>listed.cap)
    return min(<int>listed.cap, _both(search, &after, listed, alpha, high))


cdef inline int _order(const ValueSearch *search, const ExactNode *node, int depth,
                       const Listed *listed, int place, ChessMove known) noexcept nogil:
    """When a listed move is tried, the greatest first."""
    cdef ChessMove move = listed.move
    if move == known:
        return 1 << 28
    if move >> 12 != CHESS_CASTLING and (
            chess_code(&node.board, move >> 6 & 63) != CHESS_NONE
            or move >> 12 in (CHESS_EN_PASSANT, CHESS_QUEEN)):
        return (-(1 << 20) if listed.loses else 1 << 20) - place
    if move == search.killers[depth][0]:
        return (1 << 19) + 1
    if move == search.killers[depth][1]:
        return 1 << 19
    return search.history[node.board.is_black][move & 0xFFF] - 32 * place


cdef inline void _learn(ValueSearch *search, const ExactNode *node, int depth,
                        const Listed *listed, const uint8_t *tried, int count) noexcept nogil:
    """Have the quiet move that was enough tried sooner, and those before it later."""
    cdef int i, bonus = min(depth * depth * 4, 400)
    cdef ChessMove move = listed[tried[count - 1]].move
    if chess_code(&node.board, move >> 6 & 63) != CHESS_NONE and move >> 12 != CHESS_CASTLING:
        return
    if search.killers[depth][0] != move:
        search.killers[depth][1] = search.killers[depth][0]
        search.killers[depth][0] = move
    for i in range(count):
        _add(&search.history[node.board.is_black][listed[tried[i]].move & 0xFFF],
             bonus if i == count - 1 else -bonus)


cdef inline void _add(int16_t *history, int bonus) noexcept nogil:
    history[0] += <int16_t>(bonus - history[0] * (bonus if bonus > 0 else -bonus) // HISTORY_MAX)


cdef int exact_value(ValueSearch *search, const ExactNode *node, int depth, int alpha,
                     int beta) noexcept nogil:
    """Search under (alpha, beta), fail-soft.  Errors: never fails.  GIL: nogil."""
    cdef TableEntry entry
    cdef uint64_t first, second
    cdef int value, static_value = NOTHING
    cdef bint is_check = board_is_check(&node.board)
    search.nodes += 1
    if node_is_drawn(node, search.before):
        return -MATE - depth if is_check and chess_kernel().count(&node.board) == 0 else 0
    if depth == 0:
        return leaf_value(&node.board, alpha, beta, is_check, &search.nodes)
    if alpha >= MATE + depth:
        return MATE + depth       # nobody mates sooner
    if search.nodes >= search.poll_at:
        stepped_poll(search.stepped)
    node_key(node, depth, search.before, &first, &second)
    if table_probe(search.table, first, second, depth, &entry):
        if entry_answers(&entry, alpha, beta, &value):
            return value
    if not is_check:
        static_value = still_value(&node.board)
        value = option_value(node, depth, static_value)
        if value >= beta:
            return value
    return _searched(search, node, depth, alpha, beta, static_value, first, second)


cdef int _passed(ValueSearch *search, const ExactNode *node, int depth, int alpha,
                 int beta) noexcept nogil:
    """What the pass counts."""
    cdef ExactNode after
    cdef Listed listed = the_pass(depth)
    node_play(node, 0, &after)
    # The other side may leave it at that.
    cdef int most = -still_value(&after.board)
    return most if most <= alpha else -exact_value(search, &after, listed.depth, -beta, -alpha)


cdef int _searched(ValueSearch *search, const ExactNode *node, int depth, int alpha, int beta,
                   int static_value, uint64_t first, uint64_t second) noexcept nogil:
    """Search what counts, and keep what is proved."""
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef Listed listed[CHESS_MOVES_MAX]
    cdef uint64_t started = search.nodes
    cdef ChessMove best_move = search.table.no_move
    cdef bint has_dropped
    cdef int best = option_value(node, depth, static_value)
    cdef int count = chess_kernel().moves(&node.board, moves)
    if count == 0:
        return 0 if static_value != NOTHING else -MATE - depth
    if may_pass(node, depth, static_value == NOTHING):
        best = max(best, _passed(search, node, depth, max(alpha, best), beta))
    if best < beta:
        count = list_moves(node, depth, static_value, moves, count, listed, &has_dropped)
        if has_dropped:
            best = max(best, NOT_MATED)
        best = _best_of(search, node, depth, alpha, beta, best, listed, count,
                        table_move(search.table, first, second), &best_move)
    table_store(search.table, first, second, depth, best if best > alpha else -VALUE_MAX,
                best if best < beta else VALUE_MAX, best_move, search.nodes - started)
    return best


cdef int _best_of(ValueSearch *search, const ExactNode *node, int depth, int alpha, int beta,
                  int best, const Listed *listed, int count, int known,
                  ChessMove *best_move) noexcept nogil:
    """The best of the moves and of `best`, fail-soft."""
    cdef int orders[CHESS_MOVES_MAX]
    cdef uint8_t places[CHESS_MOVES_MAX]
    cdef int i, at, value, floor, place, order
    for i in range(count):
        order = _order(search, node, depth, &listed[i], i, <ChessMove>known)
        at = i
        while at > 0 and orders[at - 1] < order:
            orders[at] = orders[at - 1]
            places[at] = places[at - 1]
            at -= 1
        orders[at] = order
        places[at] = <uint8_t>i
    for i in range(count):
        place = places[i]
        floor = max(alpha, best)
        if listed[place].cap <= floor:
            best = max(best, <int>listed[place].cap)
            continue
        value = _move_value(search, node, &listed[place], floor, beta, i == 0)
        if value > best:
            best = value
            if value > alpha:
                best_move[0] = listed[place].move
            if best >= beta:
                _learn(search, node, depth, listed, places, i + 1)
                break
    return best
