"""The `manyply` command.

The one place that composes a master with local analysers in one process.  Everything else
it does is to read options, call the engine or a master, and print.
"""

_ENOMEM = 12


def main() -> None:
    """Run the command line; the process ends with a documented exit code."""
    try:
        from master.cli.app import run  # noqa: PLC0415  # keeps `import master.cli` cheap

        run()
    except (MemoryError, OSError, ImportError) as error:
        if not _is_of_memory(error):
            raise
        raise SystemExit("manyply: too little memory (ulimit -v)") from None


def _is_of_memory(error: BaseException | None) -> bool:
    """Say whether memory was wanting; without an import, for which there may be none left."""
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == _ENOMEM:
            return True
        if isinstance(error, ImportError) and "failed to map segment" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
