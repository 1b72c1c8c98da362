/* A long computation on a stack of its own, which can hand back control in the middle.
 *
 * Knows stacks and nothing else.  The body is plain C: no Python object, no GIL, no
 * thread-local pointer kept across a yield, since another thread may resume it.  A coroutine that
 * is never resumed is freed with all its body has on the stack, and nothing is unwound: the body
 * must own nothing else.  At most one thread is inside a coroutine at a time. */
#ifndef MANYPLY_COROUTINE_KERNEL_H
#define MANYPLY_COROUTINE_KERNEL_H

typedef struct Coroutine Coroutine;

/* Owner: the caller, who frees it while it is not running.  NULL without memory. */
Coroutine *mp_coroutine_new(void (*body)(void *argument), void *argument);
void mp_coroutine_free(Coroutine *coroutine);
/* Run until the body yields (1) or has returned (0).  Call it no more after 0. */
int mp_coroutine_resume(Coroutine *coroutine);
/* Only from within the body: hand control back to the resumer. */
void mp_coroutine_yield(Coroutine *coroutine);

#endif
