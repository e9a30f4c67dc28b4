// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/function.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace lapidary {
namespace {

// OpDef.ArgDef with the fields that determine how many tensors it represents.
struct ArgDef {
    FunctionArgument argument;
    std::string_view numberAttr;
    std::string_view typeListAttr;
};

// The parts of a FunctionDef; views into the library's bytes.
struct FunctionParts {
    std::string_view name;
    std::vector<ArgDef> arguments;
    std::vector<ArgDef> results;
    std::vector<std::string_view> nodes;
    std::vector<std::pair<std::string_view, std::string_view>> returns;
    std::string_view encoded;
    std::unordered_map<std::string_view, std::size_t> resultAt; // by name
    std::vector<std::size_t> lists; // results with as many tensors as an attribute of a node says
};
using PartsByName = std::unordered_map<std::string_view, const FunctionParts*>;

ArgDef readArgDef(std::string_view message)
{
    ArgDef arg;
    WireReader reader(message);
    while (reader.next()) {
        const bool isText = reader.type() == WireType::Bytes;
        switch (reader.field()) {
        case 1: arg.argument.name = isText ? reader.bytes() : std::string_view(); break;
        case 3:
            arg.argument.dtype = isText ? DType::Invalid : DType(std::int32_t(reader.varint()));
            break;
        case 4: arg.argument.typeAttr = isText ? reader.bytes() : std::string_view(); break;
        case 5: arg.numberAttr = isText ? reader.bytes() : std::string_view(); break;
        case 6: arg.typeListAttr = isText ? reader.bytes() : std::string_view(); break;
        default: break;
        }
    }
    return arg;
}

void readSignature(std::string_view opDef, FunctionParts& parts)
{
    WireReader reader(opDef);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (reader.field() == 1)
            parts.name = reader.bytes();
        else if (reader.field() == 2)
            parts.arguments.push_back(readArgDef(reader.bytes()));
        else if (reader.field() == 3)
            parts.results.push_back(readArgDef(reader.bytes()));
    }
}

FunctionParts readFunctionDef(std::string_view message)
{
    FunctionParts parts;
    parts.encoded = message;
    WireReader reader(message);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        switch (reader.field()) {
        case 1: readSignature(reader.bytes(), parts); break;
        case 3: parts.nodes.push_back(reader.bytes()); break;
        case 4: parts.returns.push_back(readMapEntry(reader.bytes())); break;
        default: break;
        }
    }
    for (std::size_t i = 0; i < parts.results.size(); ++i) {
        const ArgDef& result = parts.results[i];
        parts.resultAt.emplace(result.argument.name, i);
        if (!result.numberAttr.empty() || !result.typeListAttr.empty())
            parts.lists.push_back(i);
    }
    return parts;
}

// Returns the number of tensors of an argument, by the attributes of the node.
std::int32_t tensorCount(const Node& node, std::string_view numberAttr,
                         std::string_view typeListAttr)
{
    if (!numberAttr.empty()) {
        const std::int64_t count = node.attr(numberAttr).asInt().value_or(0);
        return std::int32_t(std::clamp<std::int64_t>(count, 0, INT32_MAX / 2));
    }
    if (!typeListAttr.empty())
        return std::int32_t(node.attr(typeListAttr).types().size());
    return 1;
}

// Returns the first port of an output argument, in which "node:output:1" counts; the ports of the
// arguments before it come first. Library functions hide ops of the same name, as in TensorFlow.
std::int32_t firstPort(const Node& producer, std::string_view output, const PartsByName& library)
{
    if (const auto called = library.find(producer.op()); called != library.end()) {
        const FunctionParts& parts = *called->second;
        const auto result = parts.resultAt.find(output);
        if (result == parts.resultAt.end())
            return 0;
        auto port = std::int64_t(result->second);
        for (std::size_t i = 0; i < parts.lists.size() && parts.lists[i] < result->second; ++i) {
            const ArgDef& list = parts.results[parts.lists[i]];
            port += tensorCount(producer, list.numberAttr, list.typeListAttr) - 1;
        }
        return std::int32_t(std::min<std::int64_t>(port, INT32_MAX / 2));
    }
    std::int32_t port = 0;
    const auto skip = [&](std::int32_t count) { port += std::min(count, INT32_MAX / 2 - port); };
    const OpSpec* op = findOp(producer.op());
    if (op == nullptr)
        return 0;
    for (const ArgSpec& result : op->outputs) {
        if (result.name == output)
            return port;
        skip(tensorCount(producer, result.numberAttr, result.typeListAttr));
    }
    return 0;
}

void addDtype(NodeDraft& draft, const FunctionArgument& argument)
{
    if (argument.dtype != DType::Invalid)
        draft.setAttr("T", attr::fromType(argument.dtype));
}

NodePtr argumentNode(const FunctionArgument& argument, std::size_t index)
{
    NodeDraft draft;
    draft.name = argument.name;
    draft.op = "_Arg";
    addDtype(draft, argument);
    draft.setAttr("index", attr::fromInt(std::int64_t(index)));
    return draft.finish(true);
}

