// SPDX-License-Identifier: Apache-2.0
#include "transforms/compare/equal_graphs.h"

#include "transforms/compare/function_value.h"
#include "transforms/compare/node_summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace lapidary {
namespace {

std::string canonical(const Input& input)
{
    if (input.isControl() || input.port != 0 || !input.output.empty())
        return std::string(input.text);
    return std::string(input.node);
}

// Returns the inputs as they are shown, separated by commas.
std::string inputList(const Node& node)
{
    std::string text;
    for (const Input& input : node.inputs())
        text += (text.empty() ? "" : ", ") + std::string(input.text);
    return text;
}

std::string nodeNamed(const Node& node)
{
    return "Node named '" + std::string(node.name()) + "' ";
}

// Compares inputs in order, and as a set from the first control input of the actual node on.
std::string inputDifference(const Node& actual, const Node& expected)
{
    const auto ours = actual.inputs();
    const auto theirs = expected.inputs();
    if (ours.size() != theirs.size())
        return nodeNamed(expected) + "has inputs '" + inputList(actual) +
               "' that don't match expected '" + inputList(expected) + "'";
    std::size_t data = 0;
    for (; data < ours.size() && !ours[data].isControl(); ++data)
        if (canonical(ours[data]) != canonical(theirs[data]))
            return nodeNamed(expected) + "has input " + std::to_string(data) + " '" +
                   std::string(ours[data].text) + "' that doesn't match expected '" +
                   std::string(theirs[data].text) + "'";
    std::set<std::string> ourControls;
    std::set<std::string> theirControls;
    for (std::size_t i = data; i < ours.size(); ++i) {
        ourControls.emplace(ours[i].text);
        theirControls.emplace(theirs[i].text);
    }
    for (const std::string& control : theirControls)
        if (!ourControls.contains(control))
            return nodeNamed(expected) + "missing expected control input '" + control + "'";
    for (const std::string& control : ourControls)
        if (!theirControls.contains(control))
            return nodeNamed(expected) + "has unexpected control input '" + control + "'";
    return "";
}

using Attrs = std::map<std::string_view, AttrValue>;

Attrs comparedAttrs(const Node& node)
{
    Attrs attrs;
    for (const Attr& attr : node.attrs())
        if (!attr.name.starts_with('_'))
            attrs.insert_or_assign(attr.name, attr.value);
    return attrs;
}

std::string attrDifference(const Node& actual, const Node& expected)
{
    const Attrs ours = comparedAttrs(actual);
    const Attrs theirs = comparedAttrs(expected);
    for (const auto& [name, value] : theirs) {
        const auto found = ours.find(name);
        if (found == ours.end())
            return nodeNamed(expected) + "missing expected attr '" + std::string(name) +
                   "' with value: " + valueSummary(value, expected.owner());
        if (!isSameValue(found->second, value, actual.owner()))
            return nodeNamed(expected) + "has attr '" + std::string(name) +
                   "' with value: " + valueSummary(found->second, actual.owner()) +
                   " that does not match expected: " + valueSummary(value, expected.owner());
    }
    for (const auto& [name, value] : ours)
        if (!theirs.contains(name))
            return nodeNamed(expected) + "has unexpected attr '" + std::string(name) +
                   "' with value: " + valueSummary(value, actual.owner());
    return "";
}

bool isSameTensor(std::string_view a, std::string_view b, const BufferPtr& owner)
{
    if (a == b)
        return true;
    const auto ours = Tensor::decode(a, owner);
    const auto theirs = Tensor::decode(b, owner);
    if (!ours || !theirs)
        return !ours && !theirs;
    if (ours.value().dtype() != theirs.value().dtype() ||
        !(ours.value().shape() == theirs.value().shape()))
        return false;
    if (ours.value().dtype() == DType::String) {
        const auto x = ours.value().strings();
        const auto y = theirs.value().strings();
        return x.ok() && y.ok() && x.value() == y.value();
    }
    const auto x = ours.value().values();
    const auto y = theirs.value().values();
    return x.ok() && y.ok() && x.value() == y.value();
}

bool isSameFloat(float a, float b)
{
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool isSameFunction(const AttrValue& a, const AttrValue& b, const BufferPtr& owner)
{
    const FunctionValue ours = functionValue(a);
    const FunctionValue theirs = functionValue(b);
    if (ours.name != theirs.name || ours.attrs.size() != theirs.attrs.size())
        return false;
    return std::ranges::all_of(theirs.attrs, [&](const auto& attr) {
        const auto found = ours.attrs.find(attr.first);
        return found != ours.attrs.end() && isSameValue(found->second, attr.second, owner);
    });
}

bool isSameList(const AttrValue& a, const AttrValue& b, const BufferPtr& owner)
{
    const auto ours = a.tensorProtos();
    const auto theirs = b.tensorProtos();
    if (ours.size() != theirs.size() || ours.empty())
        return a.strings() == b.strings() && a.ints() == b.ints() && a.types() == b.types() &&
               a.shapes() == b.shapes() && a.bools() == b.bools() &&
               std::ranges::equal(a.floats(), b.floats(), isSameFloat) &&
               ours.size() == theirs.size() && a.functionNames() == b.functionNames();
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (!isSameTensor(ours[i], theirs[i], owner))
            return false;
    return true;
}

} // namespace

bool isSameValue(const AttrValue& a, const AttrValue& b, const BufferPtr& owner)
{
    if (a == b)
        return true;
    if (a.kind() != b.kind())
        return false;
    switch (a.kind()) {
    case AttrKind::Tensor:
        return isSameTensor(a.asTensorProto().value_or(""), b.asTensorProto().value_or(""), owner);
    case AttrKind::Func: return isSameFunction(a, b, owner);
    case AttrKind::List: return isSameList(a, b, owner);
    case AttrKind::Float: return isSameFloat(a.asFloat().value_or(0), b.asFloat().value_or(0));
    case AttrKind::Int: return a.asInt() == b.asInt();
    case AttrKind::Bool: return a.asBool() == b.asBool();
    case AttrKind::Type: return a.asType() == b.asType();
    case AttrKind::Shape: return a.asShape() == b.asShape();
    default: return false;
    }
}

std::string nodeDifference(const Node& actual, const Node& expected)
{
    if (actual.op() != expected.op())
        return nodeNamed(expected) + "has op '" + std::string(actual.op()) +
               "' that is not expected '" + std::string(expected.op()) + "'";
    if (actual.device() != expected.device())
        return nodeNamed(expected) + "has device '" + std::string(actual.device()) +
               "' that is not expected '" + std::string(expected.device()) + "'";
    std::string difference = inputDifference(actual, expected);
    return difference.empty() ? attrDifference(actual, expected) : difference;
}

std::string graphDifference(const Graph& actual, const Graph& expected)
{
    std::map<std::string_view, const Node*> left; // the last attribute of a name counts
    for (const NodePtr& node : actual.nodes())
        left.insert_or_assign(node->name(), node.get());
    for (const NodePtr& node : expected.nodes()) {
        const auto found = left.find(node->name());
        if (found == left.end())
            return "Did not find expected node '" + nodeSummary(*node) + "'";
        std::string difference = nodeDifference(*found->second, *node);
        if (!difference.empty())
            return difference;
        left.erase(found);
    }
    if (!left.empty())
        return "Found unexpected node '" + nodeSummary(*left.begin()->second) + "'";
    return "";
}

} // namespace lapidary
