// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/hash.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/scope_draft.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

// Structure without names: the children of one scope are ordered by their wiring, cut where few
// tensors cross, and grouped by repetition. Names are never read.
namespace lapidary::structure {

inline constexpr std::uint32_t none = UINT32_MAX;

// A list of T for each of the numbers 0..n-1, in two flat arrays.
template <class T>
class Rows {
public:
    Rows() = default;
    // `entries` are (row, value); their order is kept within a row.
    Rows(std::size_t rows, const std::vector<std::pair<std::uint32_t, T>>& entries)
        : m_start(rows + 1, 0)
        , m_values(entries.size())
    {
        for (const auto& entry : entries)
            ++m_start[entry.first + 1];
        for (std::size_t i = 0; i < rows; ++i)
            m_start[i + 1] += m_start[i];
        std::vector<std::uint32_t> next(m_start.begin(), m_start.end() - 1);
        for (const auto& entry : entries)
            m_values[next[entry.first]++] = entry.second;
    }

    std::span<const T> operator[](std::size_t row) const
    {
        return {m_values.data() + m_start[row], m_start[row + 1] - m_start[row]};
    }
    std::span<T> operator[](std::size_t row)
    {
        return {m_values.data() + m_start[row], m_start[row + 1] - m_start[row]};
    }

private:
    std::vector<std::uint32_t> m_start;
    std::vector<T> m_values;
};

// The properties of an op type that the wiring search uses.
struct OpTraits {
    std::string_view op; // empty for a group
    std::uint64_t hash = 0;
    LayerSide side = LayerSide::None;
    bool isActivation = false; // part of the op that it is applied to
    bool isAnchor = false;     // has weights: convolution, matrix product, recurrent cell
    bool isLiveSource = false; // brings in data
    bool isParameter = false;  // constant or variable
    bool isRead = false;       // passes a parameter on
    bool isAssign = false;
    bool isGradient = false; // seeds the backward half
    bool provesTraining = false;
    bool isShapeOrArithmetic = false; // may belong to either half
};
OpTraits traitsOf(std::string_view op);

struct Wire { // an input of an item, or of an element of a level
    std::uint32_t source;
    std::uint32_t slot;
    std::int32_t port;
};

// The children of one scope ("items") and the edges among them.
struct Flow {
    std::vector<ItemId> items;
    std::vector<OpTraits> ops;          // distinct ones
    std::vector<std::uint32_t> opOf;    // of each item
    std::vector<std::uint64_t> detail;  // op and attributes, for tie-breaks only
    std::vector<std::uint64_t> content; // op and size of its kernel, or structure of the group
    std::vector<std::uint64_t> kind;    // op, or structure of the group
    std::vector<bool> isResource;       // a function argument that represents a variable
    Rows<Wire> inputs;                  // data inputs in slot order
    Rows<Wire> controls;
    Rows<std::uint32_t> readers; // of data; one entry for each wire

    std::size_t size() const { return items.size(); }
    const OpTraits& traits(std::uint32_t item) const { return ops[opOf[item]]; }
};

// Returns the declared shape of the weights of an op: its second input, through reads.
std::optional<Shape> weightShape(const Graph& graph, const Flow& flow, std::uint32_t item);

// `edges`: the scope's bucket, whose groups need their structure hash.
Flow makeFlow(const ScopeDraft& draft, GroupId scope, std::span<const LevelEdge> edges);

} // namespace lapidary::structure
