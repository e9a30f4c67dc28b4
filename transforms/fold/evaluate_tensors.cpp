// SPDX-License-Identifier: Apache-2.0
#include "transforms/fold/evaluate_tensors.h"

#include "graph_model/base/wire.h"
#include "runner/execute/session.h"
#include "runner/guard/machine_memory.h"
#include "transforms/constants/const_node.h"
#include "transforms/fold/delegated_evaluation.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

// Returns a graph of the constant part alone, without control inputs from outside of it.
GraphPtr constantGraph(const Graph& graph, const ConstantPart& part)
{
    Graph::Parts parts;
    parts.versions = graph.versions();
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (!part.isConstant[i])
            continue;
        const NodePtr& node = graph.nodes()[i];
        if (std::ranges::none_of(node->inputs(), &Input::isControl)) {
            parts.nodes.push_back(node);
            continue;
        }
        NodeDraft draft = NodeDraft::of(*node);
        std::erase_if(draft.inputs, [](const std::string& text) { return text.starts_with('^'); });
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

template <class T>
void fill(Value& value, const std::vector<std::int64_t>& numbers)
{
    std::ranges::transform(numbers, value.mutableAs<T>().begin(),
                           [](std::int64_t number) { return T(number); });
}

Result<Value> shapeValue(const Node& node, const std::vector<std::int64_t>& numbers,
                         MemoryPool& pool)
{
    const bool isWide = node.attr("out_type").asType() == DType::Int64;
    const bool isScalar = node.op() == "Size" || node.op() == "Rank";
    auto value = Value::make(isWide ? DType::Int64 : DType::Int32,
                             isScalar ? Dims{} : Dims{std::int64_t(numbers.size())}, pool);
    if (!value)
        return value;
    isWide ? fill<std::int64_t>(*value, numbers) : fill<std::int32_t>(*value, numbers);
    return value;
}

EvaluateConstants& delegate()
{
    static EvaluateConstants evaluate;
    return evaluate;
}

ConstantGraph constantsOf(const Graph& graph, const ConstantPart& part)
{
    ConstantGraph constants{constantGraph(graph, part), {}};
    MemoryPool pool(memoryLimitOfThread());
    for (const auto& [id, outputs] : part.shapes)
        for (std::size_t port = 0; port < outputs.size(); ++port)
            if (auto value = shapeValue(graph.node(id), outputs[port], pool))
                constants.feeds.emplace_back(tensorName(graph, {id, std::int32_t(port)}),
                                             *std::move(value));
    return constants;
}

} // namespace

void delegateEvaluation(EvaluateConstants evaluate)
{
    delegate() = std::move(evaluate);
}

const EvaluateConstants& delegatedEvaluation()
{
    return delegate();
}

// Makes one run for all tensors; if that fails, one run for each, so that one error does not affect
// the others.
Result<OptionalValues> evaluateHere(const ConstantGraph& constants,
                                    const std::vector<std::string>& tensors, const Job& job)
{
    OptionalValues values(tensors.size());
    Session session(constants.graph, {.memoryLimit = memoryLimitOfThread()});
    RunRequest request{.feeds = constants.feeds, .fetches = tensors, .targets = {}};
    if (auto all = session.run(request, job)) {
        std::ranges::move(*all, values.begin());
        return values;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (job.cancelled())
            return cancelledError();
        request.fetches = {tensors[i]};
        if (auto one = session.run(request, job))
            values[i] = std::move(one->front());
    }
    return values;
}

Result<std::vector<std::optional<Value>>> evaluateTensors(const Graph& graph,
                                                          const ConstantPart& part,
                                                          const std::vector<Endpoint>& tensors,
                                                          const Job& job)
{
    if (tensors.empty())
        return OptionalValues();
    std::vector<std::string> names;
    for (const Endpoint& tensor : tensors)
        names.push_back(tensorName(graph, tensor));
    const ConstantGraph constants = constantsOf(graph, part);
    return delegate() ? delegate()(constants, names, job) : evaluateHere(constants, names, job);
}

NodeDraft valueNode(std::string name, const Value& value)
{
    if (value.dtype() != DType::String)
        return constNode(std::move(name), value.dtype(), {value.dims(), false}, value.bytes());
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::String));
    writer.bytes(2, encodeShape({value.dims(), false}));
    for (const std::string& text : value.strings())
        writer.bytes(8, text);
    NodeDraft draft = newNode(std::move(name), "Const");
    draft.setAttr("dtype", attr::fromType(DType::String));
    draft.setAttr("value", attr::fromTensorProto(proto));
    return draft;
}

} // namespace lapidary
