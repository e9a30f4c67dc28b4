// SPDX-License-Identifier: Apache-2.0
#include "transforms/diff/graph_diff.h"

#include "graph_model/graph/function.h"
#include "transforms/diff/correspondence.h"
#include "transforms/diff/node_difference.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

class Differ {
public:
    Differ(const Graph& before, const Graph& after, const Job& job)
        : m_before(before)
        , m_after(after)
        , m_job(job)
    {
    }

    Result<GraphDiff> run(const Lineage* lineage)
    {
        ASSIGN_OR_RETURN(auto pairs, correspond(m_before, m_after, lineage, m_job));
        m_diff.counterparts = std::move(pairs.after);
        for (std::uint32_t i = 0; i < m_after.size(); ++i)
            if (!pairs.before[i].isValid())
                m_diff.added.push_back(NodeId{i});
        for (std::uint32_t i = 0; i < m_before.size(); ++i) {
            if (i % 256 == 0 && m_job.cancelled())
                return cancelledError();
            const NodeId other = m_diff.counterparts[i];
            if (!other.isValid())
                m_diff.removed.push_back(NodeId{i});
            else if (const Status compared = compare({NodeId{i}, other}); !compared)
                return compared.error();
        }
        RETURN_IF_ERROR(compareLibraries());
        m_diff.versions = !isSameVersions(m_before.versions(), m_after.versions());
        return std::move(m_diff);
    }

private:
    Status compare(NodePair pair)
    {
        const Node& a = m_before.node(pair.before);
        const Node& b = m_after.node(pair.after);
        if (!hasSameInputs(pair))
            m_diff.rewired.push_back(pair);
        if (&a == &b)
            return Done{};
        if (a.name() != b.name())
            m_diff.renamed.push_back(pair);
        if (a.op() != b.op())
            m_diff.ops.push_back(pair);
        return compareValues({m_before, m_after, m_diff.counterparts}, pair, m_job, m_diff);
    }

    bool hasSameInputs(NodePair pair) const
    {
        const auto left = m_before.inputs(pair.before);
        const auto right = m_after.inputs(pair.after);
        if (left.size() != right.size())
            return false;
        // Handles the usual order first: all data inputs, then the control inputs in the same
        // order.
        bool isSame = true;
        for (std::size_t i = 0; i < left.size() && isSame; ++i)
            isSame = isSameInput(pair, i, i);
        return isSame || hasSameInputsReordered(pair);
    }

    bool isSameInput(NodePair pair, std::size_t i, std::size_t j) const
    {
        const Endpoint& a = m_before.inputs(pair.before)[i];
        const Endpoint& b = m_after.inputs(pair.after)[j];
        if (a.node.isValid() != b.node.isValid() || a.port != b.port)
            return false;
        if (a.node.isValid())
            return m_diff.counterparts[a.node.value] == b.node;
        const Input& x = m_before.node(pair.before).inputs()[i];
        const Input& y = m_after.node(pair.after).inputs()[j];
        return x.node == y.node && x.output == y.output;
    }

    bool hasSameInputsReordered(NodePair pair) const
    {
        const auto left = split(m_before, pair.before, true);
        const auto right = split(m_after, pair.after, false);
        if (left.data.size() != right.data.size() || left.controls != right.controls)
            return false;
        for (std::size_t i = 0; i < left.data.size(); ++i)
            if (!isSameInput(pair, left.data[i], right.data[i]))
                return false;
        return true;
    }

    struct Inputs {
        std::vector<std::size_t> data;
        std::set<std::pair<NodeId, std::string_view>> controls; // by id after, or by name
    };
    Inputs split(const Graph& graph, NodeId id, bool translates) const
    {
        Inputs inputs;
        const auto endpoints = graph.inputs(id);
        for (std::size_t i = 0; i < endpoints.size(); ++i) {
            const NodeId node = endpoints[i].node;
            if (!endpoints[i].isControl()) {
                inputs.data.push_back(i);
                continue;
            }
            const NodeId known =
                node.isValid() && translates ? m_diff.counterparts[node.value] : node;
            const bool isGone = !known.isValid();
            inputs.controls.emplace(known, isGone ? graph.node(id).inputs()[i].node : "");
        }
        return inputs;
    }

    static bool isSameVersions(const GraphVersions& a, const GraphVersions& b)
    {
        return a.producer == b.producer && a.minConsumer == b.minConsumer &&
               a.badConsumers == b.badConsumers;
    }

    Status compareLibraries()
    {
        const FunctionLibrary none;
        const FunctionLibrary& a = m_before.functions() == nullptr ? none : *m_before.functions();
        const FunctionLibrary& b = m_after.functions() == nullptr ? none : *m_after.functions();
        if (&a == &b)
            return Done{};
        for (const FunctionPtr& function : b.functions)
            if (a.find(function->name) == nullptr)
                m_diff.addedFunctions.emplace_back(function->name);
        for (const FunctionPtr& function : a.functions) {
            const FunctionPtr other = b.find(function->name);
            if (other == nullptr)
                m_diff.removedFunctions.emplace_back(function->name);
            else if (a.find(function->name) == function)
                RETURN_IF_ERROR(compareFunctions(*function, *other));
        }
        const auto sorted = [](auto gradients) {
            std::ranges::sort(gradients);
            return gradients;
        };
        m_diff.gradients = sorted(a.gradients) != sorted(b.gradients);
        return Done{};
    }

    Status compareFunctions(const Function& a, const Function& b)
    {
        // Attributes of other formats have no message.
        if (!a.encoded.empty() && a.encoded == b.encoded)
            return Done{};
        const auto isSameArgument = [](const FunctionArgument& x, const FunctionArgument& y) {
            return x.name == y.name && x.dtype == y.dtype && x.typeAttr == y.typeAttr;
        };
        auto body = diffGraphs(*a.body, *b.body, m_job);
        if (!body)
            return Error{body.error().code,
                         "function " + std::string(a.name) + ": " + body.error().message};
        const bool isSame = std::ranges::equal(a.arguments, b.arguments, isSameArgument) &&
                            std::ranges::equal(a.results, b.results, isSameArgument);
        if (!isSame || !body->isSame())
            m_diff.functions.push_back({std::string(a.name), !isSame,
                                        std::make_shared<const GraphDiff>(*std::move(body))});
        return Done{};
    }

    const Graph& m_before;
    const Graph& m_after;
    const Job& m_job;
    GraphDiff m_diff;
};

} // namespace

bool GraphDiff::isSame() const
{
    return removed.empty() && added.empty() && renamed.empty() && rewired.empty() && ops.empty() &&
           attributes.empty() && constants.empty() && removedFunctions.empty() &&
           addedFunctions.empty() && functions.empty() && !gradients && !versions;
}

std::string_view attributeKindName(AttributeKind kind)
{
    switch (kind) {
    case AttributeKind::Dtype: return "dtype";
    case AttributeKind::Shape: return "shape";
    case AttributeKind::Device: return "device";
    case AttributeKind::Attribute: break;
    }
    return "attribute";
}

Result<GraphDiff> diffGraphs(const Graph& before, const Graph& after, const Job& job,
                             const Lineage* lineage)
{
    return Differ(before, after, job).run(lineage);
}

} // namespace lapidary
