// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/prove_numbers.h"

#include "runner/setup/prepare_run.h"
#include "tests/goldens/run_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

// The bound of the recordings: abs(after - before) <= abs + rel * (largest finite value of before).
struct Bound {
    double abs = 1e-5;
    double rel = 1e-4;
};

// Recipes that quantize or round have a wider bound.
Bound boundOf(const json& testCase)
{
    if (testCase.contains("check") && testCase["check"].contains("tol"))
        return {testCase["check"]["tol"].value("abs", 1e-5),
                testCase["check"]["tol"].value("rel", 1e-4)};
    const auto recipe = testCase["transforms"].get<std::string>();
    for (const char* coarse : {"quantize_", "round_weights", "freeze_"})
        if (recipe.find(coarse) != std::string::npos)
            return {0.05, 0.05};
    return {};
}

double largestSize(const std::vector<double>& numbers)
{
    double largest = 0;
    for (const double number : numbers)
        if (std::isfinite(number))
            largest = std::max(largest, std::abs(number));
    return largest;
}

std::vector<double> numbersOf(const Value& value)
{
    std::vector<double> numbers;
    const auto copy = [&](auto zero) {
        for (const auto number : value.as<decltype(zero)>())
            numbers.push_back(double(number));
    };
    switch (value.dtype()) {
    case DType::Float: copy(float()); break;
    case DType::Double: copy(double()); break;
    case DType::Half: copy(Half()); break;
    case DType::BFloat16: copy(BFloat16()); break;
    default: break;
    }
    return numbers;
}

bool isNear(double after, double before, double allowed)
{
    if (std::isnan(after) || std::isnan(before))
        return std::isnan(after) && std::isnan(before);
    if (std::isinf(after) || std::isinf(before))
        return after == before;
    return std::abs(after - before) <= allowed;
}

// Returns an empty text if two values are the same: floats within the bound, all others exactly.
std::string difference(const Value& after, const Value& before, const Bound& bound)
{
    if (after.dtype() != before.dtype() || after.dims() != before.dims())
        return "is " + dtypeName(after.dtype()) + " " + dimsText(after.dims()) + ", was " +
               dtypeName(before.dtype()) + " " + dimsText(before.dims());
    if (after.dtype() == DType::String)
        return std::ranges::equal(after.strings(), before.strings()) ? "" : "other strings";
    const std::vector<double> x = numbersOf(after);
    const std::vector<double> y = numbersOf(before);
    if (x.empty())
        return after.bytes() == before.bytes() ? "" : "other values";
    const double allowed = bound.abs + bound.rel * largestSize(y);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!isNear(x[i], y[i], allowed))
            return "element " + std::to_string(i) + " is " + std::to_string(x[i]) + ", was " +
                   std::to_string(y[i]);
    return "";
}

std::string difference(const std::vector<Value>& after, const std::vector<Value>& before,
                       const RunRequest& request, const Bound& bound)
{
    for (std::size_t i = 0; i < after.size(); ++i)
        if (const std::string what = difference(after[i], before[i], bound); !what.empty())
            return request.fetches[i] + " " + what;
    return "";
}

void runInits(Session& session, const Graph& graph, const json& check)
{
    for (const json& init : check.value("init", json::array()))
        if (graph.find(init.get<std::string>()).isValid())
            (void)session.run({.feeds = {}, .fetches = {}, .targets = {init}}, Job());
}

Result<std::vector<Value>> decodeAll(const json& tensors, MemoryPool& pool)
{
    std::vector<Value> values;
    for (const json& tensor : tensors) {
        ASSIGN_OR_RETURN(auto value, decodeTensor(tensor, pool));
        values.push_back(std::move(value));
    }
    return values;
}

Proof proveByRecording(const json& testCase, const GraphPtr& after)
{
    const json& check = testCase["check"];
    Session session(after, {});
    runInits(session, *after, check);
    RunRequest request;
    for (const auto& [name, tensor] : check["feeds"].items()) {
        auto value = decodeTensor(tensor, session.pool());
        if (!value)
            return {false, "feed: " + value.error().message};
        request.feeds.emplace_back(name, *std::move(value));
    }
    request.fetches = check["fetches"].get<std::vector<std::string>>();
    const auto answer = session.run(request, Job());
    if (!answer)
        return {false, "does not run: " + answer.error().message};
    const auto before = decodeAll(check["before"], session.pool());
    if (!before)
        return {false, before.error().message};
    const Bound bound = boundOf(testCase);
    const std::string what = difference(*answer, *before, request, bound);
    if (what.empty())
        return {true, "computes the same"};
    if (check.value("same", true) || !check.contains("after"))
        return {false, "computes something else: " + what};
    const auto theirs = decodeAll(check["after"], session.pool());
    if (theirs && difference(*answer, *theirs, request, bound).empty())
        return {true, "computes what the original's result computes"};
    return {false, "computes something else: " + what};
}

// Values to try one after the other for an unknown input.
const std::vector<Dims> guesses{{8}, {2, 8}, {1, 8, 8, 4}, {}};

