"""Answers requests about search trees."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from master.contract.search_views import SearchTreeView
from master.games.table import front_of, load
from master.web.answering import Site, json_response, request_job
from master.web.searches.tree_resource import TreeWords, tree_resource

WORDINGS_MAX = 16
"""As many searches run at a time."""


class SearchHandlers:
    """The handlers of searches."""

    def __init__(self, site: Site) -> None:
        self._master = site.master
        self._wordings: dict[int, TreeWords] = {}

    async def search_tree(self, request: Request) -> Response:
        """Answer with the top of a search's tree."""
        job = request_job(request)
        tree = await self._master.search_tree(job)
        answer = [] if tree.is_running else await self._answer(job)
        return json_response(tree_resource(tree, self._wording_of(job, tree), answer))

    def _wording_of(self, job: int, tree: SearchTreeView) -> TreeWords:
        wording = self._wordings.pop(job, None)
        if wording is None or not wording.is_of(tree):
            wording = TreeWords(tree.game, tree.search)
        self._wordings[job] = wording  # the last one that was asked for is the last to go
        if len(self._wordings) > WORDINGS_MAX:
            del self._wordings[next(iter(self._wordings))]
        return wording

    async def _answer(self, job: int) -> list[str]:
        """Return the result of a search that does not run, in lines."""
        view = await self._master.show(job)
        lines: list[str] = load(front_of(view.game).job_lines)(view)
        return lines
