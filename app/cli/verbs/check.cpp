// SPDX-License-Identifier: Apache-2.0
// check: lists the problems of a file.
#include "app/base/exit_codes.h"
#include "app/cli/each_file.h"
#include "graph_model/base/printable.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <tuple>

namespace lapidary {
namespace {

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    default: return "note";
    }
}

struct PlacedProblem {
    const Problem* problem;
    const GraphEntry* graph; // null: a problem of the whole file
    std::size_t more = 0;    // number of other nodes with the same problem
};

std::vector<PlacedProblem> allProblems(const ModelFile& file)
{
    std::vector<PlacedProblem> all;
    for (const Problem& problem : file.problems)
        all.push_back({&problem, nullptr});
    for (const GraphEntry& entry : file.graphs)
        for (const Problem& problem : entry.problems)
            all.push_back({&problem, &entry});
    return all;
}

// Merges problems of many nodes with the same text into one line; problems of a few nodes keep
// their own lines.
std::vector<PlacedProblem> grouped(const std::vector<PlacedProblem>& problems)
{
    constexpr std::size_t fewNodes = 3;
    using Words = std::tuple<const GraphEntry*, std::string_view, Severity, std::string_view>;
    const auto wordsOf = [](const PlacedProblem& placed) {
        const Problem& problem = *placed.problem;
        return Words(placed.graph, problem.kind, problem.severity, problem.message);
    };
    std::map<Words, std::size_t> counts;
    for (const PlacedProblem& placed : problems)
        ++counts[wordsOf(placed)];
    std::set<Words> said;
    std::vector<PlacedProblem> lines;
    for (PlacedProblem placed : problems) {
        const Words words = wordsOf(placed);
        const std::size_t count = placed.problem->node.empty() ? 1 : counts[words];
        if (count > fewNodes && !said.insert(words).second)
            continue;
        placed.more = count > fewNodes ? count - 1 : 0;
        lines.push_back(placed);
    }
    return lines;
}

Json problemJson(const PlacedProblem& placed, const ModelFile& file)
{
    const Problem& problem = *placed.problem;
    Json json = {{"kind", problem.kind}, {"severity", severityName(problem.severity)}};
    if (placed.graph != nullptr && file.graphs.size() > 1)
        json["graph"] = placed.graph->title;
    if (!problem.node.empty())
        json["node"] = problem.node;
    if (problem.offset)
        json["offset"] = *problem.offset;
    if (problem.line)
        json["line"] = *problem.line;
    if (problem.column)
        json["column"] = *problem.column;
    json["message"] = problem.message;
    return json;
}

std::string problemLine(const PlacedProblem& placed, const ModelFile& file, const std::string& path)
{
    const Problem& problem = *placed.problem;
    std::string line = path;
    if (problem.line)
        line += ":" + std::to_string(*problem.line);
    if (problem.line && problem.column)
        line += ":" + std::to_string(*problem.column);
    if (problem.offset)
        line += ": byte " + std::to_string(*problem.offset);
    if (placed.graph != nullptr && file.graphs.size() > 1)
        line += ": graph " + placed.graph->title;
    if (!problem.node.empty())
        line += ": " + problem.node;
    if (placed.more > 0)
        line += " and " + std::to_string(placed.more) + " more";
    line.append(": ").append(severityName(problem.severity)).append(": ").append(problem.message);
    return printable(line) + " [" + problem.kind + "]\n";
}

std::string counted(std::ptrdiff_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void printProblems(const ModelFile& file, const std::vector<PlacedProblem>& problems, bool all,
                   const std::string& path, Console& console)
{
    const std::vector<PlacedProblem> lines = all ? problems : grouped(problems);
    for (const PlacedProblem& placed : lines)
        console.out << problemLine(placed, file, path);
    const auto count = [&](Severity severity) {
        return std::ranges::count_if(problems, [&](const PlacedProblem& placed) {
            return placed.problem->severity == severity;
        });
    };
    console.out << path << ": " << fileFormatTitle(file.format);
    if (!file.formatDetail.empty())
        console.out << " (" << file.formatDetail << ")";
    console.out << ", " << counted(count(Severity::Error), "error") << ", "
                << counted(count(Severity::Warning), "warning") << ", "
                << counted(count(Severity::Note), "note");
    if (lines.size() < problems.size())
        console.out << " (--all gives each node a line)";
    console.out << '\n';
}

int checkFile(const VerbCall& call, bool all, Json& document, Console& console)
{
    int failure = exit_code::done;
    const auto file = readNamed(call.file(), ReadOptions{.check = true}, console, failure);
    if (!file)
        return failure;
    const std::vector<PlacedProblem> problems = allProblems(*file);
    if (call.wantsJson()) {
        Json list = Json::array();
        for (const PlacedProblem& placed : problems)
            list.push_back(problemJson(placed, *file));
        const bool known = file->format != FileFormat::Unknown;
        document = {{"format", known ? Json(fileFormatName(file->format)) : Json(nullptr)},
                    {"problems", list}};
    } else {
        printProblems(*file, problems, all, shownPath(call.file()), console);
    }
    const bool bad = (file->isRefused() && !file->isData) || file->hasErrors() ||
                     std::ranges::any_of(problems, [](const PlacedProblem& placed) {
                         return placed.problem->severity == Severity::Error;
                     });
    return bad ? exit_code::found : exit_code::done;
}

int runCheck(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    std::vector<std::string> files;
    bool all = false;
    addFiles(call, files, "the files to check; - reads standard input");
    call.options().remove_option(call.options().get_option("--meta-graph"));
    call.options().add_flag("--all", all,
                            "print a line for each node, even if many have the same problem");
    call.addJson();
    if (const auto done = call.parse(arguments))
        return *done;
    return eachFile(call, files, console,
                    [&](Json& document) { return checkFile(call, all, document, console); });
}

} // namespace

const Verb verbs::check{
    .name = "check",
    .synopsis = "check FILE",
    .summary = "Lists every problem in a file; the exit code is 1 if there is an error.",
    .example = "lapidary check model.pb --json",
    .run = runCheck,
    .chapter = "problems",
};

} // namespace lapidary
