"""The fast search above its leaves: principal variation search with what makes it selective.

Knows depth, which moves to doubt and which to trust.  Must not know time.  Nothing here is proved:
values depend on what the table holds and on the moves that led to a position.  Sources: the
techniques' usual forms, as the Chess Programming Wiki describes them; the numbers are our own.
"""

from engine_ext.chess.board cimport (
    CHESS_KING, CHESS_MOVES_MAX, CHESS_PAWN, ChessBoardStruct, ChessMove, board_is_check,
    board_pass, board_play, chess_kernel, chess_men)
from engine_ext.chess.evaluation cimport evaluate
from engine_ext.chess.exchange cimport exchange_gains
from engine_ext.chess.fast.node cimport (
    Node, entry_answers, extend_line, learn, next_move, score_moves)
from engine_ext.chess.fast.quiescence cimport count_node, is_drawn, quiescence
from engine_ext.chess.fast.table cimport (
    BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, fast_prefetch, fast_probe, fast_store)
from engine_ext.chess.fast.worker cimport (
    INFINITE, MATE, MATE_BOUND, NO_VALUE, PLY_MAX, QUEUE_MAX, Frame, Worker, begin_move, frame_at,
    is_noisy, mate_read, mate_announced, pick, quiet_history)

cdef enum:
    # Whole nodes given up at null windows, by depth in plies and values in centipawns.
    FUTILE_DEPTH = 8
    FUTILE_MARGIN = 75
    RAZOR_DEPTH = 3
    RAZOR_MARGIN = 280
    PASS_DEPTH = 3
    PASS_VERIFIED_DEPTH = 13
    PROB_DEPTH = 5
    PROB_MARGIN = 170
    # Moves given up.
    LATE_DEPTH = 8
    QUIET_DEPTH = 8
    QUIET_MARGIN = 110
    LOSS_DEPTH = 8
    HISTORY_DEPTH = 4
    # The table's move alone holds a node together.
    SINGULAR_DEPTH = 7
    REDUCTION_ONE = 1024      # a ply

cdef int _REDUCTION[64][64]   # by depth and number of the move, in REDUCTION_ONE

# ---- whole nodes given up ----------------------------------------------------------------------


cdef inline bint _has_pieces(const ChessBoardStruct *board) noexcept nogil:
    """Whether the side to move has more than its king and pawns."""
    return board.us & ~(chess_men(board, CHESS_PAWN) | chess_men(board, CHESS_KING)) != 0


