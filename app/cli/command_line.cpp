// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"

#include "app/base/exit_codes.h"
#include "app/cli/replaced_tool.h"
#include "app/cli/verb_list.h"
#include "graph_model/base/nearest_word.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <locale>
#include <ostream>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

// Returns all verbs, sorted by name.
std::vector<const Verb*> allVerbs()
{
    const auto listed = listedVerbs();
    std::vector<const Verb*> all(listed.begin(), listed.end());
    std::ranges::sort(all, {}, &Verb::name);
    return all;
}

const Verb* findVerb(std::string_view name)
{
    const std::vector<const Verb*> all = allVerbs();
    const auto found = std::ranges::find(all, name, &Verb::name);
    return found == all.end() ? nullptr : *found;
}

const ReplacedTool* findTool(std::string_view calledAs)
{
    const std::string_view name = calledAs.substr(calledAs.rfind('/') + 1);
    const auto tools = replacedTools();
    const auto found = std::ranges::find(tools, name, &ReplacedTool::name);
    return found == tools.end() ? nullptr : *found;
}

std::string nearestVerb(std::string_view word)
{
    std::vector<std::string> names;
    for (const Verb* verb : allVerbs())
        names.emplace_back(verb->name);
    return nearestWord(word, names);
}

// Returns the verb that does the same as a tool of TensorFlow.
std::string_view verbInsteadOf(std::string_view tool)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> pairs{
        {{"benchmark_model", "benchmark"},
         {"compare_graphs", "compare"},
         {"convert_graphdef_memmapped_format", "memmap"},
         {"freeze_graph", "freeze"},
         {"graph_to_dot", "dot"},
         {"import_pb_to_tensorboard", "events"},
         {"label_image", "label-image"},
         {"optimize_for_inference", "optimize"},
         {"print_selective_registration_header", "kernels"},
         {"strip_unused", "strip"},
         {"summarize_graph", "summarize"},
         {"transform_graph", "transform"}}};
    const auto found = std::ranges::find(pairs, tool, [](const auto& pair) { return pair.first; });
    return found == pairs.end() ? std::string_view() : found->second;
}

// Returns the flag that was probably meant; empty if the window may know the
// word.
std::string nearestFlag(const std::string& word)
{
    return word.starts_with("--") ? nearestWord(word, {"--help", "--version", "--reference"}) : "";
}

// Tells whether a word can only be a verb: not a path, without an extension, and no file has that
// name.
bool looksLikeVerb(const std::string& word)
{
    std::error_code ignored;
    return !word.empty() && word.find_first_of("/.\\") == std::string::npos && word[0] != '-' &&
           !std::filesystem::exists(word, ignored);
}

void printHelp(Console& console)
{
    console.out << "Inspect, cut and polish TensorFlow graphs.\n\n"
                   "  lapidary FILE...               opens the window\n"
                   "  lapidary VERB [FLAGS] [ARGS]   works without a display\n\nFlags of the "
                   "window: --script FILE runs a script of commands, --forget opens\nmodels as if "
                   "for the first time, --watchdog FILE logs what blocked the window.\n\n"
                   "Verbs:\n";
    for (const Verb* verb : allVerbs())
        console.out << "  " << verb->name << std::string(12 - verb->name.size(), ' ')
                    << verb->summary << '\n';
    console.out << "\n'lapidary VERB --help' shows the flags of a verb. Exit codes: 0 done; 1 done "
                   "and\nproblems found; 2 wrong use; 3 a file or graph could not be used; "
                   "130\ncancelled. Example: "
                << verbs::summarize.example << '\n';
}

int complainOfWord(const std::string& word, Console& console)
{
    if (const std::string_view verb = verbInsteadOf(word); !verb.empty()) {
        console.complain("'" + word + "' is not a verb; 'lapidary " + std::string(verb) +
                         "' does the same, and a link to the program that is called " + word +
                         " takes the tool's own flags");
        return exit_code::wrongUse;
    }
    if (word.starts_with('-')) {
        console.complain("there is no flag " + word + "; did you mean '" + nearestFlag(word) +
                         "'?");
        return exit_code::wrongUse;
    }
    const std::string nearest = nearestVerb(word);
    console.complain("'" + word + "' is neither a verb nor a file; " +
                     (nearest.empty() ? "'lapidary --help' lists the verbs"
                                      : "did you mean '" + nearest + "'?"));
    return exit_code::wrongUse;
}

bool isHelp(std::string_view word)
{
    return word == "--help" || word == "-h" || word == "-help" || word == "help";
}

bool isVersion(std::string_view word)
{
    return word == "--version" || word == "-version" || word == "version";
}

bool isReference(std::string_view word)
{
    return word == "--reference";
}

// Prints the handbook's table of verbs, in Markdown.
void printReference(Console& console)
{
    console.out << "| verb | what it does |\n|---|---|\n";
    for (const Verb* verb : allVerbs()) {
        std::string_view summary = verb->summary;
        summary.remove_suffix(summary.ends_with('.') ? 1 : 0);
        console.out << "| `" << verb->synopsis << "` | " << summary;
        if (!verb->chapter.empty())
            console.out << ": [" << verb->chapter << "](" << verb->chapter << ".md)";
        console.out << " |\n";
    }
}

} // namespace

void Console::complain(std::string_view message) const
{
    std::string line(message);
    for (char& c : line)
        if (c == '\n' || c == '\r')
            c = ' ';
    err << "lapidary: " << line << '\n';
}

Destination destinationOf(std::span<const std::string> arguments)
{
    if (!arguments.empty() && findTool(arguments[0]) != nullptr)
        return Destination::CommandLine;
    if (arguments.size() < 2)
        return Destination::Window;
    const std::string& first = arguments[1];
    if (const Verb* verb = findVerb(first))
        return verb->needsWindow ? Destination::WindowVerb : Destination::CommandLine;
    const bool isOurs = isHelp(first) || isVersion(first) || isReference(first) ||
                        looksLikeVerb(first) || !nearestFlag(first).empty();
    return isOurs ? Destination::CommandLine : Destination::Window;
}

bool startsGuarded(std::span<const std::string> arguments)
{
    if (arguments.empty())
        return false;
    if (const ReplacedTool* tool = findTool(arguments[0]))
        return tool->runsGraphs;
    const Verb* verb = arguments.size() < 2 ? nullptr : findVerb(arguments[1]);
    return verb != nullptr && verb->runsGraphs;
}

int runCommandLine(std::span<const std::string> arguments, Console& console)
{
    if (arguments.empty())
        return exit_code::wrongUse;
    console.out.imbue(std::locale::classic());
    console.err.imbue(std::locale::classic());
    if (const ReplacedTool* tool = findTool(arguments[0]))
        return tool->run(arguments[0], arguments.subspan(1), console);
    const std::string word = arguments.size() < 2 ? "" : arguments[1];
    if (const Verb* verb = findVerb(word))
        return verb->run(*verb, arguments.subspan(2), console);
    if (isHelp(word)) {
        printHelp(console);
        return exit_code::done;
    }
    if (isReference(word)) {
        printReference(console);
        return exit_code::done;
    }
    if (isVersion(word)) {
        console.out << "lapidary " LAPIDARY_VERSION "\n";
        return exit_code::done;
    }
    if (looksLikeVerb(word) || !nearestFlag(word).empty())
        return complainOfWord(word, console);
    console.complain("this build has no window; 'lapidary --help' lists what it can do");
    return exit_code::wrongUse;
}

} // namespace lapidary
