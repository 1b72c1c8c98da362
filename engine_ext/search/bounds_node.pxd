# Nodes of the tree of bounds, and what follows from a node and its children alone.
#
# All inline: they are what a sweep of thousands of nodes, at every event of a search, consists of.
# Nothing here fails or needs the GIL.

from libc.math cimport sqrt
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

cdef enum:
    VALUE_MAX = 1 << 29       # every value is in -VALUE_MAX .. VALUE_MAX: negation is safe
    NONE = -1                 # no node
    CHILD_COUNT_MAX = 512     # of a node; chess has at most 218 moves, Othello 33
    RANK_MAX = 1000           # speculation rank of what is searched for nothing

ctypedef struct BoundsNode:
    int32_t lower             # proved: lower <= value
    int32_t upper             # proved: value <= upper
    int32_t estimate          # where the value is expected; only ranks depend on it
    int32_t parent            # NONE for the root
    int32_t first_child       # children are consecutive, in canonical order; NONE: not expanded
    int32_t eldest            # the child that is searched first, ...
    int32_t younger           # ... and the brother after this one; NONE: the last
    int32_t twin              # ring of the nodes of one position and depth; itself when alone
    int32_t alpha             # window in which the last sweep found it wanted
    int32_t beta
    uint32_t seen             # number of the last sweep that found it wanted
    int32_t entry             # its place in what that sweep found
    int32_t chance_alpha      # window of the chance
    int32_t chance_beta
    double chance             # that its value exceeds alpha
    uint64_t forgotten        # when something changed in it or below it last
    int16_t child_count
    int16_t index             # among its brothers, canonical
    int16_t rank              # speculation rank in that sweep
    uint8_t is_busy           # a search of it is under way
    uint8_t has_estimate
    uint8_t is_judged         # nothing has changed in it or below it since that sweep...
    uint8_t has_chance        # ... nor since the chance was found

# A node that a sweep found wanted.  Those below it follow it at once, in the order of search;
# entries name each other by the way to go, so that what has not changed can be copied as it is.
ctypedef struct SweepEntry:
    int32_t node
    int32_t size              # of it and all below it
    int32_t likeliest         # to the child that most likely settles it; 0: none
    int32_t next              # to the brother that does so next; 0: the last
    double chance             # that the value exceeds alpha, by what is known of the node alone
    double likely             # the same, less sure where brothers are not what they seemed
    double need               # chance that it is needed

cdef inline void clear_node(BoundsNode *node, int number, int parent, int index) noexcept nogil:
    node.lower = -VALUE_MAX
    node.upper = VALUE_MAX
    node.estimate = 0
    node.parent = parent
    node.first_child = node.eldest = node.younger = NONE
    node.twin = number
    node.alpha = node.beta = 0
    node.seen = 0
    node.entry = NONE
    node.child_count = 0
    node.index = index
    node.chance = 0.0
    node.chance_alpha = node.chance_beta = 0
    node.forgotten = 0
    node.rank = 0
    node.is_busy = False
    node.has_estimate = False
    node.is_judged = node.has_chance = False

# What the children's bounds prove of a node: the largest of each, negated.
cdef inline void children_bounds(const BoundsNode *nodes, int node, int *lower,
                                 int *upper) noexcept nogil:
    cdef int child
    lower[0] = upper[0] = -VALUE_MAX
    for child in range(nodes[node].first_child,
                       nodes[node].first_child + nodes[node].child_count):
        lower[0] = max(lower[0], -nodes[child].upper)
        upper[0] = max(upper[0], -nodes[child].lower)

# What a child must exceed to be the canonical best move, by the others' lower bounds.
cdef inline int best_of_others(const BoundsNode *nodes, int node, int child) noexcept nogil:
    cdef int best = -VALUE_MAX, other, first = nodes[node].first_child
    for other in range(first, first + nodes[node].child_count):
        if other < child:
            best = max(best, -nodes[other].upper)
        elif other > child:
            best = max(best, -nodes[other].upper - 1)
    return best

# What an unresolved node's window is for one child, seen by the child; False if resolved.
cdef inline bint child_window(const BoundsNode *nodes, int node, int child, bint is_first_best,
                              int32_t *alpha, int32_t *beta) noexcept nogil:
    cdef const BoundsNode *below = &nodes[child]
    cdef int high = min(beta[0], nodes[node].upper)
    cdef int low = max(alpha[0], best_of_others(nodes, node, child) if is_first_best
                       else nodes[node].lower)
    # What a search of the node itself proved (upper) is not told its children: low may be high.
    if (below.lower == below.upper or below.lower >= -low or below.upper <= -high
            or low >= high):
        return False
    alpha[0] = max(-high, below.lower)
    beta[0] = min(-low, below.upper)
    return True

# Narrow a window to what is not proved of a node; False if the node is resolved.
cdef inline bint narrow_window(const BoundsNode *node, int32_t *alpha,
                               int32_t *beta) noexcept nogil:
    if node.lower == node.upper or node.lower >= beta[0] or node.upper <= alpha[0]:
        return False
    alpha[0] = max(alpha[0], node.lower)
    beta[0] = min(beta[0], node.upper)
    return True

# The chance of a value so many spreads below its estimate, or more: long tails, no libm.
cdef inline double at_least(double spreads) noexcept nogil:
    return 0.5 + 0.5 * spreads / sqrt(1.0 + spreads * spreads)

