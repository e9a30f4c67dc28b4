// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/same_graph.h"

#include "graph_model/graph/function.h"
#include "transforms/compare/equal_graphs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace lapidary::goldens {
namespace {

bool isClose(const Node& ours, const Node& recorded)
{
    const auto a = ours.tensor();
    const auto b = recorded.tensor();
    if (!a || !b || a.value().dtype() != b.value().dtype() ||
        !(a.value().shape() == b.value().shape()))
        return false;
    const auto x = a.value().numbers(0, a.value().elements());
    const auto y = b.value().numbers(0, b.value().elements());
    if (!x || !y)
        return false;
    for (std::size_t i = 0; i < x.value().size(); ++i)
        if (!(std::abs(x.value()[i] - y.value()[i]) <= 1e-7 + 2e-6 * std::abs(y.value()[i])))
            return false;
    return true;
}

// compare_graphs ignores attributes that begin with "_" (colocation, shapes, tags).
std::string hiddenDifference(const Node& ours, const Node& recorded)
{
    for (const Node* node : {&recorded, &ours})
        for (const Attr& attr : node->attrs()) {
            if (!attr.name.starts_with('_'))
                continue;
            const bool isSame =
                ours.hasAttr(attr.name) && recorded.hasAttr(attr.name) &&
                isSameValue(ours.attr(attr.name), recorded.attr(attr.name), recorded.owner());
            if (!isSame)
                return "Node named '" + std::string(recorded.name()) + "' has another attr '" +
                       std::string(attr.name) + "'";
        }
    return "";
}

bool isFolded(const Node& node)
{
    return node.op() == "Const" && node.name().find("__cf__") != std::string_view::npos;
}

std::string difference(const Node& ours, const Node& recorded)
{
    std::string text = nodeDifference(ours, recorded);
    if (!text.empty() && isFolded(recorded) && isClose(ours, recorded))
        text.clear();
    return text.empty() ? hiddenDifference(ours, recorded) : text;
}

std::string functionDifference(const Function& ours, const Function& recorded)
{
    const auto isSameArgument = [](const FunctionArgument& a, const FunctionArgument& b) {
        return a.name == b.name && a.dtype == b.dtype && a.typeAttr == b.typeAttr;
    };
    const std::string name(recorded.name);
    if (ours.name != recorded.name ||
        !std::ranges::equal(ours.arguments, recorded.arguments, isSameArgument) ||
        !std::ranges::equal(ours.results, recorded.results, isSameArgument))
        return "library: function '" + name + "' has another signature";
    const std::string text = graphDifference(*ours.body, *recorded.body);
    return text.empty() ? "" : "library: function '" + name + "': " + text;
}

std::string versionsDifference(const GraphVersions& ours, const GraphVersions& expected)
{
    return ours.producer == expected.producer && ours.minConsumer == expected.minConsumer &&
                   ours.badConsumers == expected.badConsumers
               ? ""
               : "versions: producer " + std::to_string(ours.producer) + ", not " +
                     std::to_string(expected.producer);
}

std::string libraryDifference(const FunctionLibrary& ours, const FunctionLibrary& expected)
{
    if (ours.functions.size() != expected.functions.size() || ours.gradients != expected.gradients)
        return "library: " + std::to_string(ours.functions.size()) + " functions, not " +
               std::to_string(expected.functions.size()) + ", or other gradients";
    for (std::size_t i = 0; i < expected.functions.size(); ++i)
        if (std::string text = functionDifference(*ours.functions[i], *expected.functions[i]);
            !text.empty())
            return text;
    return "";
}

// Returns the differences of two GraphDefs apart from their nodes.
std::string frameDifference(const Graph& ours, const Graph& recorded, const Graph& input)
{
    const Graph& versioned = recorded.versions().producer == 0 ? input : recorded;
    if (std::string text = versionsDifference(ours.versions(), versioned.versions()); !text.empty())
        return text;
    const FunctionLibrary none;
    const auto libraryOf = [&](const Graph& graph) -> const FunctionLibrary& {
        return graph.functions() ? *graph.functions() : none;
    };
    const bool isLost = libraryOf(recorded).functions.empty();
    return libraryDifference(libraryOf(ours), libraryOf(isLost ? input : recorded));
}

std::string differenceByName(const Graph& ours, const Graph& recorded)
{
    std::map<std::string_view, const Node*> left; // the last node of a name counts
    for (const NodePtr& node : ours.nodes())
        left.insert_or_assign(node->name(), node.get());
    for (const NodePtr& node : recorded.nodes()) {
        const auto found = left.find(node->name());
        if (found == left.end())
            return graphDifference(ours, recorded);
        std::string text = difference(*found->second, *node);
        if (!text.empty())
            return text;
        left.erase(found);
    }
    return left.empty() ? "" : graphDifference(ours, recorded);
}

std::size_t mixed(std::size_t a, std::size_t b)
{
    return (a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U))) * 0x100000001B3ULL;
}

