"""The project's own source files, for the house-rule tests."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("protocol", "engine_ext", "analyser", "master", "training")


def source_files(*suffixes: str, packages: tuple[str, ...] = PACKAGES) -> list[Path]:
    """Return the packages' files with these suffixes, sorted."""
    found = [
        path
        for package in packages
        for suffix in suffixes
        for path in (ROOT / package).rglob(f"*{suffix}")
    ]
    return sorted(found)
