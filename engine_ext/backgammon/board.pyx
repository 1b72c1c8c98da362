"""The board: who has how many checkers where, and what follows from that alone.

Knows the layout (board.pxd), gnubg's position key and when a game is over.  Must not know dice,
moves, cubes or scores.  Position key: gnubg manual, "A technical description of the Position ID".
"""

import base64
import binascii

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp, memcpy

KEY_BYTES = 10
POSITION_ID_CHARACTERS = 14


cdef void board_swap(Board *board) noexcept nogil:
    """Exchange the players: the opponent comes on roll.

    Errors: never fails.  GIL: nogil.
    """
    cdef uint8_t slots[SLOT_COUNT]
    memcpy(slots, board.side[0], SLOT_COUNT)
    memcpy(board.side[0], board.side[1], SLOT_COUNT)
    memcpy(board.side[1], slots, SLOT_COUNT)


cdef inline uint64_t _side_bits(const uint8_t *slots, int *length) noexcept nogil:
    # A one for each checker, a zero after each of points 1..24 and the bar; at most 40 bits.
    cdef uint64_t bits = 0
    cdef int slot, position = 0
    for slot in range(1, SLOT_COUNT):
        bits |= ((<uint64_t>1 << slots[slot]) - 1) << position
        position += slots[slot] + 1
    length[0] = position
    return bits


cdef BoardKey board_key(const Board *board) noexcept nogil:
    """Number a board as gnubg's position key does: byte 0 is the lowest byte of `low`.

    The opponent's bits come first, then the player on roll's.  Equal boards and only equal boards
    have equal keys.  Errors: never fails.  GIL: nogil.
    """
    cdef BoardKey key
    cdef int length, ignored
    cdef uint64_t first = _side_bits(board.side[1], &length)
    cdef uint64_t second = _side_bits(board.side[0], &ignored)
    key.low = first | second << length      # 25 <= length <= 40
    key.high = second >> (64 - length)
    return key


cdef int board_pip_count(const Board *board, int side) noexcept nogil:
    """Count the pips that side 0 or 1 needs to bear off; a checker on the bar has 25.

    Errors: never fails.  GIL: nogil.
    """
    cdef int slot, pips = 0
    for slot in range(1, SLOT_COUNT):
        pips += slot * board.side[side][slot]
    return pips


cdef inline int _rearmost(const uint8_t *slots) noexcept nogil:
    cdef int slot = SLOT_BAR
    while slot > 0 and slots[slot] == 0:
        slot -= 1
    return slot


cdef bint board_is_race(const Board *board) noexcept nogil:
    """Tell whether contact is over: no checker has an opposing checker still before it.

    Errors: never fails.  GIL: nogil.
    """
    return _rearmost(board.side[0]) + _rearmost(board.side[1]) < SLOT_BAR


cdef int _won_points(const uint8_t *loser) noexcept nogil:
    cdef int slot
    if loser[SLOT_OFF]:
        return 1
    for slot in range(19, SLOT_COUNT):      # the winner's home board and the bar
        if loser[slot]:
            return 3
    return 2


cdef int board_result(const Board *board) noexcept nogil:
    """Score a finished game in points of the cube, seen by side 0; 0 while it goes on.

    Errors: never fails.  GIL: nogil.
    """
    if board.side[0][SLOT_OFF] == CHECKERS:
        return _won_points(board.side[1])
    if board.side[1][SLOT_OFF] == CHECKERS:
        return -_won_points(board.side[0])
    return 0


cdef class Position:
    """An immutable board seen by the player on roll; hashable, equal by value.

    Each side counts its 26 slots from its own point of view: slot 0 = borne off, 1..24 = points,
    25 = bar.  The sum of slots 1..25 is at most 15; the rest counts as borne off.

    Args:
        on_roll: the 26 slots of the player on roll.
        opponent: the 26 slots of the opponent, from the opponent's side.

    Raises:
        ValueError: the checkers cannot stand so; the text says why.
    """

    def __init__(self, on_roll, opponent):
        _fill_side(self.board.side[0], on_roll, "the player on roll")
        _fill_side(self.board.side[1], opponent, "the opponent")
        _check(&self.board)

    @property
    def on_roll(self):
        """The slots of the player on roll: off, points 1..24, bar."""
        return tuple([self.board.side[0][slot] for slot in range(SLOT_COUNT)])

    @property
    def opponent(self):
        """The slots of the opponent, from the opponent's side: off, points 1..24, bar."""
        return tuple([self.board.side[1][slot] for slot in range(SLOT_COUNT)])

    @property
    def position_id(self):
        """gnubg's position ID: 14 characters, the player on roll's view."""
        return base64.b64encode(_key_bytes(&self.board)).decode("ascii").rstrip("=")

    @property
    def is_race(self):
        """True when contact is over."""
        return board_is_race(&self.board)

    @property
    def result(self):
        """Points won by the player on roll (negative: lost), 1 to 3; 0 while the game goes on."""
        return board_result(&self.board)

    def swapped(self):
        """Return the same board with the opponent on roll."""
        cdef Board board = self.board
        board_swap(&board)
        return position_from_board(&board)

    def pip_counts(self):
        """Return the pip counts of the player on roll and of the opponent."""
        return board_pip_count(&self.board, 0), board_pip_count(&self.board, 1)

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return memcmp(&self.board, &(<Position>other).board, sizeof(Board)) == 0

    def __hash__(self):
        cdef BoardKey key = board_key(&self.board)
        return hash((key.low, key.high))

    def __repr__(self):
        return f"position_from_id({self.position_id!r})"

    def __reduce__(self):
        return Position, (self.on_roll, self.opponent)


