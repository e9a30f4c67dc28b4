// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/operator_graph.h"

#include "graph_model/graph/attr_lists.h"
#include "graph_model/graph/node_maker.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns a name that inputs can refer to: "x" for "x:0", which is how TensorFlow's converters name
// tensors, and the first of several names of operators that were merged. An input string cannot
// contain a name with a colon or a circumflex in front.
std::string referable(std::string_view wanted)
{
    if (const std::size_t end = wanted.find(';'); end != 0 && end != wanted.npos)
        wanted = wanted.substr(0, end);
    if (wanted.ends_with(":0"))
        wanted.remove_suffix(2);
    while (wanted.starts_with('/'))
        wanted.remove_prefix(1);
    std::string name(wanted);
    std::ranges::replace(name, ':', '_');
    if (name.starts_with('^'))
        name.front() = '_';
    return name.empty() ? "tensor" : name;
}

void describeOutputs(NodeDraft& node, std::span<const OperandFacts> outputs)
{
    std::vector<Shape> shapes;
    std::vector<DType> types;
    std::vector<std::string> names;
    for (const OperandFacts& output : outputs) {
        shapes.push_back(output.shape);
        types.push_back(output.dtype);
        names.push_back(output.name);
    }
    if (outputs.empty())
        return;
    node.setAttr("_output_shapes", attr::fromShapes(shapes));
    node.setAttr("_output_types", attr::fromTypes(types));
    if (names.size() > 1 || names.front() != node.name)
        node.setAttr("_output_names", attr::fromStrings(names));
}

NodeDraft endOfBody(NodeDraft draft, std::string op, const OperandFacts& facts, std::size_t index)
{
    draft.op = std::move(op);
    if (facts.dtype != DType::Invalid)
        draft.setAttr("T", attr::fromType(facts.dtype));
    draft.setAttr("index", attr::fromInt(std::int64_t(index)));
    return draft;
}

} // namespace

NodeDraft draftNamed(std::string name)
{
    NodeDraft draft;
    draft.name = std::move(name);
    return draft;
}

std::string OperatorGraph::freeName(std::string_view wanted)
{
    const std::string base = referable(wanted);
    if (m_taken.insert(base).second)
        return base;
    std::size_t& number = m_lastNumber[base];
    while (true)
        if (std::string name = base + "_" + std::to_string(++number); m_taken.insert(name).second)
            return name;
}

void OperatorGraph::add(NodeDraft node, bool isSynthetic)
{
    m_nodes.push_back({.draft = std::move(node), .isSynthetic = isSynthetic});
}

void OperatorGraph::addOperator(NodeDraft node, std::span<const OperandFacts> outputs)
{
    describeOutputs(node, outputs);
    add(std::move(node));
}

void OperatorGraph::addConstant(NodeDraft node, const OperandFacts& facts,
                                std::optional<std::size_t> value)
{
    node.op = "Const";
    node.setAttr("dtype", attr::fromType(facts.dtype));
    if (!value)
        node.setAttr("_output_shapes", attr::fromShapes(std::span(&facts.shape, 1)));
    if (facts.name != node.name)
        node.setAttr("_output_names", attr::fromStrings(std::span(&facts.name, 1)));
    m_nodes.push_back({.draft = std::move(node), .value = value});
}

void OperatorGraph::addInput(NodeDraft node, const OperandFacts& facts)
{
    node.op = "Placeholder";
    node.setAttr("dtype", attr::fromType(facts.dtype));
    node.setAttr("shape", attr::fromShape(facts.shape));
    addOperator(std::move(node), std::span(&facts, 1));
}

void OperatorGraph::addArgument(NodeDraft made, const OperandFacts& facts, std::size_t index)
{
    NodeDraft node = endOfBody(std::move(made), "_Arg", facts, index);
    describeOutputs(node, std::span(&facts, 1));
    add(std::move(node), true);
}

void OperatorGraph::addResult(const OperandFacts& facts, std::size_t index,
                              const std::string& input)
{
    NodeDraft node = endOfBody(draftNamed(freeName(facts.name)), "_Retval", facts, index);
    node.inputs = {input};
    add(std::move(node), true);
}

GraphPtr OperatorGraph::finish(const ConstantValues& values,
                               std::shared_ptr<const FunctionLibrary> functions) &&
{
    NodeMaker maker;
    maker.expect(m_nodes.size());
    for (Pending& node : m_nodes) {
        if (node.value)
            node.draft.setAttr("value", values.value(*node.value));
        maker.add(node.draft, node.isSynthetic);
    }
    Graph::Parts parts;
    parts.nodes = std::move(maker).finish();
    parts.functions = std::move(functions);
    parts.unknownFields = dialectField(m_dialect);
    return Graph::make(std::move(parts));
}

std::shared_ptr<const FunctionLibrary> functionLibrary(std::vector<OperatorFunction> functions)
{
    if (functions.empty())
        return nullptr;
    std::string names;
    for (const OperatorFunction& function : functions) {
        names += function.name;
        for (const auto* ends : {&function.arguments, &function.results})
            for (const OperandFacts& end : *ends)
                names += end.name;
    }
    auto library = std::make_shared<FunctionLibrary>();
    library->owner = makeBuffer(std::move(names));
    std::string_view rest = library->owner->bytes();
    const auto take = [&](const std::string& name) {
        const std::string_view taken = rest.substr(0, name.size());
        rest.remove_prefix(name.size());
        return taken;
    };
    for (OperatorFunction& made : functions) {
        auto function = std::make_shared<Function>();
        function->name = take(made.name);
        function->owner = library->owner;
        for (const OperandFacts& end : made.arguments)
            function->arguments.push_back({take(end.name), end.dtype, {}});
        for (const OperandFacts& end : made.results)
            function->results.push_back({take(end.name), end.dtype, {}});
        function->body = std::move(made.body);
        library->byName.emplace(function->name, library->functions.size());
        library->functions.push_back(std::move(function));
    }
    return library;
}

} // namespace lapidary
