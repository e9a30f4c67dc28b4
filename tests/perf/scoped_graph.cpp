// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/scoped_graph.h"

#include "graph_model/graph/node.h"

#include <string>
#include <vector>

namespace lapidary::testing {
namespace {

class Maker {
public:
    std::string add(const std::string& name, const char* op, std::vector<std::string> inputs)
    {
        NodeDraft draft;
        draft.name = name;
        draft.op = op;
        draft.inputs = std::move(inputs);
        m_parts.nodes.push_back(draft.finish());
        return name;
    }
    std::string variable(const std::string& scope)
    {
        const std::string weights = add(scope + "/weights", "VariableV2", {});
        add(scope + "/weights/Initializer/random", "RandomUniform", {});
        add(scope + "/weights/Assign", "Assign", {weights, scope + "/weights/Initializer/random"});
        m_variables.push_back(weights);
        return add(scope + "/weights/read", "Identity", {weights});
    }
    std::string layer(const std::string& scope, const std::string& input)
    {
        const std::string read = variable(scope);
        const std::string conv = add(scope + "/Conv2D", "Conv2D", {input, read});
        const std::string gamma = add(scope + "/BatchNorm/gamma", "Const", {});
        const std::string norm = add(scope + "/BatchNorm/FusedBatchNorm", "FusedBatchNorm",
                                     {conv, gamma, gamma, gamma, gamma});
        m_forward.push_back({scope, input, read, conv});
        return add(scope + "/Relu", "Relu", {norm});
    }
    void gradients()
    {
        std::string flow = add("gradients/grad_ys_0", "Const", {});
        for (auto l = m_forward.rbegin(); l != m_forward.rend(); ++l) {
            const std::string scope = "gradients/" + l->scope;
            const std::string relu =
                add(scope + "/Relu_grad/ReluGrad", "ReluGrad", {flow, l->conv});
            const std::string shape =
                add(scope + "/Conv2D_grad/ShapeN", "ShapeN", {l->input, l->read});
            const std::string filter = add(scope + "/Conv2D_grad/Conv2DBackpropFilter",
                                           "Conv2DBackpropFilter", {l->input, shape + ":1", relu});
            flow = add(scope + "/Conv2D_grad/Conv2DBackpropInput", "Conv2DBackpropInput",
                       {shape, l->read, relu});
            add("train/update_" + l->scope + "/ApplyGradientDescent", "ApplyGradientDescent",
                {l->scope + "/weights", "train/learning_rate", filter});
        }
    }
    std::size_t size() const { return m_parts.nodes.size(); }
    GraphPtr take() { return Graph::make(std::move(m_parts)); }

private:
    struct Forward {
        std::string scope;
        std::string input;
        std::string read;
        std::string conv;
    };
    Graph::Parts m_parts;
    std::vector<std::string> m_variables;
    std::vector<Forward> m_forward;
};

} // namespace

GraphPtr scopedGraph(int nodes)
{
    constexpr int nodesPerUnit = 3 * 13 + 1;
    constexpr int unitsPerBlock = 8;
    constexpr int blocksPerStage = 6;
    Maker make;
    make.add("train/learning_rate", "Const", {});
    std::string last = make.add("input", "Placeholder", {});
    const int units = std::max(1, nodes / nodesPerUnit);
    for (int u = 0; u < units; ++u) {
        const std::string scope = "net/stage" + std::to_string(u / unitsPerBlock / blocksPerStage) +
                                  "/block" + std::to_string(u / unitsPerBlock % blocksPerStage) +
                                  "/unit_" + std::to_string(u % unitsPerBlock);
        const std::string a = make.layer(scope + "/conv1", last);
        const std::string b = make.layer(scope + "/conv2", a);
        const std::string c = make.layer(scope + "/conv3", b);
        last = make.add(scope + "/add", "Add", {last, c});
    }
    make.add("output", "Softmax", {last});
    make.gradients();
    return make.take();
}

} // namespace lapidary::testing
