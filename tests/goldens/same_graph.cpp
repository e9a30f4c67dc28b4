#include "tests/goldens/same_graph.h"

#include "transforms/compare/equal_graphs.h"

#include <algorithm>

namespace lapidary::goldens {

std::string differenceTo(const Graph& ours, const Graph& recorded)
{
    const auto isSameNode = [](const NodePtr& a, const NodePtr& b) {
        return a->name() == b->name() && nodeDifference(*a, *b).empty();
    };
    if (std::ranges::equal(ours.nodes(), recorded.nodes(), isSameNode))
        return "";
    return graphDifference(ours, recorded);
}

} // namespace lapidary::goldens
