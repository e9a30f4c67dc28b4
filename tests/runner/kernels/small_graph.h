// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/runner/kernels/one_node.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// A few nodes and a session that runs them repeatedly, for ops with state.
class SmallGraph {
public:
    SmallGraph& node(std::string name, std::string op, std::vector<std::string> inputs = {},
                     const NodeAttrs& attrs = {});
    // A Placeholder.
    SmallGraph& input(std::string name, DType dtype);

    using Feeds = std::vector<std::pair<std::string, Value>>;
    // Returns the first value of `fetches`; names without outputs are run as targets. The first run
    // makes the session.
    Result<Value> run(const std::string& fetch, const Feeds& feeds = {});
    Result<std::vector<Value>> runAll(const std::vector<std::string>& fetches,
                                      const Feeds& feeds = {});
    // Returns the error; empty if there is none.
    std::string fault(const std::string& target, const Feeds& feeds = {});
    Session& session() { return *m_session; } // of the last run

private:
    std::vector<NodeDraft> m_nodes;
    std::optional<Session> m_session;
};

// Returns an AttrValue that is a list of types.
std::string typesAttr(const std::vector<DType>& types);
// Returns the elements of a value, or the error, so that failed comparisons show more than "false".
template <class T>
std::pair<std::vector<T>, std::string> heldBy(const Result<Value>& value)
{
    if (!value)
        return {{}, value.error().message};
    return {elementsOf<T>(*value), ""};
}
template <class T>
std::pair<std::vector<T>, std::string> holds(std::vector<T> elements)
{
    return {std::move(elements), ""};
}

} // namespace lapidary
