// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/operator_rows.h"

#include "graph_model/graph/function.h"
#include "graph_model/lift/lift_graph.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace lapidary {
namespace {

using Times = std::vector<std::int64_t>; // nanoseconds by run

// The operator of a measured node: in the graph of the file, or in one of its functions.
struct Operator {
    std::string function; // empty: the graph itself
    NodeId id;
    auto operator<=>(const Operator&) const = default;
};

const Graph* graphOf(const std::string& function, const Graph& file)
{
    if (function.empty())
        return &file;
    const FunctionPtr found = file.functions() ? file.functions()->find(function) : nullptr;
    return found != nullptr ? found->body.get() : nullptr;
}

void addTo(Times& sum, const Times& times)
{
    sum.resize(std::max(sum.size(), times.size()));
    for (std::size_t i = 0; i < times.size(); ++i)
        sum[i] += times[i];
}

class Joining {
public:
    Joining(NodeProfile& profile, const RunProfile& run, const Graph& file)
        : m_profile(profile)
        , m_file(file)
    {
        for (const auto& [key, times] : run.nodes())
            m_measured.emplace(times.name, &times);
    }

    void join()
    {
        for (const ProfiledNode& node : m_profile.nodes)
            add(node);
        for (std::size_t row = 0; row < m_rows.size(); ++row)
            if (!m_times[row].empty()) {
                const auto [least, most] = std::ranges::minmax_element(m_times[row]);
                m_rows[row].least = *least;
                m_rows[row].most = *most;
            }
        m_profile.nodes = std::move(m_rows);
        for (ProfiledSlice& slice : m_profile.slices)
            slice.row = m_newRow[slice.row];
    }

private:
    // The operator of a measured node.
    struct Origin {
        Operator key;
        const Node* node = nullptr; // the operator; null if unknown
        bool isOwn = true;          // the node has the operator's name, and its outputs
    };

    void add(const ProfiledNode& node)
    {
        const auto measured = m_measured.find(node.name);
        const bool isMeasured = measured != m_measured.end();
        const Origin origin = originOf(node, isMeasured ? measured->second->key.function : "");
        const std::uint32_t row = rowOf(node, origin);
        m_newRow.push_back(row);
        if (origin.isOwn) {
            m_rows[row].output = node.output;
            m_rows[row].bytes = node.bytes;
        }
        if (isMeasured)
            addTo(m_times[row], measured->second->perRun);
    }

    Origin originOf(const ProfiledNode& node, const std::string& function) const
    {
        const Graph* graph = graphOf(function, m_file);
        const std::size_t prefix = function.empty() ? 0 : function.size() + 1;
        const std::string_view name =
            std::string_view(node.name).substr(std::min(prefix, node.name.size()));
        const NodeId id = graph != nullptr ? liftedFrom(*graph, name) : NodeId{};
        if (!id.isValid())
            return {};
        return {{function, id}, &graph->node(id), graph->node(id).name() == name};
    }

    // Adds the node to the row of its operator, or begins one for it.
    std::uint32_t rowOf(const ProfiledNode& node, const Origin& origin)
    {
        const auto next = std::uint32_t(m_rows.size());
        const std::uint32_t row =
            origin.node != nullptr ? m_rowOf.emplace(origin.key, next).first->second : next;
        if (row != next) {
            addStep(m_rows[row], node);
            return row;
        }
        m_times.emplace_back();
        ProfiledNode& begun = m_rows.emplace_back(node);
        begun.output.clear();
        begun.bytes = 0;
        if (origin.node != nullptr) {
            const std::string& function = origin.key.function;
            begun.op = origin.node->op();
            begun.name =
                (function.empty() ? "" : function + "/") + std::string(origin.node->name());
        }
        return row;
    }

    static void addStep(ProfiledNode& sum, const ProfiledNode& step)
    {
        sum.calls = std::max(sum.calls, step.calls);
        sum.nanoseconds += step.nanoseconds;
        if (step.flops)
            sum.flops = sum.flops.value_or(0) + *step.flops;
    }

    NodeProfile& m_profile;
    const Graph& m_file;
    std::map<std::string_view, const RunProfile::NodeTimes*> m_measured; // by the name of the row
    std::map<Operator, std::uint32_t> m_rowOf;
    std::vector<ProfiledNode> m_rows;
    std::vector<Times> m_times;          // by new row
    std::vector<std::uint32_t> m_newRow; // by old row
};

} // namespace

void joinOperatorRows(NodeProfile& profile, const RunProfile& run, const Graph& file)
{
    Joining(profile, run, file).join();
}

} // namespace lapidary
