"""A check that a program fits into memory, made before anything large is imported.

If memory runs out during an import, Python raises one of many errors: MemoryError, ImportError,
SystemError, NameError. This module must import very little.
"""

LOADED_BYTES_MIN = 64 << 20
"""Of address space (ulimit -v).  All programs load in 48 MiB; Python alone takes 16."""


def check_address_space(program: str) -> None:
    """Raise SystemExit, exit code 1, with one line for this program if it would not fit."""
    expected = f"expected {LOADED_BYTES_MIN >> 10:,} KiB or more"
    words = f"{program}: too little memory (ulimit -v): {expected}"
    try:
        import resource  # noqa: PLC0415  # a library, which may not fit itself
    except (MemoryError, ImportError, SystemError):
        raise SystemExit(words) from None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY and soft < LOADED_BYTES_MIN:
        raise SystemExit(words)
