/* See coroutine_kernel.h.  ucontext saves the signal mask by a system call: a switch is half a
 * microsecond, which searches that run some thousand nodes between two do not notice. */
#define _GNU_SOURCE             /* MAP_ANONYMOUS, and ucontext on macOS */
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#include "coroutine_kernel.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* Sixty plies of two kilobytes each, thrice; only the pages that are touched are real. */
enum { STACK_BYTES = 384 * 1024 };

struct Coroutine {
    ucontext_t inside, outside;
    void (*body)(void *);
    void *argument;
    char *memory;               /* a page that must not be touched, then the stack */
    size_t memory_bytes;
    int is_done;
};

/* makecontext passes ints only. */
static void enter(unsigned high, unsigned low)
{
    Coroutine *coroutine = (Coroutine *)(((uintptr_t)high << 16 << 16) | (uintptr_t)low);
    coroutine->body(coroutine->argument);
    coroutine->is_done = 1;     /* uc_link then goes on outside */
}

static int allocate_stack(Coroutine *coroutine)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    coroutine->memory_bytes = STACK_BYTES + page;
    coroutine->memory = mmap(0, coroutine->memory_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (coroutine->memory == MAP_FAILED)
        return 0;
    coroutine->inside.uc_stack.ss_sp = coroutine->memory + page;
    coroutine->inside.uc_stack.ss_size = STACK_BYTES;
    coroutine->inside.uc_link = &coroutine->outside;
    if (mprotect(coroutine->memory, page, PROT_NONE) == 0)
        return 1;
    munmap(coroutine->memory, coroutine->memory_bytes);
    return 0;
}

Coroutine *mp_coroutine_new(void (*body)(void *), void *argument)
{
    Coroutine *coroutine = calloc(1, sizeof *coroutine);
    const uintptr_t self = (uintptr_t)coroutine;
    if (!coroutine)
        return 0;
    coroutine->body = body;
    coroutine->argument = argument;
    if (getcontext(&coroutine->inside) != 0 || !allocate_stack(coroutine)) {
        free(coroutine);
        return 0;
    }
    makecontext(&coroutine->inside, (void (*)(void))enter, 2, (unsigned)(self >> 16 >> 16),
                (unsigned)self);
    return coroutine;
}

void mp_coroutine_free(Coroutine *coroutine)
{
    if (!coroutine)
        return;
    munmap(coroutine->memory, coroutine->memory_bytes);
    free(coroutine);
}

int mp_coroutine_resume(Coroutine *coroutine)
{
    swapcontext(&coroutine->outside, &coroutine->inside);
    return !coroutine->is_done;
}

void mp_coroutine_yield(Coroutine *coroutine)
{
    swapcontext(&coroutine->inside, &coroutine->outside);
}
