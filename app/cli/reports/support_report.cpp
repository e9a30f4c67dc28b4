// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/support_report.h"

#include "graph_model/base/printable.h"
#include "graph_model/base/text.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

constexpr std::size_t shownNodes = 3;

std::vector<std::string> namesOf(const Graph& graph, const SupportFinding& finding)
{
    std::vector<std::string> names;
    for (const NodeId id : finding.nodes)
        names.emplace_back(graph.node(id).name());
    names.insert(names.end(), finding.functionNodes.begin(), finding.functionNodes.end());
    return names;
}

std::string nodesText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

void printCount(const char* what, const SupportCount& count, Console& console)
{
    console.out << what << ": ";
    if (count.missing == 0)
        console.out << "all of " << nodesText(count.nodes) << " can run there\n";
    else
        console.out << count.missing << " of " << nodesText(count.nodes)
                    << (count.missing == 1 ? " has" : " have") << " no kernel there\n";
}

void printFinding(const Graph& graph, const SupportFinding& finding, const SupportAnswer& answer,
                  Console& console)
{
    std::vector<std::string> names = namesOf(graph, finding);
    const std::size_t count = names.size();
    names.resize(std::min(count, shownNodes));
    console.out << "  " << finding.op << (finding.types.empty() ? "" : " [" + finding.types + "]")
                << ": " << finding.why << " (" << nodesText(count) << ": "
                << printable(listed(names)) << (count > shownNodes ? ", ..." : "");
    if (answer.hasInterface && finding.needed < count)
        console.out << "; " << (finding.needed == 0 ? "none" : std::to_string(finding.needed))
                    << " needed by the outputs";
    console.out << ")\n";
}

void printRemedy(const Remedy& remedy, Console& console)
{
    console.out << "  " << remedy.text;
    if (remedy.kind == Remedy::Kind::Pass && !remedy.inputs.empty())
        console.out << " with inputs " << printable(listed(remedy.inputs));
    console.out << ": " << remedy.before << " -> ";
    if (remedy.after)
        console.out << *remedy.after;
    else
        console.out << "not tried";
    if (!remedy.ops.empty())
        console.out << "  (" << listed(remedy.ops) << ")";
    console.out << '\n';
}

// Tells whether it is unknown if the target runs one of the needed nodes.
bool isUncertain(const SupportAnswer& answer)
{
    return std::ranges::any_of(answer.report.findings, [&](const SupportFinding& finding) {
        return !isMissing(finding.fault) &&
               (answer.isConverter() ? finding.needed : finding.count()) > 0;
    });
}

std::string outcomeOf(const SupportAnswer& answer)
{
    if (answer.report.blocking(*answer.target) == 0)
        return isUncertain(answer) ? "may run" : "runs";
    if (answer.plan.left == 0)
        return "runs after clean-up";
    const auto helps = [](const Remedy& remedy) {
        return remedy.kind == Remedy::Kind::Build && remedy.after == 0;
    };
    if (std::ranges::any_of(answer.plan.remedies, helps))
        return "needs another build";
    return "does not run";
}

Json countJson(const SupportCount& count)
{
    return {{"runs", count.missing == 0}, {"nodes", count.nodes}, {"missing", count.missing}};
}

std::string_view faultName(SupportFault fault)
{
    switch (fault) {
    case SupportFault::None: return "none";
    case SupportFault::UnknownOp: return "unknown_op";
    case SupportFault::NoKernel: return "no_kernel";
    case SupportFault::OtherTypes: return "other_types";
    case SupportFault::UnknownLabel: return "unknown_label";
    case SupportFault::OnlyIfResolved: return "only_if_resolved";
    case SupportFault::NotKnown: return "not_known";
    }
    return "none";
}

std::string_view kindName(Remedy::Kind kind)
{
    switch (kind) {
    case Remedy::Kind::Pass: return "pass";
    case Remedy::Kind::Freeze: return "freeze";
    case Remedy::Kind::Build: return "build";
    case Remedy::Kind::Source: return "source";
    }
    return "pass";
}

// The one reservation that the report makes about what was not examined.
constexpr std::string_view reservation = "Only kernels and their types were checked, not run-time "
                                         "limits such as channels-first layouts.";

} // namespace

void printSupport(const Graph& graph, const SupportAnswer& answer, Console& console)
{
    console.out << shownPath(answer.file) << " on " << answer.target->name << " ("
                << answer.target->title << "): " << outcomeOf(answer) << '\n';
    if (answer.isConverter())
        console.out << "a converter leaves out what the outputs do not need; the second answer "
                       "counts\n";
    printCount("as it is", answer.report.whole, console);
    printCount(answer.hasInterface ? "between its inputs and outputs"
                                   : "without inputs and outputs given, all is needed",
               answer.report.needed, console);
    for (const SupportFinding& finding : answer.report.findings)
        printFinding(graph, finding, answer, console);
    if (!answer.plan.remedies.empty())
        console.out << "fixes, tried on a copy (nodes without a kernel before -> after):\n";
    for (const Remedy& remedy : answer.plan.remedies)
        printRemedy(remedy, console);
    console.out << reservation << '\n';
}

Json supportJson(const Graph& graph, const SupportAnswer& answer)
{
    Json findings = Json::array();
    for (const SupportFinding& finding : answer.report.findings)
        findings.push_back({{"op", finding.op},
                            {"types", finding.types},
                            {"fault", faultName(finding.fault)},
                            {"missing", isMissing(finding.fault)},
                            {"why", finding.why},
                            {"nodes", namesOf(graph, finding)},
                            {"needed", finding.needed}});
    Json remedies = Json::array();
    for (const Remedy& remedy : answer.plan.remedies)
        remedies.push_back({{"kind", kindName(remedy.kind)},
                            {"text", remedy.text},
                            {"ops", remedy.ops},
                            {"inputs", remedy.inputs},
                            {"before", remedy.before},
                            {"after", remedy.after ? Json(*remedy.after) : Json(nullptr)}});
    return {{"file", answer.file},
            {"target", answer.target->name},
            {"outcome", outcomeOf(answer)},
            {"as_it_is", countJson(answer.report.whole)},
            {"between_inputs_and_outputs", countJson(answer.report.needed)},
            {"findings", findings},
            {"remedies", remedies},
            {"left", answer.plan.left}};
}

} // namespace lapidary
