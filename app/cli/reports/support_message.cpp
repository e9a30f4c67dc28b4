// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/support_report.h"
#include "graph_model/base/printable.h"
#include "graph_model/base/text.h"

#include <ostream>

namespace lapidary {

void printMessage(const Graph& graph, const MessageAnswer& answer, const OpSupport& table,
                  const Target* target, Console& console)
{
    console.out << "the message: " << printable(whatItSays(answer.message));
    for (const auto& [name, value] : answer.message.attrs)
        if (parseDtype(value))
            console.out << ' ' << name << '=' << value;
    console.out << '\n';
    if (!answer.targets.empty())
        console.out << "its list of kernels is that of " << listed(answer.targets) << '\n';
    if (answer.nodes.empty())
        console.out << "the graph has no such node\n";
    for (const NodeId id : answer.nodes) {
        const Node& node = graph.node(id);
        console.out << "  " << printable(node.name()) << " = " << printable(node.op());
        if (target != nullptr) {
            const Support support = table.of(node, *target);
            console.out << ": on " << target->name << ' '
                        << (support.fault == SupportFault::None ? "it has a kernel" : support.why);
        }
        console.out << '\n';
    }
}

Json messageJson(const Graph& graph, const MessageAnswer& answer, const OpSupport& table,
                 const Target* target)
{
    Json nodes = Json::array();
    for (const NodeId id : answer.nodes) {
        const Node& node = graph.node(id);
        Json row = {{"node", node.name()}, {"op", node.op()}};
        if (target != nullptr)
            row["why"] = table.of(node, *target).why;
        nodes.push_back(row);
    }
    Json attrs = Json::object();
    for (const auto& [name, value] : answer.message.attrs)
        attrs[name] = value;
    return {{"says", whatItSays(answer.message)},
            {"ops", answer.message.ops},
            {"attrs", attrs},
            {"kernels_of", answer.targets},
            {"nodes", nodes}};
}

} // namespace lapidary
