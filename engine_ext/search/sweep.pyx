"""Sweeping a tree of bounds: finding all that is wanted, and how likely each of it is needed.

Knows nodes and windows (bounds_node.pxd).  Must not know how bounds come to be proved, nor who
searches.

A node's *speculation rank* is the chance, in thousandths, that its search will turn out to be for
nothing because a brother, of its own or of a node above it, settles their parent before.  It
follows from the chance that each wanted node's value exceeds alpha: by its estimate and what is
proved of it, or, if it has children, by theirs as if they were independent.  What is expected of
unsplit children is believed less the more of their brothers have not done what was expected.

Nodes of one position are *twins*: one of them is split and searched for all, and is needed if any
of them is.
"""

from libc.stdint cimport int32_t
from libc.string cimport memcpy
from engine_ext.search.bounds_node cimport (
    NONE, RANK_MAX, BoundsNode, SweepEntry, child_window, doubted, likely_above, link_entry,
    record_chance, split_twin, representative_of, trust_in_brothers)

# Less is not worth looking at all below a node again.
cdef double NEED_STEP = 0.5 / RANK_MAX


cdef void sweep_find(Sweep *sweep, bint is_open, int alpha, int beta,
                     bint is_move_wanted) noexcept nogil:
    """Find and rank all that is wanted, if anything has changed since the last time.

    Errors: never fails.  GIL: nogil.
    """
    cdef const BoundsNode *root = &sweep.nodes[0]
    if (is_open and root.is_judged and root.seen == sweep.number and root.alpha == alpha
            and root.beta == beta and sweep.was_move_wanted == is_move_wanted):
        return
    sweep.was_move_wanted = is_move_wanted
    sweep.entries, sweep.entries_before = sweep.entries_before, sweep.entries
    sweep.entry_count = sweep.leaf_count = 0
    sweep.number += 1
    if is_open:
        _judge(sweep, 0, alpha, beta, is_move_wanted)
        _rank(sweep)
        _sort_by_rank(sweep)


cdef double _judge(Sweep *sweep, int node, int alpha, int beta,
                   bint is_first_best) noexcept nogil:
    """Find what is wanted from a node on, in the order of search; return its chance by itself.

    What the last sweep found there is taken over if nothing has changed since.
    """
    cdef BoundsNode *here = &sweep.nodes[node]
    cdef int32_t low, high
    cdef int place = sweep.entry_count, below, child = here.eldest
    cdef SweepEntry *entry = &sweep.entries[place]
    cdef double trust, likely, all_exceed = 1.0
    if (here.is_judged and here.seen + 1 == sweep.number and here.alpha == alpha
            and here.beta == beta and node != 0):
        memcpy(entry, &sweep.entries_before[here.entry],
               sweep.entries_before[here.entry].size * sizeof(SweepEntry))
        sweep.entry_count += entry.size
        return entry.chance
    here.is_judged = True
    here.alpha = alpha
    here.beta = beta
    entry.node = node
    entry.likeliest = 0
    sweep.entry_count += 1
    trust = trust_in_brothers(sweep.nodes, node, alpha, sweep.spread)
    while child != NONE:
        low = alpha
        high = beta
        if child_window(sweep.nodes, node, child, is_first_best, &low, &high):
            below = sweep.entry_count
            likely = doubted(sweep.nodes, child, _judge(sweep, child, low, high, False), trust)
            sweep.entries[below].likely = likely
            all_exceed *= likely
            link_entry(sweep.entries, place, below)
        child = sweep.nodes[child].younger
    entry.size = sweep.entry_count - place
    if here.first_child != NONE:
        record_chance(here, alpha, beta, 1.0 - all_exceed)
    entry.likely = entry.chance = _chance(sweep, node, alpha, beta)
    return entry.chance


cdef double _chance(Sweep *sweep, int node, int alpha, int beta) noexcept nogil:
    """Return the chance that a wanted node's value exceeds alpha.

    By its own estimate; or, if it was split, here or at a twin, by the children's chances.
    """
    cdef int home = split_twin(sweep.nodes, node)
    cdef BoundsNode *here = &sweep.nodes[home]
    cdef int child = here.eldest
    cdef int32_t low, high
    cdef double trust, all_exceed = 1.0
    if here.first_child == NONE:
        return likely_above(&sweep.nodes[node], alpha, sweep.spread)
    if not (here.has_chance and here.chance_alpha == alpha and here.chance_beta == beta):
        trust = trust_in_brothers(sweep.nodes, home, alpha, sweep.spread)
        while child != NONE:
            low = alpha
            high = beta
            if child_window(sweep.nodes, home, child, False, &low, &high):
                all_exceed *= doubted(
                    sweep.nodes, child, _chance(sweep, child, low, high), trust)
            child = sweep.nodes[child].younger
        record_chance(here, alpha, beta, 1.0 - all_exceed)
    return here.chance


cdef void _rank(Sweep *sweep) noexcept nogil:
    """Rank what was found wanted, and find the leaves among it, one of all twins."""
    cdef BoundsNode *here
    cdef int place, stands
    for place in range(sweep.entry_count):
        here = &sweep.nodes[sweep.entries[place].node]
        here.seen = sweep.number
        here.entry = place
        sweep.entries[place].need = -1.0
    _need(sweep, 0, 1.0)
    for place in range(sweep.entry_count):
        here = &sweep.nodes[sweep.entries[place].node]
        stands = representative_of(sweep.nodes, sweep.entries[place].node, sweep.number)
        here.rank = <int>((1.0 - sweep.entries[sweep.nodes[stands].entry].need) * RANK_MAX)
        if here.first_child == NONE and stands == sweep.entries[place].node:
            sweep.leaves[sweep.leaf_count] = stands
            sweep.leaf_count += 1


cdef void _need(Sweep *sweep, int place, double need) noexcept nogil:
    """Say how likely a found node is needed, and so all below it.

    A child is needed if none that is likelier to settle the node does.  What a node without
    children needs is needed of the twin that stands for it.
    """
    cdef SweepEntry *entry = &sweep.entries[place]
    cdef SweepEntry *below = entry
    cdef int stands, step = entry.likeliest
    if need <= entry.need + NEED_STEP:
        return
    entry.need = need
    while step != 0:
        below += step
        _need(sweep, below - sweep.entries, need)
        need *= below.likely
        step = below.next
    stands = representative_of(sweep.nodes, entry.node, sweep.number)
    if stands != entry.node:
        _need(sweep, sweep.nodes[stands].entry, entry.need)


cdef void _sort_by_rank(Sweep *sweep) noexcept nogil:
    """Sort the leaves found by rank; those of one rank stay in the tree's order."""
    cdef int32_t firsts[RANK_MAX + 2]
    cdef int i, rank
    for i in range(RANK_MAX + 2):
        firsts[i] = 0
    for i in range(sweep.leaf_count):
        firsts[sweep.nodes[sweep.leaves[i]].rank + 1] += 1
    for i in range(RANK_MAX + 1):
        firsts[i + 1] += firsts[i]
    for i in range(sweep.leaf_count):
        rank = sweep.nodes[sweep.leaves[i]].rank
        sweep.ranked[firsts[rank]] = sweep.leaves[i]
        firsts[rank] += 1
