"""Counter-based random numbers: Philox4x32-10.

Knows nothing of games.  Must not keep state, read a clock or use the operating
system's randomness: a block is a pure function of its key and counter, so the
dice of any trial can be made anywhere, in any order.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
3", SC11; checked against the known answers published with its library.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    ROUNDS = 10
    MULTIPLIER_0 = 0xD2511F53
    MULTIPLIER_1 = 0xCD9E8D57
    WEYL_0 = 0x9E3779B9
    WEYL_1 = 0xBB67AE85


cdef PhiloxBlock philox4x32(uint64_t key, uint64_t counter_high,
                            uint64_t counter_low) noexcept nogil:
    """Return the four words at a counter.  Never fails; nogil."""
    cdef PhiloxBlock block
    cdef uint32_t x0 = <uint32_t>counter_low
    cdef uint32_t x1 = <uint32_t>(counter_low >> 32)
    cdef uint32_t x2 = <uint32_t>counter_high
    cdef uint32_t x3 = <uint32_t>(counter_high >> 32)
    cdef uint32_t key_0 = <uint32_t>key
    cdef uint32_t key_1 = <uint32_t>(key >> 32)
    cdef uint64_t product_0, product_1
    cdef int _
    for _ in range(ROUNDS):
        product_0 = <uint64_t>x0 * <uint32_t>MULTIPLIER_0
        product_1 = <uint64_t>x2 * <uint32_t>MULTIPLIER_1
        x0 = <uint32_t>(product_1 >> 32) ^ x1 ^ key_0
        x1 = <uint32_t>product_1
        x2 = <uint32_t>(product_0 >> 32) ^ x3 ^ key_1
        x3 = <uint32_t>product_0
        key_0 += <uint32_t>WEYL_0
        key_1 += <uint32_t>WEYL_1
    block.words[0] = x0
    block.words[1] = x1
    block.words[2] = x2
    block.words[3] = x3
    return block


def philox_block(key, counter):
    """Return the four 32-bit words at a counter.

    Args:
        key: 64-bit unsigned key.
        counter: 128-bit unsigned counter.

    Errors: ValueError if either is out of range.  GIL: needs it.
    """
    if not 0 <= key < 1 << 64:
        raise ValueError(f"key must fit 64 unsigned bits, got {key}")
    if not 0 <= counter < 1 << 128:
        raise ValueError(f"counter must fit 128 unsigned bits, got {counter}")
    cdef PhiloxBlock block = philox4x32(key, counter >> 64, counter & 0xFFFFFFFFFFFFFFFF)
    return (block.words[0], block.words[1], block.words[2], block.words[3])
