# Kernels by name: what each game's C offers of them, as Python callers see it.
#
# A kernel is one way to compute what all of them compute; C says which this processor runs.

# The name of a kernel that this processor runs, best first; NULL beyond the last.
ctypedef const char *(*KernelAvailable)(int index) noexcept nogil
# Use the named one from now on: 1, or 0 if there is none of that name.
ctypedef int (*KernelForce)(const char *name) noexcept nogil


cdef inline list kernel_names(KernelAvailable available):
    """List the names, fastest first.  GIL: needs."""
    cdef list names = []
    cdef const char *name = available(0)
    while name is not NULL:
        names.append(name.decode())
        name = available(<int>len(names))
    return names


cdef inline int kernel_forced(str name, KernelForce force, KernelAvailable available) except -1:
    """Use a kernel from now on, in the whole process; ValueError names those there are."""
    cdef bytes encoded = name.encode()
    if not force(encoded):
        raise ValueError(f"no kernel {name!r} here, only {', '.join(kernel_names(available))}")
    return 0