cdef int _fill_side(uint8_t *slots, values, str who) except -1:
    counts = [int(value) for value in values]
    if len(counts) != SLOT_COUNT:
        raise ValueError(
            f"{who} needs {SLOT_COUNT} slots (off, points 1 to 24, bar), not {len(counts)}")
    if min(counts) < 0:
        raise ValueError(f"{who} has a negative number of checkers on a slot")
    on_board = sum(counts[1:])
    if on_board > CHECKERS:
        raise ValueError(f"{who} has {on_board} checkers on the board, more than {CHECKERS}")
    if counts[0] not in (0, CHECKERS - on_board):
        raise ValueError(
            f"{who} has {on_board} checkers on the board and {counts[0]} off, "
            f"not {CHECKERS} together")
    for slot in range(1, SLOT_COUNT):
        slots[slot] = counts[slot]
    slots[SLOT_OFF] = CHECKERS - on_board
    return 0


cdef bint _is_closed(const uint8_t *slots) noexcept nogil:
    cdef int slot
    for slot in range(1, 7):
        if slots[slot] < 2:
            return False
    return True


cdef int _check(const Board *board) except -1:
    for point in range(1, 25):
        if board.side[0][point] and board.side[1][SLOT_BAR - point]:
            raise ValueError(f"both sides have checkers on point {point} of the player on roll")
    if board.side[0][SLOT_OFF] == CHECKERS and board.side[1][SLOT_OFF] == CHECKERS:
        raise ValueError("neither side has a checker on the board")
    if (board.side[0][SLOT_BAR] and board.side[1][SLOT_BAR]
            and _is_closed(board.side[0]) and _is_closed(board.side[1])):
        raise ValueError("both sides are on the bar against closed boards: nobody could ever move")
    return 0


cdef bytes _key_bytes(const Board *board):
    cdef BoardKey key = board_key(board)
    number = int(key.low) | int(key.high) << 64
    return number.to_bytes(KEY_BYTES, "little")


cdef Position position_from_board(const Board *board):
    """Copy a board into a Position without checking it.  GIL: needs."""
    cdef Position position = Position.__new__(Position)
    position.board = board[0]
    return position


def position_from_id(text):
    """Read gnubg's position ID, seen by the player on roll.

    Args:
        text: 14 base64 characters.

    Raises:
        ValueError: not a position ID, or an impossible position; the text says which.
    """
    bits = int.from_bytes(_decode_key(text), "little")
    opponent, bits, left = _read_side(bits, 8 * KEY_BYTES, "the opponent")
    on_roll, bits, left = _read_side(bits, left, "the player on roll")
    if bits:
        raise ValueError("the position ID has set bits after the last checker")
    return Position(on_roll, opponent)


def _decode_key(text):
    if len(text) != POSITION_ID_CHARACTERS:
        raise ValueError(
            f"a position ID has {POSITION_ID_CHARACTERS} characters, this one has {len(text)}")
    try:
        key = base64.b64decode(text + "==", validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(
            "a position ID has only letters, digits, '+' and '/': "
            f"{_first_stranger(text)!r} is none of them") from None
    if base64.b64encode(key).decode("ascii").rstrip("=") != text:
        raise ValueError(
            f"the last character of a position ID is A, Q, g or w, not {text[-1]!r}")
    return key


def _first_stranger(text):
    for character in text:
        if not (character.isascii() and (character.isalnum() or character in "+/")):
            return character
    return text


def _read_side(bits, left, who):
    """Return the 26 slots that `bits` starts with, the bits after them and how many are left."""
    slots = [0] * SLOT_COUNT
    for slot in range(1, SLOT_COUNT):
        while bits & 1:
            slots[slot] += 1
            bits >>= 1
            left -= 1
        bits >>= 1
        left -= 1
    if sum(slots) > CHECKERS:
        raise ValueError(
            f"the position ID gives {who} {sum(slots)} checkers, more than {CHECKERS}")
    if left < 0:
        raise ValueError("the position ID ends before all points are given")
    return slots, bits, left


START = position_from_id("4HPwATDgc/ABMA")
