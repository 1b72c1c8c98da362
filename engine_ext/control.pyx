"""The handle by which a caller watches, pauses and ends a long engine call.

Knows flags, a gate and a counter.  Must not know what is computed, nor read a clock: the
engine polls the flags and advances the counter while the GIL is released, and any thread
may read or set them.  A paused call stays in its poll, at no cost, with all it has found.
"""

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
    WAIT_LOCK,
)
from libc.stdint cimport int32_t, uint64_t

cdef extern from *:
    """
    /* Relaxed atomics: the flags and the counter carry no other memory with them. */
    #define flag_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define flag_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
    #define steps_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define steps_add(p, v) __atomic_fetch_add((p), (v), __ATOMIC_RELAXED)
    """
    int32_t flag_load(const int32_t *flag) noexcept nogil
    void flag_store(int32_t *flag, int32_t value) noexcept nogil
    uint64_t steps_load(const uint64_t *steps) noexcept nogil
    void steps_add(uint64_t *steps, uint64_t value) noexcept nogil


cdef bint control_is_stopped(Control *control) noexcept nogil:
    """Return whether a stop was asked for, after waiting for the end of a pause.

    Never fails; nogil, and the caller must not hold the GIL, which `resume` needs.
    """
    if flag_load(&control.pause_requested):
        PyThread_acquire_lock(control.gate, WAIT_LOCK)
        PyThread_release_lock(control.gate)
    return flag_load(&control.stop_requested) != 0


cdef void control_step(Control *control, uint64_t steps) noexcept nogil:
    """Advance the step counter.  Never fails; nogil."""
    steps_add(&control.steps, steps)


cdef class RunControl:
    """A stop flag, a gate and a step counter shared with one running engine call."""

    def __cinit__(self):
        self.control.gate = PyThread_allocate_lock()
        if self.control.gate == NULL:
            raise MemoryError

    def __dealloc__(self):
        if self.control.gate == NULL:
            return
        if flag_load(&self.control.pause_requested):
            PyThread_release_lock(self.control.gate)
        PyThread_free_lock(self.control.gate)

    def stop(self):
        """Ask the engine to return soon with what it has finished, paused or not."""
        flag_store(&self.control.stop_requested, 1)
        self.resume()

    def pause(self):
        """Have the engine wait at its next poll; without effect on a stopped one."""
        if self.is_paused or self.is_stopped:
            return
        # A thread that has just been let through holds the gate for an instant, GIL or not.
        PyThread_acquire_lock(self.control.gate, WAIT_LOCK)
        flag_store(&self.control.pause_requested, 1)

    def resume(self):
        """Let a paused engine go on."""
        if self.is_paused:
            flag_store(&self.control.pause_requested, 0)
            PyThread_release_lock(self.control.gate)

    def advance(self, steps):
        """Count steps that an engine elsewhere has made: at least 0."""
        if steps < 0:
            raise ValueError(f"expected at least 0 steps, not {steps}")
        control_step(&self.control, steps)

    @property
    def is_stopped(self):
        """Whether a stop was asked for."""
        return flag_load(&self.control.stop_requested) != 0

    @property
    def is_paused(self):
        """Whether the engine is to wait; a stopped one never is."""
        return flag_load(&self.control.pause_requested) != 0

    @property
    def steps(self):
        """Work done so far in the engine's own unit; it only grows."""
        return steps_load(&self.control.steps)
