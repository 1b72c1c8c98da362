# The boards where a search of Threes! is cut into parts, each once.
#
# Knows boards, bags and depths. Must not know how boards are valued, or who values them.

from libc.stdint cimport uint32_t, uint64_t
from engine_ext.threes.depth cimport Depth

ctypedef struct FrontierNode:
    uint64_t cells
    int bag
    Depth depth
    double value              # once it is known

ctypedef struct Frontier:
    FrontierNode *nodes       # in the order in which they were met first
    uint32_t *places          # [size] of nodes by hash, one more than the number; 0: none
    uint32_t size             # a power of 2, more than twice the nodes
    uint32_t count
    uint32_t count_max
    bint is_full              # a node was met for which there was no room

# A number that tells most nodes apart.
cdef inline uint32_t frontier_hash(uint64_t cells, int bag, Depth depth) noexcept nogil:
    cdef uint64_t tag = (<uint64_t>depth.rarity << 13) | (<uint64_t>bag << 4) | depth.plies
    return <uint32_t>(((cells ^ (tag << 32)) * 0x9E3779B97F4A7C15ULL) >> 32)

cdef inline bint is_node_of(const FrontierNode *node, uint64_t cells, int bag,
                            Depth depth) noexcept nogil:
    return (node.cells == cells and node.bag == bag and node.depth.plies == depth.plies
            and node.depth.rarity == depth.rarity)

# The value of a board where it is known; else 0, and the board is noted.
cdef inline double frontier_value(Frontier *frontier, uint64_t cells, int bag,
                                  Depth depth) noexcept nogil:
    cdef uint32_t place = frontier_hash(cells, bag, depth) & (frontier.size - 1)
    cdef FrontierNode *node
    while frontier.places[place]:
        node = &frontier.nodes[frontier.places[place] - 1]
        if is_node_of(node, cells, bag, depth):
            return node.value
        place = (place + 1) & (frontier.size - 1)
    if frontier.count == frontier.count_max:
        frontier.is_full = True
        return 0.0
    node = &frontier.nodes[frontier.count]
    node.cells, node.bag, node.depth, node.value = cells, bag, depth, 0.0
    frontier.count += 1
    frontier.places[place] = frontier.count
    return 0.0
