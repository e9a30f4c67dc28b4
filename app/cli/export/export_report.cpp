// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export/export_flags.h"
#include "app/cli/verification.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

namespace lapidary {
namespace {

Json endsJson(const std::vector<ExportedEnd>& ends)
{
    Json list = Json::array();
    for (const ExportedEnd& end : ends)
        list.push_back({{"name", end.name}, {"dtype", dtypeName(end.dtype)}, {"shape", end.dims}});
    return list;
}

Json refusedJson(const ExportReport& report)
{
    Json list = Json::array();
    for (const ExportRefusal& refusal : report.refused)
        list.push_back({{"node", refusal.node}, {"op", refusal.op}, {"reason", refusal.reason}});
    return list;
}

std::size_t sumOf(const std::map<std::string, std::size_t>& counts)
{
    std::size_t sum = 0;
    for (const auto& [name, count] : counts)
        sum += count;
    return sum;
}

std::string countsText(const std::map<std::string, std::size_t>& counts)
{
    std::string text;
    for (const auto& [name, count] : counts)
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    return text;
}

void printEnds(std::string_view title, const std::vector<ExportedEnd>& ends, Console& console)
{
    for (const ExportedEnd& end : ends)
        console.err << title << ' ' << end.name << "  " << dtypeName(end.dtype) << ' '
                    << shapeText({end.dims, false}) << '\n';
}

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ",") + name;
    return text;
}

std::string sizesText(const Shape& shape)
{
    std::string text;
    for (const std::int64_t dim : shape.dims)
        text += (text.empty() ? "" : ",") + std::to_string(dim);
    return text.empty() ? "scalar" : text;
}

std::string shapesText(const ExportInterface& cut)
{
    std::string text;
    for (const auto& [name, shape] : cut.shapes)
        text += " --shape " + name + "=" + sizesText(shape);
    return text;
}

Json cutJson(const std::optional<ExportInterface>& cut)
{
    if (!cut)
        return nullptr;
    Json shapes = Json::object();
    for (const auto& [name, shape] : cut->shapes)
        shapes[name] = shape.dims;
    return {{"inputs", cut->inputs}, {"outputs", cut->outputs}, {"shapes", std::move(shapes)}};
}

using NodesOfReason = std::pair<std::string, std::vector<std::string>>;

// Returns the reasons in the order of their first nodes, each with all of its nodes.
std::vector<NodesOfReason> nodesByReason(const std::vector<ExportRefusal>& refusals)
{
    std::vector<NodesOfReason> groups;
    std::map<std::string_view, std::size_t> groupOf;
    for (const ExportRefusal& refusal : refusals) {
        const auto [at, isNew] = groupOf.emplace(refusal.reason, groups.size());
        if (isNew)
            groups.emplace_back(refusal.reason, std::vector<std::string>());
        groups[at->second].second.push_back(refusal.node + " (" + refusal.op + ")");
    }
    return groups;
}

std::string fewOf(const std::vector<std::string>& nodes)
{
    constexpr std::size_t few = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(few, nodes.size()); ++i)
        text += (i == 0 ? "" : ", ") + nodes[i];
    return nodes.size() > few ? text + " and " + std::to_string(nodes.size() - few) + " more"
                              : text;
}

} // namespace

void reportExport(const ExportReport& report, const ExportFlags& flags, const VerbCall& call,
                  Console& console)
{
    const bool acceptsLoss = flags.int8 || flags.weights != "float32";
    if (call.wantsJson()) {
        Json json = {{"file", flags.out},
                     {"bytes", report.file->size()},
                     {"operators", report.operators},
                     {"merged", report.merged},
                     {"inputs", endsJson(report.inputs)},
                     {"outputs", endsJson(report.outputs)},
                     {"dropped", report.dropped},
                     {"notes", report.notes},
                     {"refused", Json::array()}};
        if (report.check)
            json["check"] = verificationJson(*report.check, acceptsLoss);
        printJson(json, console);
        return;
    }
    const std::size_t count = sumOf(report.operators);
    console.err << report.file->size() << " bytes, " << count
                << (count == 1 ? " operator" : " operators") << (count == 0 ? "" : ": ")
                << countsText(report.operators) << '\n';
    if (!report.merged.empty())
        console.err << "merged into others: " << countsText(report.merged) << '\n';
    printEnds("input", report.inputs, console);
    printEnds("output", report.outputs, console);
    for (const std::string& note : report.notes)
        console.err << "note: " << note << '\n';
    if (report.check)
        printVerification(*report.check, acceptsLoss, console.err);
}

void reportRefusals(const ExportReport& report, const ExportFlags& flags, const VerbCall& call,
                    Console& console)
{
    if (call.wantsJson())
        printJson(
            {{"file", nullptr}, {"refused", refusedJson(report)}, {"cut", cutJson(report.cut)}},
            console);
    for (const auto& [reason, nodes] : nodesByReason(report.refused))
        console.err << call.file() << ": " << fewOf(nodes) << ": " << reason << '\n';
    if (report.cut)
        console.err << "what can be exported: --inputs " << joined(report.cut->inputs)
                    << " --outputs " << joined(report.cut->outputs) << shapesText(*report.cut)
                    << '\n';
    console.complain(std::to_string(report.refused.size()) +
                     (report.refused.size() == 1 ? " node has" : " nodes have") +
                     " no counterpart; " + flags.out + " was not written");
}

} // namespace lapidary
