"""Boards of Threes!: shifts, where cards enter, the score.

Knows the rules of a board alone.  Must not know bags, chance or values.  A shift moves each line
by at most one square: from the edge on, the first square that is empty, or that merges with the
card behind it, takes that card, and all behind follow.  1 and 2 merge to 3, equal cards from 3 on
double.  A card of rank r scores 3^(r-2), 1 and 2 nothing.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

cdef uint16_t[65536] _toward_low
cdef uint16_t[65536] _toward_high
cdef int64_t[16] _score_of
TOWARD_LOW, TOWARD_HIGH, SCORE_OF = _toward_low, _toward_high, _score_of
DIRECTION_NAMES = ("up", "down", "left", "right")


cdef int _merged(int near, int far) noexcept nogil:
    """Return the rank of two cards merged; 0: they do not.  Never fails; nogil."""
    if near + far == 3 and near > 0 and far > 0:
        return 3
    return near + 1 if near == far and 3 <= near < RANK_MAX else 0


cdef uint16_t _line_shifted(uint16_t line) noexcept nogil:
    """Return a line shifted toward its first square.  Never fails; nogil."""
    cdef int[5] ranks
    cdef int i, j, merged
    for i in range(LINES):
        ranks[i] = (line >> (4 * i)) & 15
    ranks[4] = 0
    for i in range(LINES - 1):
        merged = _merged(ranks[i], ranks[i + 1])
        if ranks[i] == 0 or merged:
            ranks[i] = ranks[i + 1] if ranks[i] == 0 else merged
            for j in range(i + 1, LINES):
                ranks[j] = ranks[j + 1]
            break
    return <uint16_t>(ranks[0] | (ranks[1] << 4) | (ranks[2] << 8) | (ranks[3] << 12))


cdef uint16_t _line_reversed(uint16_t line) noexcept nogil:
    """Return a line from its other end.  Never fails; nogil."""
    return <uint16_t>((line >> 12) | ((line >> 4) & 0xF0) | ((line << 4) & 0xF00) | (line << 12))


cdef void _fill_tables() noexcept nogil:
    """Work out all lines and scores.  Never fails; nogil."""
    cdef int line, rank
    for line in range(65536):
        TOWARD_LOW[line] = _line_shifted(<uint16_t>line)
    for line in range(65536):
        TOWARD_HIGH[line] = _line_reversed(TOWARD_LOW[_line_reversed(<uint16_t>line)])
    SCORE_OF[0] = SCORE_OF[1] = SCORE_OF[2] = 0
    SCORE_OF[3] = 3
    for rank in range(4, RANK_MAX + 1):
        SCORE_OF[rank] = 3 * SCORE_OF[rank - 1]


_fill_tables()


cdef int entry_squares(uint64_t before, uint64_t after, int direction,
                       uint8_t *squares) noexcept nogil:
    """List the squares where the card may enter, in ascending order.  Never fails; nogil."""
    cdef uint64_t changed = before ^ after
    cdef int line, count = 0
    if direction < LEFT:
        changed = transposed(changed)
    for line in range(LINES):
        if (changed >> (16 * line)) & 0xFFFF:
            if direction == UP:
                squares[count] = <uint8_t>(12 + line)
            elif direction == DOWN:
                squares[count] = <uint8_t>line
            elif direction == LEFT:
                squares[count] = <uint8_t>(4 * line + 3)
            else:
                squares[count] = <uint8_t>(4 * line)
            count += 1
    return count


cdef bint has_move(uint64_t cells) noexcept nogil:
    """Whether any shift is legal.  Never fails; nogil."""
    cdef int direction
    for direction in range(DIRECTIONS):
        if shifted(cells, direction) != cells:
            return True
    return False


cdef int highest_rank(uint64_t cells) noexcept nogil:
    """Return the largest rank on a board.  Never fails; nogil."""
    cdef int highest = 0
    while cells:
        highest = max(highest, <int>(cells & 15))
        cells >>= 4
    return highest


cdef int64_t board_score(uint64_t cells) noexcept nogil:
    """Return the score of a board.  Never fails; nogil."""
    cdef int64_t score = 0
    while cells:
        score += SCORE_OF[cells & 15]
        cells >>= 4
    return score


cdef class ThreesBoard:
    """A board; it is never changed.

    Args:
        cells: the rank of square i, row by row from the top left, in bits 4i .. 4i+3.
    """

    cdef readonly uint64_t cells

    def __init__(self, uint64_t cells):
        self.cells = cells

    @classmethod
    def from_text(cls, text):
        """Return the board of 16 hex digits, the ranks row by row.  Errors: ValueError."""
        digits = "".join(text.split()).lower()
        if len(digits) != SQUARES or not set(digits) <= set("0123456789abcdef"):
            raise ValueError(
                "a board is 16 ranks in hex, row by row: 0 empty, 1 and 2 the cards 1 and 2, "
                f"3 the card 3, 4 the card 6, ... f the card 12288; not {text[:40]!r}")
        return cls(int(digits[::-1], 16))

    def to_text(self):
        """Return the 16 hex digits that `from_text` reads."""
        return f"{self.cells:016x}"[::-1]

    @property
    def ranks(self):
        """The ranks of the 16 squares, row by row."""
        return tuple([(self.cells >> (4 * i)) & 15 for i in range(SQUARES)])

    @property
    def score(self):
        """The score of the cards on it."""
        return board_score(self.cells)

    @property
    def highest(self):
        """The largest rank on it."""
        return highest_rank(self.cells)

    def moves(self):
        """Return the legal directions, in the order of DIRECTION_NAMES."""
        return tuple([name for number, name in enumerate(DIRECTION_NAMES)
                      if shifted(self.cells, number) != self.cells])

    cdef int _direction(self, name) except -1:
        if name not in DIRECTION_NAMES:
            raise ValueError(f"expected {', '.join(DIRECTION_NAMES)}, not {name!r}")
        return DIRECTION_NAMES.index(name)

    def shifted(self, direction):
        """Return the board before the card enters, the same if that is no legal move.

        Errors: ValueError for a direction that there is not.
        """
        return ThreesBoard(shifted(self.cells, self._direction(direction)))

    def entries(self, direction):
        """Return the squares where the card may enter after a move, each as likely; none: illegal.

        Errors: ValueError for a direction that there is not.
        """
        cdef uint8_t[4] squares
        cdef int number = self._direction(direction)
        cdef int count = entry_squares(
            self.cells, shifted(self.cells, number), number, squares)
        return tuple([squares[i] for i in range(count)])

    def changed_lines(self, direction):
        """Return a mask of the rows or columns, the first in bit 0, that a move changes."""
        across = direction in ("left", "right")
        return sum([1 << (square // 4 if across else square % 4)
                    for square in self.entries(direction)])

    def with_card(self, int square, int rank):
        """Return the board with a card on an empty square.

        Errors: ValueError if the square is not empty, or there is no such square or rank.
        """
        if not (0 <= square < SQUARES and 1 <= rank <= RANK_MAX):
            raise ValueError(f"expected a square 0 to 15 and a rank 1 to {RANK_MAX}")
        if (self.cells >> (4 * square)) & 15:
            raise ValueError(f"square {square} is not empty")
        return ThreesBoard(self.cells | (<uint64_t>rank << (4 * square)))

    def __eq__(self, other):
        return isinstance(other, ThreesBoard) and self.cells == (<ThreesBoard>other).cells

    def __hash__(self):
        return hash(self.cells)

    def __repr__(self):
        return f"ThreesBoard.from_text({self.to_text()!r})"


def card_of(int rank):
    """Return the number on a card of a rank from 1 on.  Errors: ValueError."""
    if not 1 <= rank <= RANK_MAX:
        raise ValueError(f"expected a rank from 1 to {RANK_MAX}, not {rank}")
    return rank if rank < 3 else 3 << (rank - 3)


def rank_of(card):
    """Return the rank of the card with a number.  Errors: ValueError for a number no card has."""
    for rank in range(1, RANK_MAX + 1):
        if card_of(rank) == card:
            return rank
    raise ValueError(f"no card has the number {card}: expected 1, 2, 3, 6, 12, ... or 12288")