using Returns = std::unordered_map<std::string_view, std::string_view>;

NodePtr resultNode(const Returns& returns, const FunctionArgument& result, std::size_t index)
{
    NodeDraft draft;
    draft.name = result.name;
    draft.op = "_Retval";
    if (const auto source = returns.find(result.name); source != returns.end())
        draft.inputs.assign(1, std::string(source->second));
    addDtype(draft, result);
    draft.setAttr("index", attr::fromInt(std::int64_t(index)));
    return draft.finish(true);
}

GraphPtr makeBody(const FunctionParts& parts, const BufferPtr& owner, const PartsByName& library)
{
    Graph::Parts graph;
    for (std::size_t i = 0; i < parts.arguments.size(); ++i)
        graph.nodes.push_back(argumentNode(parts.arguments[i].argument, i));
    NodeBlockBuilder builder(owner);
    builder.reserve(parts.nodes.size());
    for (const std::string_view node : parts.nodes)
        builder.add(node);
    std::vector<NodePtr> inner = std::move(builder).finish();
    graph.nodes.insert(graph.nodes.end(), inner.begin(), inner.end());
    Returns returns;
    for (const auto& [name, source] : parts.returns)
        returns.insert_or_assign(name, source);
    for (std::size_t i = 0; i < parts.results.size(); ++i)
        graph.nodes.push_back(resultNode(returns, parts.results[i].argument, i));
    graph.firstPort = [&library](const Node& producer, std::string_view output) {
        return firstPort(producer, output, library);
    };
    return Graph::make(std::move(graph));
}

FunctionPtr makeFunction(const FunctionParts& parts, const BufferPtr& owner,
                         const PartsByName& library)
{
    auto function = std::make_shared<Function>();
    function->name = parts.name;
    function->encoded = parts.encoded;
    function->owner = owner;
    for (const ArgDef& arg : parts.arguments)
        function->arguments.push_back(arg.argument);
    for (const ArgDef& arg : parts.results)
        function->results.push_back(arg.argument);
    function->body = makeBody(parts, owner, library);
    return function;
}

} // namespace

std::shared_ptr<const FunctionLibrary> readFunctionLibrary(std::string_view encoded,
                                                           BufferPtr owner)
{
    auto library = std::make_shared<FunctionLibrary>();
    library->encoded = encoded;
    library->owner = std::move(owner);
    std::vector<FunctionParts> all;
    WireReader reader(encoded);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (reader.field() == 1)
            all.push_back(readFunctionDef(reader.bytes()));
        else if (reader.field() == 2)
            library->gradients.push_back(readMapEntry(reader.bytes()));
    }
    PartsByName byName;
    for (const FunctionParts& parts : all)
        byName.emplace(parts.name, &parts);
    for (const FunctionParts& parts : all)
        library->functions.push_back(makeFunction(parts, library->owner, byName));
    for (std::size_t i = 0; i < library->functions.size(); ++i)
        library->byName.emplace(library->functions[i]->name, i);
    return library;
}

FunctionPtr FunctionLibrary::find(std::string_view name) const
{
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : functions[found->second];
}

std::vector<FunctionPtr> calledFunctions(const Graph&, const Node& node,
                                         const FunctionLibrary& library)
{
    std::vector<FunctionPtr> called;
    std::set<const Function*> seen;
    const auto add = [&](std::string_view name) {
        FunctionPtr function = library.find(name);
        if (function && seen.insert(function.get()).second)
            called.push_back(std::move(function));
    };
    add(node.op());
    for (const Attr& attr : node.attrs()) {
        if (const auto name = attr.value.asFunctionName())
            add(*name);
        for (const std::string_view name : attr.value.functionNames())
            add(name);
    }
    return called;
}

std::vector<FunctionPtr> functionsBehind(const Graph& graph, std::span<const NodeId> nodes,
                                         const FunctionLibrary& library)
{
    std::vector<FunctionPtr> found;
    std::vector<FunctionPtr> open;
    std::set<const Function*> seen;
    const auto visit = [&](const Graph& caller, const Node& node) {
        for (FunctionPtr& called : calledFunctions(caller, node, library))
            if (seen.insert(called.get()).second)
                open.push_back(std::move(called));
    };
    for (const NodeId id : nodes)
        visit(graph, graph.node(id));
    while (!open.empty()) {
        FunctionPtr function = std::move(open.back());
        open.pop_back();
        if (function->body)
            for (const NodePtr& node : function->body->nodes())
                visit(*function->body, *node);
        found.push_back(std::move(function));
    }
    return found;
}

bool isFunctionCall(const Graph& graph, std::string_view op)
{
    const FunctionLibrary* library = graph.functions();
    return callKind(op) != CallKind::None || (library != nullptr && library->byName.contains(op));
}

OpFamily familyIn(const Graph& graph, std::string_view op)
{
    return isFunctionCall(graph, op) ? OpFamily::Control : opFamily(op);
}

} // namespace lapidary
