# What a long engine call shares with its caller while the GIL is released: a
# stop flag that the engine polls and a step counter that it advances.

from libc.stdint cimport int32_t, uint64_t

ctypedef struct Control:
    int32_t stop_requested    # 0 or 1; written by any thread, polled by the engine
    uint64_t steps            # work done so far, in the engine's own unit; only grows

cdef bint control_is_stopped(const Control *control) noexcept nogil
cdef void control_step(Control *control, uint64_t steps) noexcept nogil

cdef class RunControl:
    # The struct lives as long as this object; a nogil call keeps a reference.
    cdef Control control
