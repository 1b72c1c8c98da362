# What a long engine call shares with its caller while the GIL is released: a
# stop flag that the engine polls, a gate at which it waits while it is paused, and a
# step counter that it advances.

from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport int32_t, uint64_t

ctypedef struct Control:
    int32_t stop_requested    # 0 or 1; written by any thread, polled by the engine
    int32_t pause_requested   # 0 or 1; while it is 1 the gate is held and a poll waits for it
    PyThread_type_lock gate   # usable without the GIL; passed by one thread after the other
    uint64_t steps            # work done so far, in the engine's own unit; only grows

# Call it without the GIL: it waits while the control is paused.
cdef bint control_is_stopped(Control *control) noexcept nogil
cdef void control_step(Control *control, uint64_t steps) noexcept nogil

cdef class RunControl:
    # The struct lives as long as this object; a nogil call keeps a reference.
    cdef Control control
