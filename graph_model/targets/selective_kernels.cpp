// SPDX-License-Identifier: Apache-2.0
#include "graph_model/targets/selective_kernels.h"

#include "graph_model/graph/function.h"

namespace lapidary {
namespace {

// The op is replaced when the graph is loaded, so that it needs no kernel.
constexpr std::string_view opWithoutKernel = "AccumulateNV2";

class Collector {
public:
    Collector(const KernelClasses& kernels, const FunctionLibrary* library, NeededKernels& needed)
        : m_kernels(kernels)
        , m_library(library)
        , m_needed(needed)
    {
    }

    void addAll(const Graph& graph)
    {
        std::vector<FunctionPtr> open;
        addNodes(graph, open);
        while (!open.empty()) {
            const FunctionPtr function = open.back();
            open.pop_back();
            addNodes(*function->body, open);
        }
    }

private:
    void addNodes(const Graph& graph, std::vector<FunctionPtr>& open)
    {
        for (const NodePtr& node : graph.nodes()) {
            if (node->isSynthetic())
                continue;
            bool callsByName = false;
            if (m_library != nullptr)
                for (const FunctionPtr& function : calledFunctions(graph, *node, *m_library)) {
                    callsByName |= function->name == node->op();
                    if (m_seen.insert(function->name).second)
                        open.push_back(function);
                }
            add(*node, callsByName);
        }
    }

    void add(const Node& node, bool callsByName)
    {
        const std::string op(node.op());
        if (const KernelClass* kernel = m_kernels.kernelOf(node)) {
            m_needed.pairs.emplace(op, kernel->name);
            m_needed.typesOf[std::string(kernel->name)] = kernel->types;
        } else if (op == opWithoutKernel) {
            m_needed.pairs.emplace(op, "");
        } else if (!callsByName) {
            m_needed.missing.push_back(op);
        }
    }

    const KernelClasses& m_kernels;
    const FunctionLibrary* m_library;
    NeededKernels& m_needed;
    std::set<std::string_view> m_seen;
};

} // namespace

std::set<std::string> NeededKernels::ops() const
{
    std::set<std::string> names;
    for (const auto& [op, kernel] : pairs)
        names.insert(op);
    return names;
}

void addNeeded(const Graph& graph, const KernelClasses& kernels, NeededKernels& needed)
{
    Collector(kernels, graph.functions(), needed).addAll(graph);
}

} // namespace lapidary
