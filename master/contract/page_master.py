"""The interface of a master for the page, beside the interface for every client.

Only a master in the same process has it.
"""

from typing import Protocol

from master.contract.convergences import JobConvergence, JobFlow
from master.contract.figures import Figures
from master.contract.master import Master
from master.contract.search_views import SearchTreeView


class PageMaster(Master, Protocol):
    """A master that serves a page; each call raises MasterError where it cannot be done."""

    async def figures(self) -> Figures:
        """Return its state in numbers."""

    async def convergence(self, job: int) -> JobConvergence:
        """Return the way of a job's means; of a search there is none."""

    async def flow(self, job: int) -> JobFlow:
        """Return how results of a job came in; of one that did not run here nothing is known."""

    async def search_tree(self, job: int) -> SearchTreeView:
        """Return the top of the tree of a job that is a search."""
