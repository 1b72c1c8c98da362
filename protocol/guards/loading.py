"""Whether a program can be loaded at all, asked before anything large is.

Where memory ends in the middle of an import, Python raises one of many errors: MemoryError,
ImportError, SystemError, NameError.  Knows a limit.  Must not import much, nor know programs.
"""

LOADED_BYTES_MIN = 64 << 20
"""Of address space (ulimit -v).  All programs load in 48 MiB; Python alone takes 16."""


def check_address_space(program: str) -> None:
    """Raise SystemExit, exit code 1, with one line by this program if it would not fit."""
    expected = f"expected {LOADED_BYTES_MIN >> 10:,} KiB or more"
    words = f"{program}: too little memory (ulimit -v): {expected}"
    try:
        import resource  # noqa: PLC0415  # a library, which may not fit itself
    except (MemoryError, ImportError, SystemError):
        raise SystemExit(words) from None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY and soft < LOADED_BYTES_MIN:
        raise SystemExit(words)
