#include "graph_model/check/check_graph.h"

#include "graph_model/check/check_context.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t maxQuoted = 160;

// The length of a well-formed, printable UTF-8 sequence at the start of `text`, or 0.
std::size_t printableLength(std::string_view text)
{
    const auto lead = std::uint8_t(text[0]);
    if (lead < 0x80)
        return lead >= 0x20 && lead != 0x7F ? 1 : 0;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (length == 0 || lead > 0xF4 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((std::uint8_t(text[i]) & 0xC0) != 0x80)
            return 0;
    // C1 controls, and the marks that turn the direction of writing.
    const bool isC1 = lead == 0xC2 && std::uint8_t(text[1]) < 0xA0;
    const auto third = length == 3 ? std::uint8_t(text[2]) : std::uint8_t(0);
    const bool isMark =
        lead == 0xE2 && ((std::uint8_t(text[1]) == 0x80 && third >= 0xA8 && third <= 0xAE) ||
                         (std::uint8_t(text[1]) == 0x81 && third >= 0xA6 && third <= 0xA9));
    return isC1 || isMark ? 0 : length;
}

std::string escaped(std::string_view text)
{
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    while (!text.empty()) {
        const std::size_t length = printableLength(text);
        if (length > 0) {
            out += text.substr(0, length);
        } else {
            const auto byte = std::uint8_t(text[0]);
            out.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

void checkVersions(const Graph& graph, Problems& problems)
{
    const GraphVersions& versions = graph.versions();
    const auto report = [&](std::string message) {
        Problem problem;
        problem.kind = "version";
        problem.message = std::move(message);
        problems.push_back(std::move(problem));
    };
    if (versions.producer < 0)
        report("The graph's producer version is " + std::to_string(versions.producer) +
               ", below 0, the first that there was");
    if (versions.minConsumer > knownGraphVersion)
        report("The graph asks for a TensorFlow of graph version " +
               std::to_string(versions.minConsumer) + " or later; 1.15.5 has " +
               std::to_string(knownGraphVersion));
    if (std::ranges::find(versions.badConsumers, knownGraphVersion) != versions.badConsumers.end())
        report("The graph forbids graph version " + std::to_string(knownGraphVersion) +
               ", that of TensorFlow 1.15.5");
}

} // namespace

void CheckContext::report(std::string_view kind, Severity severity, NodeId node,
                          std::string message)
{
    Problem problem;
    problem.kind = kind;
    problem.severity = severity;
    problem.node = place.scope + std::string(graph.node(node).name());
    problem.message = std::move(message);
    problems.push_back(std::move(problem));
}

std::string quoted(std::string_view text)
{
    if (text.size() <= maxQuoted)
        return "'" + escaped(text) + "'";
    return "'" + escaped(text.substr(0, maxQuoted / 2)) + "…" +
           escaped(text.substr(text.size() - maxQuoted / 2)) + "'";
}

Problems checkGraph(const Graph& graph, const Job& job)
{
    Problems problems;
    OpTable ops(graph.functions());
    checkVersions(graph, problems);
    checkNodes(graph, ops, {"", graph.versions().producer, false}, problems, job);
    if (graph.functions() != nullptr)
        checkLibrary(*graph.functions(), ops, graph.versions().producer, problems, job);
    return problems;
}

void checkNodes(const Graph& graph, OpTable& ops, const Place& place, Problems& problems,
                const Job& job)
{
    CheckContext context{graph, ops, problems, job, {}, place};
    context.specs.reserve(graph.size());
    for (const NodePtr& node : graph.nodes())
        context.specs.push_back(ops.find(node->op()));
    for (const auto check : {checkNames, checkInputs, checkCycles, checkAttrs, checkShapes})
        if (!job.cancelled())
            check(context);
}

} // namespace lapidary
