"""Stored jobs, for commands that only show them: nothing is run, and nothing written.

It works where nothing may be written: on a disk that is mounted read-only, in a directory of
another user, on a copy in an archive.
"""

import asyncio
from pathlib import Path
from typing import Self

from master.contract.views import JobView
from master.service.job_records import listed_view, stored_view
from master.store.store import Store


class StoredJobs:
    """The jobs of a state directory. Use it as an async context manager."""

    is_elsewhere = False

    def __init__(self, state_dir: Path) -> None:
        """Prepare; `async with` opens it."""
        self._state_dir = state_dir
        self._store: Store

    async def __aenter__(self) -> Self:
        """Open the store; raises StoreError."""
        self._store = await asyncio.to_thread(Store, self._state_dir, is_read_only=True)
        return self

    async def __aexit__(self, *ending: object) -> None:
        """Close the store."""
        self._store.close()

    async def jobs(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""
        return await asyncio.to_thread(self._listed)

    def _listed(self) -> list[JobView]:
        return [listed_view(self._store, record) for record in self._store.jobs()]

    async def show(self, job: int) -> JobView:
        """Return the view of a job."""
        return await asyncio.to_thread(stored_view, self._store, job)
