# A node of the full-width search, and the order in which its moves are tried.

from libc.string cimport memcpy
from engine_ext.chess.board cimport (
    CHESS_CASTLING, CHESS_QUEEN, ChessBoardStruct, ChessMove)
from engine_ext.chess.exchange cimport exchange_gains, exchange_value
from engine_ext.chess.fast.table cimport BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, FastEntry
from engine_ext.chess.fast.worker cimport (
    Frame, Worker, add_bonus, frame_at, is_noisy, moved_code, pick, quiet_history, taken_code)

cdef enum:
    # Scores: the table's move, captures that win, killers, quiet moves by history, the rest.
    FIRST = 1 << 28
    WINNING = 1 << 24
    KILLER = 1 << 20
    LOSING = -(1 << 24)

ctypedef struct Node:
    const ChessBoardStruct *board
    int ply
    int depth
    int alpha
    int beta
    bint is_pv
    bint is_cut               # a move that refutes is expected
    bint is_check
    bint is_improving
    bint is_known
    int static_value          # NO_VALUE: in check
    int estimate              # static value, or what the table knows better
    FastEntry entry


cdef inline bint entry_answers(const FastEntry *entry, int value, int beta) noexcept nogil:
    return entry.bound == BOUND_EXACT or entry.bound == (
        BOUND_LOWER if value >= beta else BOUND_UPPER)


cdef inline void extend_line(Worker *worker, int ply, ChessMove move) noexcept nogil:
    """The best line from here is a move and the best line after it."""
    cdef Frame *frame = frame_at(worker, ply)
    cdef const Frame *next = frame_at(worker, ply + 1)
    frame.line[0] = move
    memcpy(&frame.line[1], next.line, next.line_count * sizeof(ChessMove))
    frame.line_count = next.line_count + 1


cdef inline void learn_quiet(Worker *worker, const Node *node, ChessMove move,
                             int bonus) noexcept nogil:
    cdef int code = moved_code(node.board, move)
    cdef int to = move >> 6 & 63
    cdef int back
    add_bonus(&worker.history[node.board.is_black][move & 0xFFF], bonus)
    for back in range(1, 5):
        if back != 3 and frame_at(worker, node.ply - back).move:
            add_bonus(&frame_at(worker, node.ply - back).continuation[0][code][to], bonus)


cdef inline void learn_capture(Worker *worker, const Node *node, ChessMove move,
                               int bonus) noexcept nogil:
    add_bonus(&worker.capture_history[moved_code(node.board, move)][move >> 6 & 63][
        taken_code(node.board, move)], bonus)


cdef inline void learn(Worker *worker, const Node *node, ChessMove best,
                       const ChessMove *quiets, int quiet_count,
                       const ChessMove *captures, int capture_count) noexcept nogil:
    """Have the move that refuted be tried earlier, and those tried in vain before it later."""
    cdef int bonus = min(150 * node.depth - 60, 1600)
    cdef int i
    cdef Frame *frame = frame_at(worker, node.ply)
    if is_noisy(node.board, best):
        learn_capture(worker, node, best, bonus)
    else:
        learn_quiet(worker, node, best, bonus)
        if frame.killers[0] != best:
            frame.killers[1] = frame.killers[0]
            frame.killers[0] = best
        for i in range(quiet_count):
            learn_quiet(worker, node, quiets[i], -bonus)
    for i in range(capture_count):
        learn_capture(worker, node, captures[i], -bonus)


cdef inline void score_moves(Worker *worker, const Node *node, const ChessMove *moves, int *scores,
                             int count) noexcept nogil:
    cdef const Frame *frame = frame_at(worker, node.ply)
    cdef int i
    cdef ChessMove move
    for i in range(count):
        move = moves[i]
        if move == node.entry.move:
            scores[i] = FIRST
        elif is_noisy(node.board, move):
            scores[i] = WINNING + 16 * exchange_value(taken_code(node.board, move)) + (
                16 * exchange_value(CHESS_QUEEN) if move >> 12 == CHESS_QUEEN else 0
            ) + worker.capture_history[moved_code(node.board, move)][move >> 6 & 63][
                taken_code(node.board, move)] // 4
        elif move == frame.killers[0]:
            scores[i] = KILLER + 1
        elif move == frame.killers[1]:
            scores[i] = KILLER
        elif move >> 12 and move >> 12 != CHESS_CASTLING:
            scores[i] = LOSING // 2         # a knight, a bishop or a rook of a pawn
        else:
            scores[i] = quiet_history(worker, node.board, node.ply, move)


cdef inline ChessMove next_move(const Node *node, ChessMove *moves, int *scores, int first,
                                int count) noexcept nogil:
    """Bring the next move to `first`; captures that lose go behind the quiet moves."""
    cdef ChessMove move
    while True:
        move = pick(moves, scores, first, count)
        if not WINNING // 2 < scores[first] < FIRST or exchange_gains(node.board, move, 0):
            return move
        scores[first] += LOSING - WINNING