std::string valueText(const Node& node, const Attr& attr)
{
    if (attr.value.kind() != AttrKind::Tensor)
        return std::string(attr.value.encoded());
    const auto tensor = node.tensor(attr.name);
    if (!tensor)
        return "?";
    std::string text = dtypeName(tensor->dtype()) + encodeShape(tensor->shape());
    if (isFolded(node)) // their sizes are compared when the nodes are paired
        return text;
    if (const auto bytes = tensor->values())
        text += *bytes;
    if (const auto strings = tensor->strings())
        for (const std::string& one : *strings)
            text += one + '\0';
    return text;
}

std::size_t ownSign(const Node& node)
{
    const std::hash<std::string_view> hash;
    std::size_t sign = mixed(hash(node.op()), hash(node.device()));
    std::map<std::string_view, std::string> attrs;
    for (const Attr& attr : node.attrs())
        if (!attr.name.starts_with('_'))
            attrs[attr.name] = valueText(node, attr);
    for (const auto& [name, value] : attrs)
        sign = mixed(mixed(sign, hash(name)), hash(value));
    return sign;
}

// Returns a signature of each node: its op, its attributes and the signatures of its inputs,
// without names.
std::vector<std::size_t> signs(const Graph& graph)
{
    std::vector<std::size_t> own;
    for (const NodePtr& node : graph.nodes())
        own.push_back(ownSign(*node));
    std::vector<std::size_t> now = own;
    for (std::size_t round = 0; round < 24; ++round) {
        std::vector<std::size_t> next = own;
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            std::set<std::size_t> controls;
            for (const Endpoint& from : graph.inputs(NodeId{i})) {
                const std::size_t producer = from.node.isValid() ? now[from.node.value] : 1;
                if (from.isControl())
                    controls.insert(producer);
                else
                    next[i] = mixed(mixed(next[i], producer), std::size_t(from.port));
            }
            for (const std::size_t control : controls)
                next[i] = mixed(next[i], control + 7);
        }
        now = std::move(next);
    }
    return now;
}

bool hasSameSigns(std::vector<std::size_t> a, std::vector<std::size_t> b)
{
    std::ranges::sort(a);
    std::ranges::sort(b);
    return a == b;
}

// Returns whether each folded constant is close to a constant of the other graph with its
// signature.
bool isSameFolded(const Graph& ours, const std::vector<std::size_t>& a, const Graph& recorded,
                  const std::vector<std::size_t>& b)
{
    for (std::uint32_t i = 0; i < recorded.size(); ++i) {
        if (!isFolded(recorded.node(NodeId{i})))
            continue;
        bool isThere = false;
        for (std::uint32_t k = 0; k < ours.size() && !isThere; ++k)
            isThere = a[k] == b[i] && isClose(ours.node(NodeId{k}), recorded.node(NodeId{i}));
        if (!isThere)
            return false;
    }
    return true;
}

bool isSameButForNames(const Graph& ours, const Graph& recorded)
{
    std::vector<std::size_t> a = signs(ours);
    std::vector<std::size_t> b = signs(recorded);
    for (std::uint32_t i = 0; i < recorded.size(); ++i)
        if (const NodeId same = ours.find(recorded.node(NodeId{i}).name());
            same.isValid() && a[same.value] != b[i])
            return false;
    return isSameFolded(ours, a, recorded, b) && hasSameSigns(std::move(a), std::move(b));
}

} // namespace

std::string differenceTo(const Graph& ours, const Graph& recorded, const Graph& input,
                         bool mayRename)
{
    const auto isSameNode = [](const NodePtr& a, const NodePtr& b) {
        return a->name() == b->name() && difference(*a, *b).empty();
    };
    if (std::string text = frameDifference(ours, recorded, input); !text.empty())
        return text;
    if (std::ranges::equal(ours.nodes(), recorded.nodes(), isSameNode))
        return "";
    std::string text = differenceByName(ours, recorded);
    return !text.empty() && mayRename && isSameButForNames(ours, recorded) ? "" : text;
}

} // namespace lapidary::goldens
