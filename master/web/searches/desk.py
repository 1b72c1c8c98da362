"""Answers what is asked of search trees.

Knows requests and a master's views.  Must not know searches.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from master.web.answering import Site, json_response, request_job
from master.web.searches.tree_resource import tree_resource


class SearchDesk:
    """The desk of searches."""

    def __init__(self, site: Site) -> None:
        self._search_tree = site.search_tree

    async def search_tree(self, request: Request) -> Response:
        """Answer with the top of a search's tree."""
        return json_response(tree_resource(await self._search_tree(request_job(request))))