# The chance that an unresolved node's value exceeds alpha, by its estimate and bounds.
cdef inline double likely_above(const BoundsNode *node, int alpha, double spread) noexcept nogil:
    cdef double all_of_it, above_alpha, above_upper
    if not node.has_estimate:
        return 0.5
    all_of_it = at_least((node.estimate - node.lower + 0.5) / spread)
    above_alpha = at_least((node.estimate - alpha - 0.5) / spread)
    above_upper = at_least((node.estimate - node.upper - 0.5) / spread)
    if all_of_it <= above_upper:  # both too far from the estimate to be told apart
        return 0.5
    return (above_alpha - above_upper) / (all_of_it - above_upper)

# How much of what is expected of a node's unsplit children is believed: less for each brother that
# was expected to settle it and is proved not to, and for each that was split and has not settled it
# yet.  Looks at brothers are wrong together, and what is begun is better gone on with.
cdef inline double trust_in_brothers(const BoundsNode *nodes, int node, int alpha,
                                     double spread) noexcept nogil:
    cdef const BoundsNode *below
    cdef int child, enough = -max(alpha, nodes[node].lower)  # so much, and it settles nothing
    cdef double against = 0.0
    for child in range(nodes[node].first_child,
                       nodes[node].first_child + nodes[node].child_count):
        below = &nodes[child]
        if below.lower >= enough:
            against += 1.0 - (at_least((below.estimate - enough + 0.5) / spread)
                              if below.has_estimate else 0.5)
        elif below.first_child != NONE:
            against += 1.0
    return 1.0 / (1.0 + against)

# The node that has the children of a position: itself, or a twin that was split; else itself.
cdef inline int split_twin(const BoundsNode *nodes, int node) noexcept nogil:
    cdef int twin = node
    while nodes[twin].first_child == NONE:
        twin = nodes[twin].twin
        if twin == node:
            break
    return twin

# The chance that a child's value exceeds alpha, by the chance that is found of the child alone.
cdef inline double doubted(const BoundsNode *nodes, int child, double chance,
                           double trust) noexcept nogil:
    return chance if nodes[split_twin(nodes, child)].first_child != NONE else (
        1.0 - trust * (1.0 - chance))

# Whether no twin of a node has a smaller number.
cdef inline bint is_first_twin(const BoundsNode *nodes, int node) noexcept nogil:
    cdef int twin = nodes[node].twin
    while twin > node:
        twin = nodes[twin].twin
    return twin == node

cdef inline void record_chance(BoundsNode *node, int alpha, int beta, double chance) noexcept nogil:
    node.has_chance = True
    node.chance_alpha = alpha
    node.chance_beta = beta
    node.chance = chance

# Forget what was judged of a node, of all above it, and of those twins and all above them that are
# judged by the node's children; `number` is of this change.
cdef inline void forget_from(BoundsNode *nodes, int node, uint64_t number) noexcept nogil:
    cdef int twin
    while node != NONE and nodes[node].forgotten != number:
        nodes[node].is_judged = nodes[node].has_chance = False
        nodes[node].forgotten = number
        twin = nodes[node].twin
        while nodes[node].first_child != NONE and twin != node:
            if nodes[twin].first_child == NONE:
                forget_from(nodes, twin, number)
            twin = nodes[twin].twin
        node = nodes[node].parent

# Whether a node or a twin of it is busy.
cdef inline bint is_in_hand(const BoundsNode *nodes, int node) noexcept nogil:
    cdef int twin = nodes[node].twin
    while twin != node and not nodes[twin].is_busy:
        twin = nodes[twin].twin
    return nodes[twin].is_busy

# The node that stands for all of one position that a sweep found: the first of those with children,
# whose search they are; else the first of all.  A node with children stands for itself.
cdef inline int representative_of(const BoundsNode *nodes, int node,
                                  uint32_t sweep_number) noexcept nogil:
    cdef int first = node, twin = nodes[node].twin
    if nodes[node].first_child != NONE:
        return node
    while twin != node:
        if nodes[twin].seen == sweep_number and comes_before(nodes, twin, first):
            first = twin
        twin = nodes[twin].twin
    return first

# Whether one of two twins rather stands for both.
cdef inline bint comes_before(const BoundsNode *nodes, int node, int other) noexcept nogil:
    cdef bint is_leaf = nodes[node].first_child == NONE
    if is_leaf != (nodes[other].first_child == NONE):
        return not is_leaf
    return nodes[node].entry < nodes[other].entry

# A node, or a twin of it, that a sweep found wanted; NONE: none of them is.
cdef inline int found_twin(const BoundsNode *nodes, int node, uint32_t sweep_number) noexcept nogil:
    cdef int twin = node
    while nodes[twin].seen != sweep_number:
        twin = nodes[twin].twin
        if twin == node:
            return NONE
    return twin

# Put an entry that follows its parent's among its brothers, the one that most likely settles
# their parent first; of equals the earlier one.
cdef inline void link_entry(SweepEntry *entries, int parent, int child) noexcept nogil:
    cdef int before = parent
    cdef int32_t *link = &entries[parent].likeliest
    while link[0] != 0 and entries[before + link[0]].likely <= entries[child].likely:
        before += link[0]
        link = &entries[before].next
    entries[child].next = before + link[0] - child if link[0] != 0 else 0
    link[0] = child - before
