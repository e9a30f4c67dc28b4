// SPDX-License-Identifier: Apache-2.0
// Reports of `lapidary check` on damaged, hostile and strange files, and its silence about good
// ones.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"

#include <algorithm>
#include <regex>
#include <set>

using namespace lapidary;
using namespace lapidary::goldens;
using nlohmann::json;

namespace {

// All problems that `check` finds in a file, in one list.
struct Outcome {
    bool refused = false;
    bool unreadable = false;
    Problems problems;
};

Outcome outcomeOf(const std::filesystem::path& path)
{
    Outcome outcome;
    const Result<ModelFile> file = readModel(path, Job());
    if (!file.ok()) {
        outcome.refused = outcome.unreadable = true;
        Problem problem;
        problem.kind = "unreadable";
        problem.message = file.error().message;
        outcome.problems.push_back(problem);
        return outcome;
    }
    outcome.refused = file->isRefused() && !file->isData;
    outcome.problems = file->problems;
    for (const GraphEntry& entry : file->graphs)
        outcome.problems.insert(outcome.problems.end(), entry.problems.begin(),
                                entry.problems.end());
    return outcome;
}

std::string printed(const Problems& problems)
{
    std::string text;
    for (std::size_t i = 0; i < problems.size() && i < 6; ++i) {
        const Problem& problem = problems[i];
        text += "\n      " + problem.kind + " at '" + problem.node.substr(0, 60) + "'";
        if (problem.offset)
            text += " offset " + std::to_string(*problem.offset);
        if (problem.line)
            text += " line " + std::to_string(*problem.line);
        text += (problem.severity == Severity::Error     ? " error: "
                 : problem.severity == Severity::Warning ? " warning: "
                                                         : " note: ") +
                problem.message.substr(0, 200);
    }
    return text;
}

bool isAlarm(const Problem& problem)
{
    return problem.severity != Severity::Note;
}

bool isError(const Problem& problem)
{
    return problem.severity == Severity::Error;
}

// Returns all numbers that follow one of the words in the requirement: "line 118 (or 119, where
// ...".
std::set<std::uint64_t> numbersAfter(const std::string& must, const std::string& word)
{
    std::set<std::uint64_t> numbers;
    const std::regex pattern(word + " (\\d+)(?: \\(or (\\d+))?");
    for (auto at = std::sregex_iterator(must.begin(), must.end(), pattern);
         at != std::sregex_iterator(); ++at)
        for (std::size_t group = 1; group <= 2; ++group)
            if ((*at)[group].matched)
                numbers.insert(std::stoull((*at)[group].str()));
    return numbers;
}

// Returns positions that the requirement names besides nodes: "problem bad_signature at
// serving_default/y".
std::set<std::string> placesOf(const json& fault)
{
    std::set<std::string> places;
    const std::string must = fault.at("must").get<std::string>();
    const auto nodes = fault.find("nodes");
    static const std::regex named(
        "problem \\w+ (?:at|for) (?:variable |region )?(\\S+?)(?:$|[ ;,])");
    std::smatch match;
    const bool bySignature = fault.at("kind") == "bad_signature";
    if (nodes != fault.end() && !nodes->is_null() && !bySignature)
        for (const json& node : *nodes)
            places.insert(node.get<std::string>());
    else if (std::regex_search(must, match, named) && match[1] != "that" && match[1] != "the" &&
             match[1] != "byte" && match[1] != "offset")
        places.insert(match[1].str());
    return places;
}

bool namesPlace(const Problem& problem, const std::string& place)
{
    if (problem.node == place || problem.message.find(place) != std::string::npos)
        return true;
    // The list of faults shortens long names.
    return place.ends_with("...") && problem.node.starts_with(place.substr(0, place.size() - 3));
}

std::string judgeListed(const json& fault, const Outcome& outcome, Severity severity)
{
    const std::string kind = fault.at("kind").get<std::string>();
    const std::string must = fault.at("must").get<std::string>();
    if (outcome.refused && must.find("open") != std::string::npos)
        return "refused";
    const auto isIt = [&](const Problem& problem) {
        return (problem.kind == kind || kind == "bit_flip") && problem.severity == severity;
    };
    if (std::ranges::none_of(outcome.problems, isIt))
        return "no problem " + kind;
    for (const std::string& place : placesOf(fault))
        if (std::ranges::none_of(outcome.problems, [&](const Problem& problem) {
                return isIt(problem) && namesPlace(problem, place);
            }))
            return "no problem " + kind + " at " + place;
    const std::set<std::uint64_t> offsets = numbersAfter(must, "offset");
    if (!offsets.empty() && std::ranges::none_of(outcome.problems, [&](const Problem& problem) {
            return isIt(problem) && problem.offset && offsets.contains(*problem.offset);
        }))
        return "no problem " + kind + " at the offset";
    if (severity == Severity::Warning && std::ranges::any_of(outcome.problems, isError))
        return "an error beside the warning";
    return "";
}

std::string judgeRefused(const json& fault, const Outcome& outcome)
{
    const std::string must = fault.at("must").get<std::string>();
    if (std::ranges::none_of(outcome.problems, isError))
        return "no error";
    const std::set<std::uint64_t> offsets = numbersAfter(must, "offset");
    const std::set<std::uint64_t> lines = numbersAfter(must, "line");
    const auto names = [&](const Problem& problem) {
        const bool offset =
            offsets.empty() || (problem.offset && offsets.contains(*problem.offset));
        const bool line =
            lines.empty() || (problem.line && lines.contains(std::uint64_t(*problem.line)));
        return isError(problem) && offset && line;
    };
    if (std::ranges::none_of(outcome.problems, names))
        return "another place";
    if (must.find("offset") != std::string::npos && offsets.empty() &&
        std::ranges::none_of(outcome.problems,
                             [](const Problem& problem) { return problem.offset.has_value(); }))
        return "no offset";
    return "";
}

std::string judgeOpen(const json& fault, const Outcome& outcome)
{
    if (outcome.refused)
        return "refused";
    const std::string must = fault.at("must").get<std::string>();
    for (const Problem& problem : outcome.problems)
        if (isAlarm(problem) && must.find("are " + problem.kind) == std::string::npos)
            return "false alarm";
    return "";
}

std::string judge(const json& fault, const Outcome& outcome)
{
    const std::string action = fault.at("action").get<std::string>();
    if (action == "open")
        return judgeOpen(fault, outcome);
    if (action == "warn")
        return judgeListed(fault, outcome, Severity::Warning);
    if (action == "list") {
        const std::string said = judgeListed(fault, outcome, Severity::Error);
        // A file that TensorFlow loads must not give an error; the recording asks only that the
        // problem is listed.
        const json& tensorflow = fault.at("tensorflow");
        const bool loads =
            tensorflow.contains("load") && tensorflow.at("load").value("status", "") == "ok";
        return said.empty() || !loads ? said : judgeListed(fault, outcome, Severity::Warning);
    }
    if (action == "refuse")
        return judgeRefused(fault, outcome);
    // "either" allows a listed problem or a refusal; the test only checks that the program ends.
    return "";
}

} // namespace

