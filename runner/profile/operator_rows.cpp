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

// Where the operator of a measured node is: in the graph of the file, or in one of its functions.
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
    void add(const ProfiledNode& node)
    {
        const auto next = std::uint32_t(m_rows.size());
        const auto measured = m_measured.find(node.name);
        const std::string function =
            measured == m_measured.end() ? std::string() : measured->second->key.function;
        const Graph* graph = graphOf(function, m_file);
        const std::string_view name = std::string_view(node.name).substr(
            function.empty() ? 0 : std::min(function.size() + 1, node.name.size()));
        const NodeId id = graph != nullptr ? liftedFrom(*graph, name) : NodeId{};
        const auto row =
            id.isValid() ? m_rowOf.emplace(Operator{function, id}, next).first->second : next;
        m_newRow.push_back(row);
        if (row == next) {
            m_rows.push_back(node);
            m_times.emplace_back();
        }
        const bool isOwn = !id.isValid() || graph->node(id).name() == name;
        if (id.isValid()) {
            m_rows[row].op = graph->node(id).op();
            m_rows[row].name =
                (function.empty() ? "" : function + "/") + std::string(graph->node(id).name());
        }
        if (row != next)
            addStep(m_rows[row], node);
        if (isOwn) {
            m_rows[row].output = node.output;
            m_rows[row].bytes = node.bytes;
        } else if (row == next) {
            m_rows[row].output.clear();
            m_rows[row].bytes = 0;
        }
        if (measured != m_measured.end())
            addTo(m_times[row], measured->second->perRun);
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
