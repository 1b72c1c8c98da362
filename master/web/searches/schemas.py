"""The schemas of search trees."""

from __future__ import annotations

from master.contract.search_views import TREE_NODES_MAX, NodeState
from master.web.shapes import COUNT, RATE, TEXT, Schema, list_of, object_of, or_null

_VALUE: Schema = {"type": "integer"}

SEARCH_SCHEMAS: dict[str, Schema] = {
    "TreeNode": object_of(
        {
            "path": {"type": "array", "items": COUNT},
            "move": TEXT,
            "depth": TEXT,
            "lower": or_null(_VALUE),
            "upper": or_null(_VALUE),
            "bounds": TEXT,
            "window": or_null(
                {"type": "array", "items": or_null(_VALUE), "minItems": 2, "maxItems": 2}
            ),
            "state": {"enum": [state.value for state in NodeState]},
            "is_shot": {"type": "boolean"},
            "searchers": {"type": "array", "items": TEXT},
            "busy": COUNT,
            "nodes": COUNT,
            "age_s": or_null(RATE),
            "children": COUNT,
        }
    ),
    "SearchTree": object_of(
        {
            "is_running": {"type": "boolean"},
            "phase": TEXT,
            "bounds": TEXT,
            "best_move": or_null(TEXT),
            "nodes": COUNT,
            "nodes_per_s": RATE,
            "seconds": RATE,
            "parts": COUNT,
            "shot": COUNT,
            "answer": {"type": "array", "items": TEXT},
            "tree": list_of("TreeNode") | {"maxItems": TREE_NODES_MAX},
        }
    ),
}
