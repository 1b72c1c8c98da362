"""Positions of a reproducible search, and the game before it: what values depend on.

Knows how they are named, packed and split.  Must not know texts that travel, nor who searches what.
"""

import struct

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport (
    CHESS_MOVES_MAX, ChessBoard, ChessBoardStruct, board_set_key, chess_board, move_name)
from engine_ext.chess.exact.leaf cimport probe_value
from engine_ext.chess.exact.listing cimport NOT_REDUCED, OPTION_DEPTH, Listed, list_all
from engine_ext.chess.exact.node cimport (
    BEFORE_MAX, NODE_BEFORE, NODE_FULL_WIDTH, NODE_PASSED, NODE_ROOT, Before, ExactNode,
    clock_matters, node_is_drawn, node_key, node_play)
from engine_ext.chess.fen import is_chess960

KEYS_MAX = BEFORE_MAX

cdef enum:
    KEY_DIGITS = 32


cdef inline uint64_t _mixed(uint64_t word) noexcept nogil:
    """Mix a word's bits, as splitmix64 does."""
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


cdef class GameBefore:
    """A set of positions, the order of which does not matter.

    Args:
        keys: 128 bits of each, as ChessBoard.key has them; the newest `KEYS_MAX` count.

    Raises:
        ValueError: a key is none.
    """

    def __init__(self, keys=()):
        cdef Before *before = &self.before
        cdef int i
        for key in sorted(set(list(keys)[-KEYS_MAX:])):
            if not 0 <= key < 1 << 128:
                raise ValueError("a position's key has 128 bits")
            before.keys[before.count][0] = key >> 64
            before.keys[before.count][1] = key & 0xFFFFFFFFFFFFFFFF
            before.filter |= <uint64_t>1 << (before.keys[before.count][0] & 63)
            before.count += 1
        for i in range(before.count):
            before.digest[0] = _mixed(before.digest[0] + before.keys[i][0])
            before.digest[1] = _mixed(before.digest[1] + before.keys[i][1])

    @classmethod
    def of_game(cls, boards):
        """Return the positions of a game that can still be come back to.

        Args:
            boards: all of them, the oldest first; the last one is the position at hand.
        """
        recent = []
        for board in boards:
            if (<ChessBoard?>board).board.clock == 0:
                recent.clear()
            recent.append(board.key)
        return cls(recent)

    @classmethod
    def from_text(cls, text):
        """Return the set of a text; ValueError for anything else than `to_text` returns."""
        words = text.split(",") if text else []
        if any(len(word) != KEY_DIGITS for word in words) or len(words) > KEYS_MAX:
            raise ValueError(f"expected up to {KEYS_MAX} keys of {KEY_DIGITS} hex digits")
        found = cls(int(word, 16) for word in words)
        if found.to_text() != text:
            raise ValueError("expected keys in ascending order, each once, in small letters")
        return found

    def to_text(self):
        """Return the keys in 32 hex digits each, ascending, between commas."""
        return ",".join(f"{key:0{KEY_DIGITS}x}" for key in self.keys)

    @property
    def keys(self):
        """The keys, ascending."""
        cdef int i
        return tuple(
            int(self.before.keys[i][0]) << 64 | int(self.before.keys[i][1])
            for i in range(self.before.count))

    def __eq__(self, other):
        return isinstance(other, GameBefore) and self.keys == other.keys

    def __hash__(self):
        return hash(self.keys)

    def __repr__(self):
        return f"GameBefore({self.keys!r})"

    def __reduce__(self):
        return GameBefore, (self.keys,)


# ---- positions ---------------------------------------------------------------------------------

ROOT = NODE_ROOT
PASSED = NODE_PASSED
BEFORE = NODE_BEFORE
FULL_WIDTH = NODE_FULL_WIDTH

# us, three planes, castling, en passant, is_black, clock, flags, reduced + 1
_LAYOUT = struct.Struct("<5Q2BH2B")
_KEY = struct.Struct("<2QB")


cdef int list_both(const ExactNode *node, int depth, int reduced, const Before *before,
                   Listed *listed) noexcept nogil:
    """List a node's moves, at two depths if it has two; how many.  Never fails.  GIL: nogil."""
    cdef int count = 0
    if (depth <= OPTION_DEPTH or reduced != NOT_REDUCED and reduced <= OPTION_DEPTH
            or node.flags & NODE_PASSED or node_is_drawn(node, before)):
        return 0
    if reduced != NOT_REDUCED:
        count = list_all(node, reduced, listed)
    return count + list_all(node, depth, &listed[count])


