// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/kernels/one_node.h"

#include "graph_model/graph/attr_lists.h"
#include "graph_model/ops/op_registry.h"
#include "runner/execute/exec_graph.h"
#include "runner/values/memory_pool.h"

#include <span>

namespace lapidary {
namespace {

constexpr std::uint64_t plenty = std::uint64_t(1) << 30;

bool isGiven(const NodeDraft& node, std::string_view name)
{
    return std::ranges::any_of(node.attrs, [&](const auto& a) { return a.first == name; });
}

void setUnlessGiven(NodeDraft& node, std::string_view name, std::string encoded)
{
    if (!name.empty() && !isGiven(node, name))
        node.setAttr(name, std::move(encoded));
}

std::string typesOf(std::span<const Value> values)
{
    std::vector<DType> types;
    for (const Value& value : values)
        types.push_back(value.dtype());
    return attr::fromTypes(types);
}

NodePtr placeholder(const std::string& name, DType dtype)
{
    NodeDraft node;
    node.name = name;
    node.op = "Placeholder";
    node.setAttr("dtype", attr::fromType(dtype));
    return node.finish();
}

} // namespace

void decideAttrs(NodeDraft& node, const OpSpec& spec, const std::vector<Value>& inputs)
{
    const NodePtr given = node.finish();
    std::size_t at = 0;
    for (std::size_t i = 0; i < spec.inputs.size() && at < inputs.size(); ++i) {
        const ArgSpec& arg = spec.inputs[i];
        std::size_t length = 1;
        if (!arg.numberAttr.empty() || !arg.typeListAttr.empty())
            length = inputs.size() - std::min(inputs.size(), at + spec.inputs.size() - i - 1);
        if (!arg.numberAttr.empty() && given->hasAttr(arg.numberAttr))
            length = std::size_t(given->attr(arg.numberAttr).asInt().value_or(1));
        length = std::min(length, inputs.size() - at);
        if (!arg.numberAttr.empty())
            setUnlessGiven(node, arg.numberAttr, attr::fromInt(std::int64_t(length)));
        if (!arg.typeListAttr.empty())
            setUnlessGiven(node, arg.typeListAttr, typesOf(std::span(inputs).subspan(at, length)));
        else if (length > 0)
            setUnlessGiven(node, arg.typeAttr,
                           attr::fromType(withoutReference(inputs[at].dtype())));
        at += length;
    }
}

Result<std::vector<Value>> runNode(std::string_view op, const std::vector<Value>& inputs,
                                   const NodeAttrs& attrs)
{
    Graph::Parts parts;
    RunRequest request;
    NodeDraft node;
    node.name = "y";
    node.op = op;
    node.attrs.assign(attrs.begin(), attrs.end());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        node.inputs.push_back("x" + std::to_string(i));
        parts.nodes.push_back(placeholder(node.inputs.back(), inputs[i].dtype()));
        request.feeds.emplace_back(node.inputs.back(), inputs[i]);
    }
    if (const OpSpec* spec = findOp(op); spec != nullptr)
        decideAttrs(node, *spec, inputs);
    parts.nodes.push_back(node.finish());
    const std::uint32_t outputs = outputCount(*parts.nodes.back());
    for (std::uint32_t i = 0; i < outputs; ++i)
        request.fetches.push_back("y:" + std::to_string(i));
    if (outputs == 0)
        request.targets.emplace_back("y");
    SessionOptions options;
    options.memoryLimit = plenty;
    Session session(Graph::make(std::move(parts)), options);
    return session.run(request, Job());
}

Result<Value> runOne(std::string_view op, const std::vector<Value>& inputs, const NodeAttrs& attrs)
{
    ASSIGN_OR_RETURN(auto all, runNode(op, inputs, attrs));
    if (all.empty())
        return Error{ErrorCode::InvalidArgument, "y has no outputs"};
    return all.front();
}

Value emptyValue(DType dtype, Dims dims)
{
    MemoryPool pool(plenty);
    return Value::make(dtype, std::move(dims), pool).value();
}

Value stringsOf(Dims dims, std::vector<std::string> strings)
{
    return Value::ofStrings(std::move(dims), std::move(strings));
}

} // namespace lapidary
