# A computation on a C stack of its own: what makes a recursive search resumable at full speed.
#
# The rules for a body are in coroutine_kernel.h: plain nogil code that owns nothing but its
# stack, so that freeing a coroutine in the middle loses nothing.

cdef extern from "coroutine_kernel.h":
    ctypedef struct Coroutine:
        pass

# Owner: the caller frees it while it is not running.  NULL without memory.
cdef Coroutine *coroutine_new(void (*body)(void *argument) noexcept nogil,
                              void *argument) noexcept nogil
cdef void coroutine_free(Coroutine *coroutine) noexcept nogil
# Run the body on: True when it has yielded, False when it has returned.  Not again after False.
cdef bint coroutine_resume(Coroutine *coroutine) noexcept nogil
# From within the body only: hand control back to whoever resumed it.
cdef void coroutine_yield(Coroutine *coroutine) noexcept nogil