cdef bytes _packed(const ExactNode *node, int depth, int reduced):
    """Name a node at a depth wholly.  GIL: needs."""
    cdef const ChessBoardStruct *board = &node.board
    clock = board.clock if clock_matters(node, depth) else 0
    return _LAYOUT.pack(
        board.us, board.plane[0], board.plane[1], board.plane[2], board.castling,
        board.en_passant, board.is_black, clock, node.flags, reduced + 1)


cdef int _unpack(bytes packed, ExactNode *node) except? -1:
    """Read what `_packed` named; return the lesser depth, or NOT_REDUCED.

    Errors: struct.error for bytes of another length.  GIL: needs.
    """
    cdef ChessBoardStruct *board = &node.board
    (board.us, board.plane[0], board.plane[1], board.plane[2], board.castling, board.en_passant,
     board.is_black, board.clock, node.flags, reduced) = _LAYOUT.unpack(packed)
    board_set_key(board)
    return reduced - 1


cdef class Position:
    """A position as a part of a search has it; immutable.

    Args:
        board: the men, and the half-move clock.
        flags: ROOT: its side has to move, and nothing is a draw yet.  PASSED: the other side has
            just passed.  BEFORE: the game's positions can still be come back to.  FULL_WIDTH: all
            moves count, at one depth, and so on after them: a search that selects nothing.
        reduced: what is wanted is the greater of its values at a depth and at this one; -1: that
            at one depth.

    Raises:
        ValueError: there are no such flags.
    """

    def __init__(self, ChessBoard board not None, flags=0, reduced=NOT_REDUCED):
        if not 0 <= flags <= 15 or not -1 <= reduced <= 255:
            raise ValueError("flags are 0 to 15, a reduced depth is up to 255, or -1")
        self.node.board = board.board
        self.node.flags = flags
        self.reduced = reduced

    @classmethod
    def from_bytes(cls, packed):
        """Return what `to_bytes` packed; nothing of it is looked through."""
        cdef Position made = Position.__new__(Position)
        made.reduced = _unpack(packed, &made.node)
        return made

    def to_bytes(self, depth):
        """Return its name at a depth: the same bytes mean the same value."""
        return _packed(&self.node, depth, self.reduced)

    @property
    def board(self):
        """The board."""
        return chess_board(&self.node.board, 1)

    @property
    def flags(self):
        """The flags."""
        return self.node.flags

    def children(self, depth, GameBefore before not None):
        """Return the positions that its value at a depth is the best of, in canonical order.

        Returns:
            (bytes, depth) of each; none if its value is not made of others' alone, as near the
            leaves.
        """
        cdef Listed listed[2 * CHESS_MOVES_MAX]
        cdef ExactNode after
        cdef int i
        cdef int count = list_both(&self.node, depth, self.reduced, &before.before, listed)
        found = []
        for i in range(count):
            node_play(&self.node, listed[i].move, &after)
            found.append((_packed(&after, listed[i].depth, listed[i].reduced), listed[i].depth))
        return found

    def moves(self, depth, GameBefore before not None):
        """Return the moves that lead to its children, in their order and in UCI's words.

        Castling is as of Chess960 where the position needs it; "" is the pass.
        """
        cdef Listed listed[2 * CHESS_MOVES_MAX]
        cdef int i
        cdef int count = list_both(&self.node, depth, self.reduced, &before.before, listed)
        cdef bint is_other = is_chess960(chess_board(&self.node.board, 1))
        return [move_name(&self.node.board, listed[i].move, is_other) if listed[i].move else ""
                for i in range(count)]

    def key(self, depth, GameBefore before not None):
        """Return the key of its table entries at a depth; no entry has that of two depths."""
        cdef uint64_t first, second
        node_key(&self.node, depth, &before.before, &first, &second)
        if self.reduced != NOT_REDUCED:
            first ^= (<uint64_t>self.reduced + 1) * <uint64_t>0xD6E8FEB86659FD93
        return _KEY.pack(first, second, depth)

    @staticmethod
    def estimates(positions):
        """Return what a few captures make of positions, in centipawns for the sides to move.

        Args:
            positions: as `to_bytes` packs them; nothing of them is looked through.
        """
        cdef ExactNode node
        found = []
        for packed in positions:
            _unpack(packed, &node)
            found.append(probe_value(&node.board))
        return found
