// SPDX-License-Identifier: Apache-2.0
#include "layers.h"
#include "samples.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace lapidary::samples {
namespace {

Value block(ModelBuilder& model, const Value& x)
{
    const Value inner =
        unary(model, "Relu6", batchNorm(model, "n", convolution(model, "c", x, {8})));
    const Value outer = batchNorm(model, "n", convolution(model, "c", inner, {8}));
    return unary(model, "Relu6", binary(model, "AddV2", outer, x, x.shape));
}

Value halve(ModelBuilder& model, const Value& x)
{
    Value y = convolution(model, "c", x, {8, 3, 2});
    return unary(model, "Relu6", batchNorm(model, "n", y));
}

// Returns the same graph with meaningless names and in a random order.
GraphPtr withoutNames(const Graph& graph, ModelBuilder& random)
{
    std::unordered_map<std::string, std::string> names;
    std::vector<NodePtr> nodes(graph.nodes().begin(), graph.nodes().end());
    for (std::size_t i = nodes.size(); i > 1; --i)
        std::swap(nodes[i - 1], nodes[std::size_t(random.random() * float(i))]);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        names[std::string(nodes[i]->name())] = std::to_string(i);

    Graph::Parts parts;
    for (const NodePtr& node : nodes) {
        NodeDraft draft = NodeDraft::of(*node);
        draft.name = names[draft.name];
        for (std::string& input : draft.inputs)
            input = names[input];
        parts.nodes.push_back(draft.finish());
    }
    parts.versions = graph.versions();
    return Graph::make(std::move(parts));
}

} // namespace

GraphPtr flatChain()
{
    ModelBuilder model;
    Value x = model.placeholder("x", DType::Float, Shape{{1, 128, 128, 3}});
    for (int stage = 0; stage < 4; ++stage) {
        x = halve(model, x);
        for (int i = 0; i < 6; ++i)
            x = block(model, x);
    }
    model.add("y", "Identity", {x}, {x}, floatType());
    ModelBuilder random;
    return withoutNames(*std::move(model).finish(), random);
}

} // namespace lapidary::samples
