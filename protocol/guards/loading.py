"""Whether a program can be loaded at all, asked before anything large is.

Where memory ends in the middle of an import, Python raises one of many errors: MemoryError,
ImportError, SystemError, NameError.
"""

LOADED_ADDRESS_BYTES = 64 << 20
"""Of address space (ulimit -v).  All programs load in 48 MiB; Python alone takes 16."""

LOADED_DATA_BYTES = 32 << 20
"""Of data (ulimit -d).  All programs load in 24 MiB; Python alone takes 4."""


def check_room_to_load(program: str) -> None:
    """Raise SystemExit, exit code 1, with one line by this program if it would not fit."""
    try:
        import resource  # noqa: PLC0415  # a library, which may not fit itself
    except (MemoryError, ImportError, SystemError):
        raise SystemExit(f"{program}: too little memory (ulimit -v, ulimit -d)") from None
    for option, limit, byte_count in (
        ("-v", resource.RLIMIT_AS, LOADED_ADDRESS_BYTES),
        ("-d", resource.RLIMIT_DATA, LOADED_DATA_BYTES),
    ):
        soft, _ = resource.getrlimit(limit)
        if soft != resource.RLIM_INFINITY and soft < byte_count:
            expected = f"expected {byte_count >> 10:,} KiB or more"
            raise SystemExit(f"{program}: too little memory (ulimit {option}): {expected}")
