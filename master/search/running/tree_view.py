"""The top of a running search's tree with the names of the analysers that search it."""

from collections.abc import Callable, Sequence

from master.contract.search_views import TreeNode
from master.search.running.status import shown_bounds
from master.search.tree_top import TopNode


def tree_nodes(
    top: Sequence[TopNode], name_of: Callable[[int], str], now: float
) -> tuple[TreeNode, ...]:
    """Return nodes as they are shown.

    Args:
        top: of the tree.
        name_of: an analyser's number.
        now: by the scheduler's clock.
    """
    return tuple(_tree_node(node, name_of, now) for node in top)


def _tree_node(node: TopNode, name_of: Callable[[int], str], now: float) -> TreeNode:
    lower, upper = shown_bounds(node.lower, node.upper)
    return TreeNode(
        path=node.path,
        depth=node.depth,
        lower=lower,
        upper=upper,
        window=None if node.window is None else shown_bounds(*node.window),
        state=node.state,
        is_shot=node.is_shot,
        searchers=tuple(sorted(map(name_of, node.analysers))),
        busy=node.busy,
        nodes=node.nodes,
        age_s=None if node.since is None else max(0.0, now - node.since),
        child_count=node.child_count,
    )
