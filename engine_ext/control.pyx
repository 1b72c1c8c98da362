"""The handle by which a caller watches and ends a long engine call.

Knows a flag and a counter.  Must not know what is computed, nor wait, nor read a
clock: the engine polls the flag and advances the counter while the GIL is
released, and any thread may read or set them.
"""

from libc.stdint cimport int32_t, uint64_t

cdef extern from *:
    """
    /* Relaxed atomics: the flag and the counter carry no other memory with them. */
    #define flag_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define flag_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
    #define steps_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define steps_add(p, v) __atomic_fetch_add((p), (v), __ATOMIC_RELAXED)
    """
    int32_t flag_load(const int32_t *flag) noexcept nogil
    void flag_store(int32_t *flag, int32_t value) noexcept nogil
    uint64_t steps_load(const uint64_t *steps) noexcept nogil
    void steps_add(uint64_t *steps, uint64_t value) noexcept nogil


cdef bint control_is_stopped(const Control *control) noexcept nogil:
    """Return whether a stop was asked for.  Never fails; nogil."""
    return flag_load(&control.stop_requested) != 0


cdef void control_step(Control *control, uint64_t steps) noexcept nogil:
    """Advance the step counter.  Never fails; nogil."""
    steps_add(&control.steps, steps)


cdef class RunControl:
    """A stop flag and a step counter shared with one running engine call."""

    def stop(self):
        """Ask the engine to return soon with what it has finished."""
        flag_store(&self.control.stop_requested, 1)

    @property
    def is_stopped(self):
        """Whether a stop was asked for."""
        return flag_load(&self.control.stop_requested) != 0

    @property
    def steps(self):
        """Work done so far in the engine's own unit; it only grows."""
        return steps_load(&self.control.steps)