cdef int _passed(Worker *worker, Node *node) noexcept nogil:
    """Search a pass with less depth; NO_VALUE unless it is still too good for the other side."""
    cdef ChessBoardStruct after
    cdef int value, alone, below = node.depth - (
        3 + node.depth // 3 + min((node.estimate - node.beta) // 180, 3))
    board_pass(node.board, &after)
    begin_move(worker, node.board, node.ply, 0)
    fast_prefetch(worker.slots, &after)
    value = -_value(worker, &after, node.ply + 1, below, -node.beta, 1 - node.beta,
                    not node.is_cut, False)
    if worker.is_stopped or value < node.beta:
        return NO_VALUE
    value = min(value, MATE_BOUND - 1)
    if node.depth < PASS_VERIFIED_DEPTH or worker.pass_from_ply:
        return value
    worker.pass_from_ply = node.ply + 3 * below // 4 + 1
    alone = _value(worker, node.board, node.ply, below, node.beta - 1, node.beta, False, False)
    worker.pass_from_ply = 0
    return value if alone >= node.beta and not worker.is_stopped else NO_VALUE


cdef int _probable(Worker *worker, Node *node) noexcept nogil:
    """Try captures that win a lot, with less depth; NO_VALUE unless one is far too good."""
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef int scores[CHESS_MOVES_MAX]
    cdef ChessBoardStruct after
    cdef ChessMove move
    cdef bint is_check
    cdef int i, value, bound = node.beta + PROB_MARGIN
    cdef int count = chess_kernel().captures(node.board, moves)
    score_moves(worker, node, moves, scores, count)
    for i in range(count):
        move = pick(moves, scores, i, count)
        if not exchange_gains(node.board, move, bound - node.static_value):
            continue
        board_play(node.board, move, &after)
        begin_move(worker, node.board, node.ply, move)
        is_check = board_is_check(&after)
        value = -quiescence(worker, &after, node.ply + 1, -bound, 1 - bound, is_check)
        if value >= bound:
            value = -_value(worker, &after, node.ply + 1, node.depth - 4, -bound, 1 - bound,
                            not node.is_cut, is_check)
        if worker.is_stopped:
            return NO_VALUE
        if value >= bound:
            node.entry.move = move
            _keep(worker, node, value, node.depth - 3, BOUND_LOWER)
            return value
    return NO_VALUE


cdef int _given_up(Worker *worker, Node *node) noexcept nogil:
    """The value of a node at a null window that need not be searched; NO_VALUE if it must be."""
    cdef int value
    cdef int beta = node.beta
    if (node.depth <= FUTILE_DEPTH and -MATE_BOUND < beta and node.estimate < MATE_BOUND
            and node.estimate - FUTILE_MARGIN * (node.depth - node.is_improving) >= beta):
        return (node.estimate + beta) // 2
    if node.depth <= RAZOR_DEPTH and node.estimate + RAZOR_MARGIN * node.depth < node.alpha:
        value = quiescence(worker, node.board, node.ply, node.alpha, beta, False)
        if value <= node.alpha and not worker.is_stopped:
            return value
    if (node.depth >= PASS_DEPTH and node.estimate >= beta and node.static_value >= beta - 100
            and frame_at(worker, node.ply - 1).move and node.ply >= worker.pass_from_ply
            and beta > -MATE_BOUND and _has_pieces(node.board)):
        value = _passed(worker, node)
        if value != NO_VALUE:
            return value
    if (node.depth >= PROB_DEPTH and -MATE_BOUND < beta < MATE_BOUND - PROB_MARGIN
            and not (node.is_known and node.entry.depth >= node.depth - 3
                     and mate_read(node.entry.value, node.ply) < beta + PROB_MARGIN)):
        return _probable(worker, node)
    return NO_VALUE


cdef inline void _keep(Worker *worker, Node *node, int value, int depth, int bound) noexcept nogil:
    node.entry.value = mate_announced(value, node.ply)
    node.entry.static_value = node.static_value
    node.entry.depth = max(depth, 0)
    node.entry.bound = bound
    fast_store(worker.slots, node.board, &node.entry)


# ---- a node ------------------------------------------------------------------------------------


cdef int _value(Worker *worker, const ChessBoardStruct *board, int ply, int depth, int alpha,
                int beta, bint is_cut, bint is_check) noexcept nogil:
    """Search under (alpha, beta), fail-soft; worthless once worker.is_stopped."""
    cdef Node node
    cdef Frame *frame = frame_at(worker, ply)
    cdef int value
    if depth <= 0:
        return quiescence(worker, board, ply, alpha, beta, is_check)
    count_node(worker, ply)
    frame.line_count = 0
    if worker.is_stopped or is_drawn(worker, board, ply, is_check):
        return 0
    if ply >= PLY_MAX - 1:
        return 0 if is_check else evaluate(board)
    alpha = max(alpha, ply - MATE)
    beta = min(beta, MATE - ply - 1)
    if alpha >= beta:
        return alpha
    node.board = board
    node.ply, node.depth, node.alpha, node.beta = ply, depth, alpha, beta
    node.is_pv, node.is_cut, node.is_check = beta - alpha > 1, is_cut, is_check
    node.entry.move = 0
    node.is_known = frame.excluded == 0 and fast_probe(worker.slots, board, &node.entry)
    if node.is_known and not node.is_pv and node.entry.depth >= depth and board.clock < 90:
        value = mate_read(node.entry.value, ply)
        if entry_answers(&node.entry, value, beta):
            return value
    _probe(worker, &node)
    if not node.is_pv and not is_check and not frame.excluded:
        value = _given_up(worker, &node)
        if value != NO_VALUE or worker.is_stopped:
            return value
    if node.entry.move == 0 and depth >= 4 and (node.is_pv or is_cut):
        node.depth -= 1       # the next iteration will know a move to begin with
    return _moves_value(worker, &node)


cdef void _probe(Worker *worker, Node *node) noexcept nogil:
    """Value the position at a look, and tell whether the side to move has gained of late."""
    cdef Frame *frame = frame_at(worker, node.ply)
    cdef int before
    cdef int value
    frame_at(worker, node.ply + 2).killers[0] = 0
    frame_at(worker, node.ply + 2).killers[1] = 0
    node.is_improving = False
    if node.is_check:
        node.static_value = node.estimate = frame.static_value = NO_VALUE
        return
    if frame.excluded:
        node.static_value = frame.static_value
    else:
        node.static_value = node.entry.static_value if node.is_known else NO_VALUE
        if node.static_value == NO_VALUE:
            node.static_value = evaluate(node.board)
    node.estimate = frame.static_value = node.static_value
    if node.is_known:
        value = mate_read(node.entry.value, node.ply)
        if entry_answers(&node.entry, value, node.estimate):
            node.estimate = value
    before = frame_at(worker, node.ply - 2).static_value
    if before == NO_VALUE:
        before = frame_at(worker, node.ply - 4).static_value
    node.is_improving = before != NO_VALUE and node.static_value > before


cdef inline bint _is_doubtful(Worker *worker, const Node *node, ChessMove move, int number,
                              bint is_quiet, bint gives_check) noexcept nogil:
    """Whether a move need not be tried, as another one has been and no mate is in sight."""
    cdef int depth = node.depth
    cdef int lower
    if not is_quiet:
        return depth <= LOSS_DEPTH and not exchange_gains(node.board, move, -100 * depth)
    if gives_check:
        return depth <= LOSS_DEPTH and not exchange_gains(node.board, move, -60 * depth)
    if depth <= LATE_DEPTH and number > (4 + depth * depth) // (1 if node.is_improving else 2):
        return True
    lower = max(depth - _REDUCTION[min(depth, 63)][min(number, 63)] // REDUCTION_ONE, 1)
    if (lower <= QUIET_DEPTH and not node.is_check
            and node.static_value + QUIET_MARGIN + 90 * lower <= node.alpha):
        return True
    if depth <= HISTORY_DEPTH and quiet_history(
            worker, node.board, node.ply, move) < -3500 * depth:
        return True
    return lower <= LOSS_DEPTH and not exchange_gains(node.board, move, -24 * lower * lower)


cdef int _extension(Worker *worker, Node *node, ChessMove move, bint gives_check) noexcept nogil:
    """How many plies deeper a move is searched.

    One if the table's move is the only good one, two if by far, one for a check that loses
    nothing, less than none if others are as good; NO_VALUE if others refute too: the node is done.
    """
    cdef Frame *frame = frame_at(worker, node.ply)
    cdef int known, bound, value
    if node.ply >= 2 * (worker.depth + 1):
        return 0
    if (move == node.entry.move and node.is_known and frame.excluded == 0
            and node.depth >= SINGULAR_DEPTH and node.entry.bound != BOUND_UPPER
            and node.entry.depth >= node.depth - 3):
        known = mate_read(node.entry.value, node.ply)
        if -MATE_BOUND < known < MATE_BOUND:
            bound = known - 2 * node.depth
            frame.excluded = move
            value = _value(worker, node.board, node.ply, (node.depth - 1) // 2, bound - 1, bound,
                           node.is_cut, node.is_check)
            frame.excluded = 0
            if value < bound:
                return 1 + (not node.is_pv and value < bound - 20)
            if bound >= node.beta and not node.is_pv:
                return NO_VALUE
            return -1 if known >= node.beta else 0
    return gives_check and node.depth <= 8 and exchange_gains(node.board, move, 0)


cdef int reduction_of(Worker *worker, const Node *node, ChessMove move, int number, bint is_quiet,
                      bint gives_check) noexcept nogil:
    """How many plies less a late move is searched at first."""
    if node.depth < 3 or number < 2 + node.is_pv:
        return 0
    cdef int reduction = _REDUCTION[min(node.depth, 63)][min(number, 63)]
    if is_quiet:
        reduction -= quiet_history(worker, node.board, node.ply, move) * REDUCTION_ONE // 9000
        if frame_at(worker, node.ply).killers[0] == move:
            reduction -= REDUCTION_ONE
    else:
        reduction = reduction // 2
    if node.is_cut:
        reduction += REDUCTION_ONE
    if node.is_pv:
        reduction -= REDUCTION_ONE
    if not node.is_improving:
        reduction += REDUCTION_ONE // 2
    if gives_check:
        reduction -= REDUCTION_ONE
    if node.entry.move and is_noisy(node.board, node.entry.move):
        reduction += REDUCTION_ONE // 2
    return max(reduction, 0) // REDUCTION_ONE


cdef int child_value(Worker *worker, const Node *node, const ChessBoardStruct *after, int number,
                     int depth, int reduction, bint gives_check) noexcept nogil:
    """Search after a move: late ones with less depth, all but the first at a null window first."""
    cdef int value = NO_VALUE
    cdef int ply = node.ply + 1
    cdef int alpha = node.alpha
    cdef int less
    if reduction > 0 and depth > 1:
        less = max(depth - reduction, 1)
        value = -_value(worker, after, ply, less, -alpha - 1, -alpha, True, gives_check)
        if value > alpha and less < depth:
            value = -_value(worker, after, ply, depth, -alpha - 1, -alpha, not node.is_cut,
                            gives_check)
    elif not node.is_pv or number > 1:
        value = -_value(worker, after, ply, depth, -alpha - 1, -alpha, not node.is_cut,
                        gives_check)
    if node.is_pv and (number == 1 or alpha < value):
        value = -_value(worker, after, ply, depth, -node.beta, -alpha, False, gives_check)
    return value


cdef int _moves_value(Worker *worker, Node *node) noexcept nogil:
    """Try the moves."""
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef int scores[CHESS_MOVES_MAX]
    cdef ChessMove quiets[QUEUE_MAX]
    cdef ChessMove captures[QUEUE_MAX]
    cdef ChessBoardStruct after
    cdef ChessMove move, best_move = 0
    cdef int i, value, extension, best = -INFINITE
    cdef int number = 0, quiet_count = 0, capture_count = 0
    cdef bint is_quiet, gives_check
    cdef ChessMove excluded = frame_at(worker, node.ply).excluded
    cdef int count = chess_kernel().moves(node.board, moves)
    if count == 0:
        return node.ply - MATE if node.is_check else 0
    score_moves(worker, node, moves, scores, count)
    for i in range(count):
        move = next_move(node, moves, scores, i, count)
        if move == excluded:
            continue
        number += 1
        is_quiet = not is_noisy(node.board, move)
        board_play(node.board, move, &after)
        fast_prefetch(worker.slots, &after)
        gives_check = board_is_check(&after)
        if best > -MATE_BOUND and _has_pieces(node.board) and _is_doubtful(
                worker, node, move, number, is_quiet, gives_check):
            continue
        extension = _extension(worker, node, move, gives_check)
        if worker.is_stopped:
            return 0
        if extension == NO_VALUE:
            return node.beta
        begin_move(worker, node.board, node.ply, move)
        value = child_value(worker, node, &after, number, node.depth - 1 + extension, reduction_of(
            worker, node, move, number, is_quiet, gives_check), gives_check)
        if worker.is_stopped:
            return 0
        if value > best:
            best = value
            if value > node.alpha:
                best_move = move
                node.alpha = value
                if node.is_pv:
                    extend_line(worker, node.ply, move)
                if value >= node.beta:
                    learn(worker, node, move, quiets, quiet_count, captures, capture_count)
                    break
        if is_quiet and quiet_count < QUEUE_MAX:
            quiets[quiet_count] = move
            quiet_count += 1
        elif not is_quiet and capture_count < QUEUE_MAX:
            captures[capture_count] = move
            capture_count += 1
    if excluded:
        return best if number else node.alpha
    _keep_best(worker, node, best, best_move)
    return best


cdef inline void _keep_best(Worker *worker, Node *node, int best, ChessMove move) noexcept nogil:
    if move or not node.is_known:
        node.entry.move = move
    _keep(worker, node, best, node.depth, BOUND_LOWER if best >= node.beta else (
        BOUND_EXACT if node.is_pv and move else BOUND_UPPER))


# ---- how much less a late move is searched -------------------------------------------------------


def _logarithm(number):
    """Return 1024 times the natural logarithm of 1 and more, of integers alone."""
    bits = number.bit_length() - 1
    rest = (number << 20) >> bits
    logarithm = bits << 10
    for bit in range(9, -1, -1):
        rest = rest * rest >> 20
        if rest >= 2 << 20:
            rest >>= 1
            logarithm += 1 << bit
    return logarithm * 710 // 1024


def _set_reductions():
    for depth in range(1, 64):
        for number in range(1, 64):
            product = _logarithm(depth) * _logarithm(number) // 1024
            _REDUCTION[depth][number] = 700 + product * 4 // 9 if number > 1 else 0


_set_reductions()
