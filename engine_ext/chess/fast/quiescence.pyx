"""What both the full-width search and its leaves need: draws, the count of nodes, quiescence.

Knows captures and answers to checks.  Must not know depth.
"""

from engine_ext.chess.board cimport (
    CHESS_MOVES_MAX, CHESS_QUEEN, ChessBoardStruct, ChessMove, board_is_check, board_is_dead,
    board_play, chess_kernel)
from engine_ext.chess.evaluation cimport evaluate
from engine_ext.chess.exchange cimport exchange_gains, exchange_value
from engine_ext.chess.fast.table cimport (
    BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, FastEntry, fast_probe, fast_store)
from engine_ext.chess.fast.worker cimport (
    INFINITE, MATE, MATE_BOUND, NO_VALUE, PLY_MAX, Frame, Worker, begin_move,
    frame_at, is_noisy, mate_read, mate_announced, moved_code, pick, quiet_history, taken_code)
from engine_ext.control cimport control_is_stopped, control_step

cdef enum:
    POLL_NODES = 1024         # a fifth of a millisecond to a millisecond
    CLOCK_DRAW = 100          # half-moves
    MARGIN = 160              # a capture that leaves the value so far below alpha is not tried
    FIRST = 1 << 28           # score of the table's move


cdef void count_node(Worker *worker, int ply) noexcept nogil:
    """Count a node, and look now and then whether to stop.  Never fails.  GIL: nogil."""
    worker.nodes += 1
    if ply > worker.selective_depth:
        worker.selective_depth = ply
    if worker.nodes < worker.poll_at:
        return
    worker.poll_at = worker.nodes + POLL_NODES
    if worker.nodes_max:
        worker.poll_at = min(worker.poll_at, worker.nodes_max)
    if worker.control is not NULL:
        control_step(worker.control, worker.nodes - worker.nodes_reported)
        worker.nodes_reported = worker.nodes
    if worker.depth == 0:
        return
    if worker.nodes_max and worker.nodes >= worker.nodes_max:
        worker.is_stopped = True
    if worker.control is not NULL and control_is_stopped(worker.control):
        worker.is_stopped = True


cdef bint is_drawn(Worker *worker, const ChessBoardStruct *board, int ply,
                   bint is_check) noexcept nogil:
    """Tell whether the game is drawn here.

    A position that was there once since the root, or twice before it, counts as repeated.
    Errors: never fails.  GIL: nogil.
    """
    cdef int here = worker.before_count + ply
    cdef int reach = min(min(<int>board.clock, frame_at(worker, ply).since_pass), here)
    cdef int i
    cdef int earlier = 0
    worker.keys[here] = board.key[0]
    if board.clock >= CLOCK_DRAW and not (is_check and chess_kernel().count(board) == 0):
        return True
    for i in range(here - 4, here - reach - 1, -2):
        if worker.keys[i] == board.key[0]:
            earlier += 1
            if i > worker.before_count or earlier == 2:
                return True
    return board_is_dead(board)


cdef void _score(Worker *worker, const ChessBoardStruct *board, int ply, ChessMove first,
                 const ChessMove *moves, int *scores, int count) noexcept nogil:
    """Captures by what they take, dear men first, and cheap men that take; evasions by history."""
    cdef int i
    cdef ChessMove move
    for i in range(count):
        move = moves[i]
        if move == first:
            scores[i] = FIRST
        elif is_noisy(board, move):
            scores[i] = (1 << 20) + 16 * (
                exchange_value(taken_code(board, move))
                + (exchange_value(CHESS_QUEEN) if move >> 12 == CHESS_QUEEN else 0)
            ) - exchange_value(moved_code(board, move)) // 16 + worker.capture_history[
                moved_code(board, move)][move >> 6 & 63][taken_code(board, move)] // 16
        else:
            scores[i] = quiet_history(worker, board, ply, move)


cdef inline bint _answers(const FastEntry *entry, int value, int alpha, int beta) noexcept nogil:
    return entry.bound == BOUND_EXACT or (
        value >= beta if entry.bound == BOUND_LOWER else value <= alpha)


cdef int quiescence(Worker *worker, const ChessBoardStruct *board, int ply, int alpha, int beta,
                    bint is_check) noexcept nogil:
    """Search captures that do not lose, and all answers to checks.

    Source: the usual quiescence search with static exchange evaluation and delta pruning.
    Errors: never fails; worthless once worker.is_stopped.  GIL: nogil.
    """
    cdef FastEntry entry
    cdef Frame *frame = frame_at(worker, ply)
    cdef int value, best, alpha_before = alpha
    cdef int static_value = NO_VALUE
    count_node(worker, ply)
    frame.line_count = 0
    if worker.is_stopped or is_drawn(worker, board, ply, is_check):
        return 0
    if ply >= PLY_MAX - 1:
        return 0 if is_check else evaluate(board)
    entry.move = 0
    if fast_probe(worker.slots, board, &entry):
        value = mate_read(entry.value, ply)
        if beta - alpha == 1 and _answers(&entry, value, alpha, beta):
            return value
        static_value = entry.static_value
    else:
        entry.bound = 0
    best = -INFINITE
    if not is_check:
        if static_value == NO_VALUE:
            static_value = evaluate(board)
        best = static_value
        if entry.bound and (entry.bound == BOUND_EXACT
                            or (value > best) == (entry.bound == BOUND_LOWER)):
            best = value
        if best >= beta:
            return best
        alpha = max(alpha, best)
    best = _captures(worker, board, ply, alpha, beta, best, static_value, &entry)
    if is_check and best == -INFINITE:
        return ply - MATE
    if worker.is_stopped:
        return 0
    entry.value = mate_announced(best, ply)
    entry.static_value = static_value
    entry.depth = 0
    entry.bound = BOUND_LOWER if best >= beta else (
        BOUND_EXACT if beta - alpha_before > 1 and best > alpha_before else BOUND_UPPER)
    fast_store(worker.slots, board, &entry)
    return best


cdef int _captures(Worker *worker, const ChessBoardStruct *board, int ply, int alpha, int beta,
                   int best, int static_value, FastEntry *entry) noexcept nogil:
    """Try what is to be tried; the best move goes to the entry."""
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef int scores[CHESS_MOVES_MAX]
    cdef ChessBoardStruct after
    cdef ChessMove move, best_move = 0
    cdef bint is_check = static_value == NO_VALUE
    cdef int value, i, gain
    cdef int count = (chess_kernel().moves if is_check else chess_kernel().captures)(board, moves)
    _score(worker, board, ply, entry.move, moves, scores, count)
    for i in range(count):
        move = pick(moves, scores, i, count)
        if best > -MATE_BOUND:
            if is_check and not is_noisy(board, move):
                continue
            if not is_check and move >> 12 != CHESS_QUEEN:
                gain = static_value + MARGIN + exchange_value(taken_code(board, move))
                if gain <= alpha:
                    best = max(best, gain)
                    continue
            if not exchange_gains(board, move, 0):
                continue
        board_play(board, move, &after)
        begin_move(worker, board, ply, move)
        value = -quiescence(worker, &after, ply + 1, -beta, -alpha, board_is_check(&after))
        if worker.is_stopped:
            return 0
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                alpha = value
                if value >= beta:
                    break
    entry.move = best_move
    return best