// Unknown sizes become 8, so that windows fit.
Shape guessedShape(const GraphEntry& entry, const std::string& tensor, const Dims& guess)
{
    Shape shape = feedTarget(*entry.graph, tensor).shape;
    if (shape.unknownRank)
        return {guess, false};
    for (std::int64_t& size : shape.dims)
        size = size < 0 ? 8 : size;
    return shape;
}

// Prepares the graph to run on seeded random numbers.
Result<PreparedRun> prepare(const GraphEntry& entry, const json& testCase, const Dims& guess)
{
    RunPlan plan;
    plan.session = SessionOptions{};
    plan.otherInputs = RandomFeed{99};
    std::uint64_t seed = 1;
    for (const std::string& name : splitNames(testCase["inputs"]))
        plan.feeds.push_back({name, RandomFeed{seed++}});
    plan.fetches = splitNames(testCase["outputs"]);
    for (int tries = 0;; ++tries) {
        auto prepared = prepareRun(entry, "-", plan, Job());
        if (prepared || prepared.error().reason != ErrorReason::MissingSize || tries > 8)
            return prepared;
        const std::string& input = prepared.error().subject;
        plan.shapes.emplace_back(input, guessedShape(entry, input, guess));
    }
}

// Runs what only initializes: NoOps that no node waits for. Those that fail have another purpose.
void runFreeNoOps(Session& session, const Graph& graph)
{
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (graph.node(NodeId{i}).op() == "NoOp" && graph.consumers(NodeId{i}).empty())
            (void)session.run({.feeds = {},
                               .fetches = {},
                               .targets = {std::string(graph.node(NodeId{i}).name())}},
                              Job());
}

struct Before {
    RunRequest request;
    std::vector<Value> values;
};

// Returns the feeds of a stored model's runs; null if it has none.
const json* recordedFeeds(const json& testCase)
{
    static const std::vector<json> runs = [] {
        std::vector<json> all;
        for (const auto& file : caseFiles("goldens/runs"))
            for (json& one : loadCases(file))
                if (one.contains("graph_file"))
                    all.push_back(std::move(one));
        return all;
    }();
    const auto found = std::ranges::find_if(runs, [&](const json& run) {
        return run["graph_file"] == testCase.value("graph_file", "") && !run.contains("init");
    });
    return found == runs.end() ? nullptr : &(*found)["feeds"];
}

Result<Before> runRecorded(const GraphPtr& graph, const json& testCase, const json& feeds)
{
    Session session(graph, {});
    Before before;
    for (const auto& [name, tensor] : feeds.items()) {
        ASSIGN_OR_RETURN(auto value, decodeTensor(tensor, session.pool()));
        before.request.feeds.emplace_back(name, std::move(value));
    }
    before.request.fetches = splitNames(testCase["outputs"]);
    ASSIGN_OR_RETURN(before.values, session.run(before.request, Job()));
    return before;
}

Result<Before> runBefore(const GraphPtr& graph, const json& testCase)
{
    if (testCase.contains("graph_file"))
        if (const json* feeds = recordedFeeds(testCase))
            if (auto before = runRecorded(graph, testCase, *feeds))
                return before;
    GraphEntry entry;
    entry.graph = graph;
    Error first;
    for (const Dims& guess : guesses) {
        auto prepared = prepare(entry, testCase, guess);
        if (prepared && prepared->request.fetches.empty())
            return Error{ErrorCode::InvalidArgument, "nothing is computed"};
        if (prepared) {
            runFreeNoOps(prepared->session, *graph);
            auto values = prepared->session.run(prepared->request, Job());
            if (values)
                return Before{std::move(prepared->request), *std::move(values)};
            first = first.message.empty() ? values.error() : first;
        } else {
            first = first.message.empty() ? prepared.error() : first;
        }
    }
    return first.within("the graph does not run");
}

Proof proveByRunning(const json& testCase, const GraphPtr& before, const GraphPtr& after)
{
    const auto was = runBefore(before, testCase);
    if (!was)
        return {false, was.error().message};
    Session session(after, {});
    runFreeNoOps(session, *after);
    const auto is = session.run(was->request, Job());
    if (!is)
        return {false, "the result does not run: " + is.error().message};
    const std::string what = difference(*is, was->values, was->request, boundOf(testCase));
    return what.empty() ? Proof{true, "computes the same here"}
                        : Proof{false, "computes something else here: " + what};
}

} // namespace

std::vector<std::string> splitNames(const json& list)
{
    std::vector<std::string> result;
    for (const json& entry : list) {
        const std::string text = entry.get<std::string>();
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t comma = std::min(text.find(',', start), text.size());
            result.push_back(text.substr(start, comma - start));
            start = comma + 1;
        }
    }
    return result;
}

Proof proveNumbers(const json& testCase, const GraphPtr& before, const GraphPtr& after)
{
    return testCase.contains("check") ? proveByRecording(testCase, after)
                                      : proveByRunning(testCase, before, after);
}

} // namespace lapidary::goldens
