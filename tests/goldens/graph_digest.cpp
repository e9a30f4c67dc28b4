// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/graph_digest.h"

#include "graph.pb.h"
#include "tests/goldens/golden_data.h"

#include <algorithm>
#include <vector>

namespace lapidary::goldens {
namespace {

// Sorts the entries of a map by key, and keeps the last one of each key.
template <class Entries>
void sortEntries(Entries& entries)
{
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.key() < b.key(); });
    for (int i = entries.size() - 1; i > 0; --i)
        if (entries.Get(i).key() == entries.Get(i - 1).key())
            entries.DeleteSubrange(i - 1, 1);
}

void sortFunction(wire::NameAttrList& function);

void sortValue(wire::AttrValue& value)
{
    if (value.has_func())
        sortFunction(*value.mutable_func());
    if (value.has_list())
        for (wire::NameAttrList& function : *value.mutable_list()->mutable_func())
            sortFunction(function);
}

void sortFunction(wire::NameAttrList& function)
{
    for (auto& entry : *function.mutable_attr())
        sortValue(*entry.mutable_value());
    sortEntries(*function.mutable_attr());
}

std::string withoutContents(const Node& node)
{
    wire::NodeDef message;
    if (!message.ParseFromString(node.encodedCopy()))
        return "damaged";
    for (auto& entry : *message.mutable_attr()) {
        wire::AttrValue& value = *entry.mutable_value();
        sortValue(value);
        if (!value.has_tensor())
            continue;
        wire::TensorProto kept;
        kept.set_dtype(value.tensor().dtype());
        *kept.mutable_tensor_shape() = value.tensor().tensor_shape();
        *value.mutable_tensor() = std::move(kept);
    }
    sortEntries(*message.mutable_attr());
    return message.SerializeAsString();
}

std::string littleEndian(std::uint64_t number)
{
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes += char(number >> shift & 0xFF);
    return bytes;
}

} // namespace

GraphDigest digestOf(const Graph& graph)
{
    GraphDigest digest{.nodes = graph.size()};
    std::vector<std::string> parts;
    for (const NodePtr& node : graph.nodes()) {
        ++digest.ops[std::string(node->op())];
        parts.push_back(withoutContents(*node));
    }
    std::ranges::sort(parts);
    std::string all;
    for (const std::string& part : parts)
        all += littleEndian(part.size()) + part;
    digest.hash = sha256(all);
    return digest;
}

std::string digestDifference(const Graph& graph, const nlohmann::json& recorded)
{
    const GraphDigest ours = digestOf(graph);
    std::string text;
    const auto ops = recorded["ops"].get<std::map<std::string, std::size_t>>();
    for (const auto& [op, count] : ours.ops)
        if (const auto theirs = ops.find(op); theirs == ops.end() || theirs->second != count)
            text += std::to_string(count) + " " + op + ", recorded " +
                    std::to_string(theirs == ops.end() ? 0 : theirs->second) + "; ";
    for (const auto& [op, count] : ops)
        if (!ours.ops.contains(op))
            text += "0 " + op + ", recorded " + std::to_string(count) + "; ";
    if (ours.nodes != recorded["nodes"].get<std::size_t>())
        text = std::to_string(ours.nodes) + " nodes, recorded " + recorded["nodes"].dump() + ": " +
               text;
    if (!text.empty())
        return text;
    const bool isSame =
        ours.hash ==
        recorded["sha256_of_sorted_nodedefs_without_tensor_content"].get<std::string>();
    return isSame ? "" : "as many nodes of each op, but they are others";
}

} // namespace lapidary::goldens
