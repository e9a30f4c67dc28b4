// SPDX-License-Identifier: Apache-2.0
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

// The fields that a search term may match. `Any` means all of them.
enum class SearchField : std::uint8_t { Op, Name, DType, Shape, Input, Device, Attribute, Any };
std::string_view searchFieldName(SearchField field); // "op", "name", "attribute"...

// The known dtypes and shapes of a node's tensors, for terms on dtype and shape. Sizes are
// separated by "x".
struct SearchFacts {
    std::string dtype;
    std::string shape;
    std::string inputShapes;
};
using DescribeNode = std::function<SearchFacts(const Graph& graph, NodeId id)>;

struct SearchHit {
    NodeId node;
    SearchField field = SearchField::Name; // the field that the first term matched

    bool operator==(const SearchHit&) const = default;
};
class SearchPass;
struct SearchAnswer {
    // Returns the texts of a node that terms can match besides its name, its op and its sizes: each
    // attribute as "padding=VALID", types, the sizes of its inputs, its device.
    std::vector<std::string> askedFor(NodeId id) const;

    std::vector<SearchHit> hits;            // in node order
    std::string note;                       // note on a term that is not a regular expression
    std::shared_ptr<const SearchPass> pass; // the terms; null if no index was searched
};

class SearchIndex;
using SearchIndexPtr = std::shared_ptr<const SearchIndex>;

// The searchable text of every node of a graph, made once; a search is then one pass over it.
// A query is a list of terms that must all match, separated by blanks; quotes "..." protect blanks.
// A term is a regular expression (RE2, ignoring case) that may match anywhere; if it is not a valid
// one, it is plain text. `name:`, `op:`, `dtype:`, `shape:`, `input:`, `device:` and `attr:`
// restrict it to a field, and a `-` before it negates it. Shapes may be written with x or ×.
class SearchIndex : public std::enable_shared_from_this<SearchIndex> {
public:
    static Result<SearchIndexPtr> make(GraphPtr graph, const DescribeNode& describe,
                                       const Job& job);

    Result<SearchAnswer> find(std::string_view query, const Job& job) const;
    const GraphPtr& graph() const { return m_graph; }

    // The sizes of a node's first output, and of the filter of a convolution or the second factor
    // of a product: "1x7x7x64"; empty if they are unknown.
    std::string_view sizes(NodeId id) const;
    std::string_view filterSizes(NodeId id) const;

private:
    static constexpr std::size_t fieldCount = std::size_t(SearchField::Any);
    friend class SearchPass;
    SearchIndex() = default;
    std::string_view field(std::size_t node, SearchField field) const;
    void append(NodeId id, const DescribeNode& describe);

    GraphPtr m_graph;
    std::string m_text;
    std::vector<std::uint64_t> m_start; // fieldCount entries for each node, and the end
};

} // namespace lapidary
