# Memory in large pages, where the system has them.

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    /* Tables that are looked up all over: with large pages fewer looks wait for a page's address.
     * Ask before the memory is used. A system that has none goes on as before. */
    static inline void ask_for_large_pages(void *memory, uint64_t size)
    {
    #ifdef MADV_HUGEPAGE
        const uintptr_t large = 1 << 21, begin = ((uintptr_t)memory + large - 1) & -large;
        const uintptr_t end = ((uintptr_t)memory + size) & -large;
        if (begin < end)
            (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    #else
        (void)memory, (void)size;
    #endif
    }
    /* Memory of so many bytes or more, the caller's to free, not cleared; NULL: there is none. It
     * fills whole pages: otherwise its last numbers would lie in small ones. */
    static inline void *memory_in_large_pages(uint64_t size)
    {
        const uint64_t large = 1 << 21, whole = (size + large - 1) & -large;
        void *memory = aligned_alloc(large, whole);
        if (memory != NULL)
            ask_for_large_pages(memory, whole);
        return memory;
    }
    """
    void ask_for_large_pages(void *memory, uint64_t size) noexcept nogil
    void *memory_in_large_pages(uint64_t size) noexcept nogil
