"""Trials of the no-op game: a stated number of hash rounds and a hash.

They measure the network part: rounds=0 costs nothing, a large count keeps one
core busy for a time that the caller has calibrated.  Knows no clock.
"""

from libc.stdint cimport uint64_t
from engine_ext.control cimport Control, RunControl, control_is_stopped, control_step
from engine_ext.rng cimport PhiloxBlock, philox4x32

cdef enum:
    ROUNDS_PER_POLL = 4096


cdef bint _spin(uint64_t seq, uint64_t rounds, Control *control, uint64_t *word) noexcept nogil:
    """Mix `rounds` rounds; False if stopped midway.  Never fails; nogil."""
    cdef uint64_t x = seq + 0x9E3779B97F4A7C15ULL
    cdef uint64_t i
    for i in range(rounds):
        if i % ROUNDS_PER_POLL == 0:
            if control_is_stopped(control):
                return False
            control_step(control, 1)
        x ^= x >> 33
        x *= 0xFF51AFD7ED558CCDULL
    word[0] = x
    return True


def run_noop(uint64_t first_seq, uint64_t count, uint64_t rounds, RunControl control not None):
    """Return the values of trials first_seq ... first_seq + count - 1, one tuple each.

    Each value is a hash of (seq, rounds) in [0, 1), a multiple of 2^-32.  Fewer than
    `count` come back if the control was stopped.

    Errors: OverflowError if an argument does not fit 64 unsigned bits.
    GIL: released while mixing.
    """
    cdef uint64_t i, word = 0
    cdef bint is_finished
    cdef PhiloxBlock block
    values = []
    for i in range(count):
        with nogil:
            is_finished = _spin(first_seq + i, rounds, &control.control, &word)
            block = philox4x32(word, rounds, first_seq + i)
        if not is_finished or control.is_stopped:
            break
        control_step(&control.control, 1)
        values.append((block.words[0] * (1.0 / 4294967296.0),))
    return values
