# built with: coroutine_kernel.c
"""Searches that hand back control in the middle and go on later.

Knows stacks (coroutine_kernel.h).  Must not know what is computed on them.  A recursive search
written as plain nogil code yields at its polls; nothing else in it changes, and it visits the
same nodes however often it is interrupted.
"""

cdef extern from "coroutine_kernel.h" nogil:
    Coroutine *mp_coroutine_new(void (*body)(void *argument) noexcept nogil, void *argument)
    void mp_coroutine_free(Coroutine *coroutine)
    int mp_coroutine_resume(Coroutine *coroutine)
    void mp_coroutine_yield(Coroutine *coroutine)


cdef Coroutine *coroutine_new(void (*body)(void *argument) noexcept nogil,
                              void *argument) noexcept nogil:
    """Prepare `body(argument)` to run at the first resume.

    Errors: NULL without memory.  GIL: nogil.  Owner: the caller, by coroutine_free.
    """
    return mp_coroutine_new(body, argument)


cdef void coroutine_free(Coroutine *coroutine) noexcept nogil:
    """Free a coroutine that is not running, finished or not; NULL is allowed.  GIL: nogil."""
    mp_coroutine_free(coroutine)


cdef bint coroutine_resume(Coroutine *coroutine) noexcept nogil:
    """Run the body until it yields (True) or returns (False).  Never fails.  GIL: nogil."""
    return mp_coroutine_resume(coroutine) != 0


cdef void coroutine_yield(Coroutine *coroutine) noexcept nogil:
    """Hand control back from within the body.  Never fails.  GIL: nogil."""
    mp_coroutine_yield(coroutine)
