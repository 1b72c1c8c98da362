"""What boards of Threes! are worth beyond their score, by a network of tuples.

Knows weights and how they add up, in whole numbers.  Must not know files, training or search.
Squares' worth is looked up in eight tuples under all symmetries, so that a board and its mirror
images are worth the same to the bit.  Weights are shipped as bytes on a square-root scale: code c
stands for sign(c) * c * c.
"""

import hashlib

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy
from engine_ext.search.large_pages cimport memory_in_large_pages
from engine_ext.threes.game cimport packed_bag

WEIGHT_COUNT = WEIGHTS


cdef void _find_touches() noexcept:
    """Find out which tuples have each square: those whose places its rank changes.  Never fails."""
    cdef uint32_t[65] empty
    cdef uint32_t[65] filled
    cdef int square, i, shift
    feature_places(0, 0, empty)
    for square in range(16):
        TOUCH_COUNT[square] = 0
        feature_places(<uint64_t>1 << (4 * square), 0, filled)
        for i in range(FEATURES - 1):
            if filled[i] != empty[i]:
                shift = 0
                while (filled[i] - empty[i]) >> shift != 1:
                    shift += 1
                TOUCHES[square][TOUCH_COUNT[square]].feature = <uint8_t>i
                TOUCHES[square][TOUCH_COUNT[square]].shift = <uint8_t>shift
                TOUCH_COUNT[square] += 1


_find_touches()


cdef class NetWeights:
    """A network in memory; shared by all threads, never changed.

    Args:
        weights: WEIGHT_COUNT numbers of 16 bits, in this machine's order.
        unit: points that 1 is worth.
    """

    def __init__(self, bytes weights, double unit):
        cdef const char *numbers = weights
        if len(weights) != 2 * WEIGHTS:
            raise ValueError(f"expected {2 * WEIGHTS} bytes of weights, not {len(weights)}")
        if self._memory != NULL:
            raise TypeError("weights are taken once")
        self._memory = <int16_t *>memory_in_large_pages(2 * WEIGHTS)
        if self._memory == NULL:
            raise MemoryError
        memcpy(self._memory, numbers, 2 * WEIGHTS)
        self.net.weights = self._memory
        self.net.unit = unit
        self.digest = hashlib.sha256(weights + repr(unit).encode()).hexdigest()[:16]

    def __dealloc__(self):
        free(self._memory)

    @property
    def unit(self):
        """Points that a weight of 1 is worth."""
        return self.net.unit

    def worth(self, uint64_t cells, bag):
        """Return what is still to be scored from a board on, before the next card is drawn.

        Args:
            cells: the board, as ThreesBoard has it.
            bag: how many 1s, 2s and 3s are left.

        Errors: ValueError for counts that no bag has.
        """
        return self.net.unit * net_sum(&self.net, cells, packed_bag(bag))


cdef int8_t _code(int weight) noexcept nogil:
    """Return the code whose square is nearest to a weight.  Never fails; nogil."""
    cdef int size = weight if weight >= 0 else -weight
    cdef int code = 0
    while code < 127 and (code + 1) * (code + 1) - size <= size - code * code:
        code += 1
    return <int8_t>(code if weight >= 0 else -code)


def packed_weights(bytes weights):
    """Return the codes of weights, a byte each.  Errors: MemoryError.  GIL: needs."""
    cdef const int16_t *numbers = <const int16_t *><const char *>weights
    cdef Py_ssize_t i, count = len(weights) // 2
    codes = bytearray(count)
    cdef signed char[::1] out = memoryview(codes).cast("b")
    for i in range(count):
        out[i] = _code(numbers[i])
    return bytes(codes)


def unpacked_weights(bytes codes):
    """Return the weights that codes stand for, 16 bits each.  Errors: MemoryError.  GIL: needs."""
    cdef const int8_t *numbers = <const int8_t *><const char *>codes
    cdef Py_ssize_t i, count = len(codes)
    cdef int code
    weights = bytearray(2 * count)
    cdef short[::1] out = memoryview(weights).cast("h")
    for i in range(count):
        code = numbers[i]
        out[i] = <int16_t>(code * code if code >= 0 else -code * code)
    return bytes(weights)
