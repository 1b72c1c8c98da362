"""What a node's value is made of: which moves count, and how deep they are searched.

Knows what makes a search selective, each part of it as a function of the position and its depth
alone: no window, history or table decides what counts.  Must not know how a value is found.

V(node, depth) is the best of
* each move listed: -V(after, depth - 1); for late moves the lesser of that and the same with less
  depth, so that a search may look there first; near the leaves quiet moves count no more than the
  evaluation and a margin, and the latest do not count;
* the pass, with less depth, after which the other side may leave it at the evaluation;
* up to OPTION_DEPTH the evaluation less a margin; "not mated" where moves do not count.

In full width it is the best of -V(after, depth - 1) of all moves.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint64_t
from engine_ext.chess.board cimport (
    CHESS_BISHOP, CHESS_CASTLING, CHESS_EN_PASSANT, CHESS_KING, CHESS_KNIGHT, CHESS_MOVES_MAX,
    CHESS_NONE, CHESS_PAWN, CHESS_QUEEN, CHESS_ROOK, ChessBoard, ChessBoardStruct, ChessKernel,
    ChessMove, board_is_check, board_play, chess_code, chess_kernel, chess_men, chess_occupied,
    chess_pawn_attacks, chess_their_pawn_attacks, knight_attacks, move_name)
from engine_ext.chess.evaluation cimport placement
from engine_ext.chess.exact.leaf cimport leaf_value, still_value
from engine_ext.chess.exact.node cimport (
    MATE, NODE_FULL_WIDTH, NODE_PASSED, NODE_ROOT, NOTHING, node_has_pieces)
from engine_ext.chess.exchange cimport exchange_gains, exchange_value

cdef extern from *:
    int first_bit "__builtin_ctzll" (uint64_t) noexcept nogil

cdef enum:
    OPTION_MARGIN = 80        # centipawns a ply
    QUIET_MARGIN = 120        # and QUIET_PLY a ply: what a quiet move can gain near the leaves
    QUIET_PLY = 88
    LOSS_PLY = 100            # captures that lose more do not count near the leaves
    QUIET_LOSS = 24           # a ply squared: the same of quiet moves
    REDUCED_DEPTH = 3         # from here on late moves are reduced
    REDUCED_FROM = 3          # by their place, from 0
    # Quiet moves are ranked by the evaluation after them, and further up by captures then.
    STATIC_DEPTH = 3
    LEAF_DEPTH = 6
    GOOD = 1 << 20            # ranks: captures that lose nothing, quiet moves, other captures
    BAD = -(1 << 20)

cdef int _LOG[256]            # 16 log2, rounded down


cdef inline bint _takes(const ChessBoardStruct *board, ChessMove move) noexcept nogil:
    """Whether a move takes or becomes a queen."""
    cdef int kind = move >> 12
    if kind == CHESS_CASTLING:
        return False
    return kind == CHESS_EN_PASSANT or kind == CHESS_QUEEN or chess_code(
        board, move >> 6 & 63) != CHESS_NONE


cdef bint _checks(const ChessBoardStruct *board, ChessMove move) noexcept nogil:
    """Whether the man that moves gives check from where it goes."""
    cdef const ChessKernel *kernel = chess_kernel()
    cdef int to = move >> 6 & 63
    cdef int kind = move >> 12
    cdef uint64_t place = <uint64_t>1 << to
    cdef uint64_t king = chess_men(board, CHESS_KING) & ~board.us
    cdef uint64_t occupied = (chess_occupied(board) & ~(<uint64_t>1 << (move & 63))) | place
    cdef int code = chess_code(board, move & 63)
    if kind == CHESS_CASTLING or code == CHESS_KING:
        return False
    if kind > CHESS_EN_PASSANT:
        code = kind
    if code == CHESS_PAWN:
        return chess_pawn_attacks(place) & king != 0
    if code == CHESS_KNIGHT:
        return knight_attacks(to) & king != 0
    if code != CHESS_ROOK and kernel.diagonal(to, occupied) & king:
        return True
    return code != CHESS_BISHOP and kernel.straight(to, occupied) & king != 0


cdef int _quiet_rank(const ChessBoardStruct *board, ChessMove move, int depth,
                     uint64_t feared) noexcept nogil:
    """How good a quiet move looks, in centipawns; `feared` is what their pawns attack."""
    cdef ChessBoardStruct after
    cdef uint64_t nodes = 0
    cdef int code, start = move & 63, to = move >> 6 & 63
    if depth >= STATIC_DEPTH:
        board_play(board, move, &after)
        if depth < LEAF_DEPTH:
            return -still_value(&after) - (0 if exchange_gains(board, move, 0) else 200)
        return -leaf_value(&after, -MATE, MATE, board_is_check(&after), &nodes)
    if move >> 12 == CHESS_CASTLING:
        return 50
    code = chess_code(board, start)
    if move >> 12:
        return -exchange_value(CHESS_PAWN)      # a knight, a bishop or a rook of a pawn
    return placement(code, to) - placement(code, start) + (
        (<int>(feared >> start & 1) - <int>(feared >> to & 1)) * exchange_value(code) // 2)


cdef void _rank(const ExactNode *node, const ChessMove *moves, int count, int depth,
                int64_t *ranks) noexcept nogil:
    """Rank all moves, in descending order: rank << 8 | 255 - place, so that no two are equal."""
    cdef const ChessBoardStruct *board = &node.board
    cdef uint64_t feared = chess_their_pawn_attacks(chess_men(board, CHESS_PAWN) & ~board.us)
    cdef int64_t rank
    cdef int i, at
    for i in range(count):
        if _takes(board, moves[i]):
            rank = 16 * exchange_value(
                CHESS_PAWN if moves[i] >> 12 == CHESS_EN_PASSANT
                else chess_code(board, moves[i] >> 6 & 63)) - chess_code(board, moves[i] & 63)
            if moves[i] >> 12 == CHESS_QUEEN:
                rank += 16 * exchange_value(CHESS_QUEEN)
            rank += GOOD if exchange_gains(board, moves[i], 0) else BAD
        else:
            rank = _quiet_rank(board, moves[i], depth, feared)
        rank = rank * 256 + 255 - i
        at = i
        while at > 0 and ranks[at - 1] < rank:
            ranks[at] = ranks[at - 1]
            at -= 1
        ranks[at] = rank


cdef inline bint _is_dropped(const ChessBoardStruct *board, ChessMove move, int place, int depth,
                             bint is_quiet) noexcept nogil:
    """Whether a move that gives no check does not count so near the leaves."""
    if is_quiet:
        return place >= 3 + depth * depth or not exchange_gains(
            board, move, -QUIET_LOSS * depth * depth)
    return not exchange_gains(board, move, -LOSS_PLY * depth)


cdef inline int _reduction(int depth, int place, bint is_check, bint gives_check) noexcept nogil:
    """How many plies less a late move may be searched."""
    cdef int reduction
    if depth < REDUCED_DEPTH or place < REDUCED_FROM:
        return 0
    if is_check:
        return 1
    reduction = (820 + _LOG[depth] * _LOG[place]) // 1024
    return max(reduction - gives_check, 0)


cdef int list_moves(const ExactNode *node, int depth, int static_value, const ChessMove *moves,
                    int count, Listed *listed, bint *has_dropped) noexcept nogil:
    """List the moves that count, as listing.pxd says.  Never fails.  GIL: nogil."""
    cdef const ChessBoardStruct *board = &node.board
    cdef int64_t ranks[CHESS_MOVES_MAX]
    cdef bint is_check = static_value == NOTHING
    cdef bint is_full_width = node.flags & NODE_FULL_WIDTH
    cdef bint is_near = depth <= OPTION_DEPTH and not is_check and not is_full_width
    cdef bint is_quiet, gives_check
    cdef int place, reduction, used = 0
    cdef ChessMove move
    has_dropped[0] = False
    _rank(node, moves, count, depth, ranks)
    for place in range(count):
        move = moves[255 - (ranks[place] & 255)]
        is_quiet = not _takes(board, move)
        gives_check = _checks(board, move)
        if is_near and place > 0 and not gives_check and (is_quiet or ranks[place] < 0) and (
                _is_dropped(board, move, place, depth, is_quiet)):
            has_dropped[0] = True
            continue
        listed[used].move = move
        listed[used].depth = <int8_t>(depth - 1)
        listed[used].reduced = NOT_REDUCED
        listed[used].cap = NO_CAP
        listed[used].loses = not is_quiet and ranks[place] < 0
        if not is_full_width and (is_quiet or ranks[place] < 0):
            reduction = min(_reduction(depth, place, is_check, gives_check), depth - 1)
            if reduction > 0:
                listed[used].reduced = <int8_t>(depth - 1 - reduction)
        if is_near and is_quiet and not gives_check:
            listed[used].cap = <int16_t>(static_value + QUIET_MARGIN + QUIET_PLY * depth)
        used += 1
    return used


cdef bint may_pass(const ExactNode *node, int depth, bint is_check) noexcept nogil:
    """Whether the pass counts.  Errors: never fails.  GIL: nogil."""
    return (depth >= PASS_DEPTH and not is_check and not node.flags & (
        NODE_ROOT | NODE_PASSED | NODE_FULL_WIDTH)
            and node_has_pieces(node))


cdef Listed the_pass(int depth) noexcept nogil:
    """The pass at a depth.  Errors: never fails.  GIL: nogil."""
    cdef Listed listed
    listed.move = 0
    listed.depth = <int8_t>max(depth - 3 - depth // 4, 0)
    listed.reduced = NOT_REDUCED
    listed.cap = NO_CAP
    listed.loses = False
    return listed


cdef int option_value(const ExactNode *node, int depth, int static_value) noexcept nogil:
    """What the side to move has without a move, or NOTHING.  Never fails.  GIL: nogil."""
    if static_value == NOTHING or node.flags & (NODE_ROOT | NODE_FULL_WIDTH):
        return NOTHING
    if node.flags & NODE_PASSED:
        return static_value
    if depth > OPTION_DEPTH or not node_has_pieces(node):
        return NOTHING
    return static_value - OPTION_MARGIN * depth


cdef int list_all(const ExactNode *node, int depth, Listed *listed) noexcept nogil:
    """List a node's moves, the pass last; how many.  Errors: never fails.  GIL: nogil."""
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef bint is_check = board_is_check(&node.board)
    cdef bint has_dropped
    cdef int count = chess_kernel().moves(&node.board, moves)
    count = list_moves(node, depth, NOTHING if is_check else still_value(&node.board), moves, count,
                       listed, &has_dropped)
    if count and may_pass(node, depth, is_check):
        listed[count] = the_pass(depth)
        count += 1
    return count


