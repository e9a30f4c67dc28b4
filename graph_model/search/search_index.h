#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// What a search term may look at. `Any` looks at all of them.
enum class SearchField : std::uint8_t { Op, Name, DType, Shape, Input, Device, Attribute, Any };
std::string_view searchFieldName(SearchField field); // "op", "name", "attribute"...

// What is known of a node's tensors, for terms on dtype and shape. Sizes are joined by "x".
struct SearchFacts {
    std::string dtype;
    std::string shape;
    std::string inputShapes;
};
using DescribeNode = std::function<SearchFacts(const Graph& graph, NodeId id)>;

struct SearchHit {
    NodeId node;
    SearchField field = SearchField::Name; // where the first term matched

    bool operator==(const SearchHit&) const = default;
};
struct SearchAnswer {
    std::vector<SearchHit> hits; // in node order
    std::string note;            // what was done with a term that is no regular expression
};

class SearchIndex;
using SearchIndexPtr = std::shared_ptr<const SearchIndex>;

// The searchable text of every node of a graph, made once; a search is then one pass over it.
//
// A query is a list of terms that must all match, separated by blanks; "..." keeps blanks together.
// A term is a regular expression (RE2, case ignored), found anywhere, or, where it is none, plain
// text. `name:`, `op:`, `dtype:`, `shape:`, `input:`, `device:` and `attr:` restrict it to a field,
// a `-` in front negates it. Shapes may be written with x or ×.
class SearchIndex {
public:
    static Result<SearchIndexPtr> make(GraphPtr graph, const DescribeNode& describe,
                                       const Job& job);

    Result<SearchAnswer> find(std::string_view query, const Job& job) const;
    const GraphPtr& graph() const { return m_graph; }

private:
    static constexpr std::size_t fieldCount = std::size_t(SearchField::Any);
    friend class SearchPass;
    SearchIndex() = default;
    std::string_view field(std::size_t node, SearchField field) const;
    void append(NodeId id, const DescribeNode& describe);

    GraphPtr m_graph;
    std::string m_text;
    std::vector<std::uint64_t> m_start; // fieldCount for each node, and the end
};

} // namespace lapidary