TEST_CASE("faults: every planted fault is found, no good file raises an alarm", "[faults]")
{
    if (!present("goldens/faults"))
        return;
    Tally tally("faults");
    for (const json& fault : loadJson(dataRoot() / "goldens/faults/faults.json")) {
        const std::string file = fault.at("file").get<std::string>();
        const Outcome outcome = outcomeOf(dataRoot() / "goldens/faults" / file);
        const std::string verdict = judge(fault, outcome);
        tally.check(verdict.empty(), file,
                    verdict + "; " + fault.at("must").get<std::string>() +
                        printed(outcome.problems));
    }
    tally.finish();
}

TEST_CASE("models: what TensorFlow runs has no errors", "[faults][models]")
{
    if (!present("models"))
        return;
    Tally tally("models");
    for (const json& model : loadJson(dataRoot() / "models/models.json")) {
        const std::string name = model.at("path").get<std::string>();
        std::error_code ignored;
        if (!std::filesystem::exists(dataRoot() / name, ignored)) {
            isSelection() ? tally.skipped(name, "not among the recorded files")
                          : tally.fails(name, "the model is missing");
            continue;
        }
        if (!model.value("runnable", false)) {
            tally.skipped(name, "TensorFlow does not run it");
            continue;
        }
        const Outcome outcome = outcomeOf(dataRoot() / name);
        const bool isWrong = outcome.refused || std::ranges::any_of(outcome.problems, isError);
        tally.check(!isWrong, name, printed(outcome.problems));
    }
    tally.finish();
}