def what_counts(ChessBoard board not None, flags, depth):
    """Return what the value of a position is made of at a depth of 1 or more.

    Args:
        board: the position.
        flags: as Position has them.
        depth: plies.

    Returns:
        (option, moves): the value that there is without a move, or None, and of each move that
        counts its name, "" for the pass, its depth, its lesser depth or None, and its cap or None.
    """
    cdef ExactNode node
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef Listed listed[CHESS_MOVES_MAX]
    cdef bint has_dropped, is_check = board_is_check(&board.board)
    cdef int static_value = NOTHING if is_check else still_value(&board.board)
    cdef int i, count = chess_kernel().moves(&board.board, moves)
    node.board = board.board
    node.flags = flags
    cdef int option = option_value(&node, depth, static_value)
    count = list_moves(&node, depth, static_value, moves, count, listed, &has_dropped)
    if has_dropped:
        option = max(option, NOT_MATED)
    if count and may_pass(&node, depth, is_check):
        listed[count] = the_pass(depth)
        count += 1
    return (None if option == NOTHING else option), [
        (move_name(&board.board, listed[i].move, True) if listed[i].move else "",
         listed[i].depth, None if listed[i].reduced == NOT_REDUCED else listed[i].reduced,
         None if listed[i].cap == NO_CAP else listed[i].cap)
        for i in range(count)]


def _set_up():
    for number in range(1, 256):
        whole = number.bit_length() - 1
        _LOG[number] = 16 * whole + 16 * (number - (1 << whole)) // (1 << whole)


_set_up()
