// SPDX-License-Identifier: Apache-2.0
// The results of TensorFlow for whole models.
#include "graph_model/read/model_file.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/int8/back_end.h"
#include "tests/catch.h"
#include "tests/goldens/run_cases.h"

#include <iomanip>
#include <iostream>
#include <optional>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One row of the printed table.
struct ModelRow {
    std::string model;
    int cases = 0;
    int held = 0;
    double largestError = 0;
    double allowed = 0; // absolute tolerance of the case with the largest error
    std::string remark;
};

// The model of the last cases, with its session.
struct Loaded {
    std::string path;
    std::optional<ModelFile> file;
    std::optional<Session> session;
    std::string failure;
    bool isInitialized = false;
};

// LAPIDARY_FULL_MODELS names the folder of models that are built on demand.
std::string modelPath(const json& testCase)
{
    if (testCase.contains("graph_file"))
        return (dataRoot() / testCase["graph_file"].get<std::string>()).string();
    const char* folder = std::getenv("LAPIDARY_FULL_MODELS");
    if (folder == nullptr)
        return "";
    const fs::path path = fs::path(folder) / (testCase["made"]["name"].get<std::string>() + ".pb");
    std::error_code ignored;
    const bool fits =
        fs::file_size(path, ignored) == testCase["made"]["bytes"].get<std::uint64_t>();
    return fits ? path.string() : "";
}

void load(const std::string& path, const SessionOptions& options, Loaded& loaded)
{
    loaded = {path, {}, {}, "", false};
    auto file = readModel(path, Job(), {.check = false});
    if (!file || file->isRefused()) {
        loaded.failure = file ? "holds no graph" : file.error().message;
        return;
    }
    loaded.file = *std::move(file);
    const bool isFolder = fs::is_directory(path);
    SessionOptions here = options;
    here.folder = isFolder ? path : fs::path(path).parent_path().string();
    loaded.session.emplace(loaded.file->graphs.front().graph, here);
    if (isFolder)
        if (const Status status =
                loadVariables(*loaded.session, loaded.file->graphs.front(), path, Job());
            !status)
            loaded.failure = status.error().message;
}

// Runs the operations that come before the feeds, once for each model.
Comparison initialize(Loaded& loaded, const json& testCase)
{
    if (loaded.isInitialized)
        return {};
    loaded.isInitialized = true;
    const json init = testCase.value("init", json::array());
    for (const json& operation : init) {
        const Comparison done =
            compareStep(*loaded.session, {{"targets", json::array({operation})}}, json::object());
        if (!done.difference.empty())
            return {"init " + operation.get<std::string>() + ": " + done.difference, 0};
    }
    return {};
}

json initStep(const json& testCase)
{
    return {{"targets", testCase.value("init", json::array())}};
}

// Integers must be equal even if the case has a tolerance. 8-bit networks give the recorded codes,
// so only the last digits may differ, in the float ops before and after them.
Comparison compareCase(Session& session, const json& testCase)
{
    json tol = testCase.value("tol", json::object());
    if (testCase.value("graph_file", "").ends_with("_8bit.pb"))
        tol = {{"abs", 1e-12}, {"rel", 5e-7}};
    tol["exact_integers"] = true;
    return compareStep(session, testCase, tol);
}

void runCase(const json& testCase, Loaded& loaded, Tally& tally, ModelRow& row)
{
    const auto name = testCase["name"].get<std::string>();
    ++row.cases;
    if (!loaded.failure.empty()) {
        loaded.failure.find("no kernel") != std::string::npos ? tally.skipped(name, loaded.failure)
                                                              : tally.differs(name, loaded.failure);
        row.remark = loaded.failure;
        return;
    }
    std::string missing = missingOps(*loaded.session, testCase);
    if (missing.empty() && testCase.contains("init"))
        missing = missingOps(*loaded.session, initStep(testCase));
    if (!missing.empty()) {
        row.remark = "no kernel: " + missing;
        tally.skipped(name, row.remark);
        return;
    }
    Comparison result = initialize(loaded, testCase);
    if (result.difference.empty())
        result = compareCase(*loaded.session, testCase);
    if (testCase.value("unstable", false)) {
        tally.skipped(name, "TensorFlow itself does not repeat it");
        return;
    }
    if (result.largestError >= row.largestError) {
        row.largestError = result.largestError;
        row.allowed = testCase["tol"].value("abs", 0.0);
    }
    row.held += result.difference.empty() ? 1 : 0;
    if (!result.difference.empty())
        row.remark = "differs";
    tally.check(result.difference.empty(), name, result.difference);
}

void print(const std::vector<ModelRow>& rows)
{
    std::cout << "  held/cases  largest error    allowed  model\n";
    for (const ModelRow& row : rows)
        std::cout << "  " << std::setw(6) << row.held << '/' << std::left << std::setw(3)
                  << row.cases << std::right << std::setw(15) << row.largestError << std::setw(11)
                  << row.allowed << "  " << row.model
                  << (row.remark.empty() ? "" : "  (" + row.remark + ")") << '\n';
}

// Returns the name of a case's model in the table.
std::string modelName(const json& testCase)
{
    if (testCase.contains("made"))
        return testCase["made"]["name"].get<std::string>() + " (full)";
    return testCase["graph_file"].get<std::string>();
}

void runFile(const fs::path& file, const SessionOptions& options, Tally& tally)
{
    std::vector<ModelRow> rows;
    Loaded loaded;
    for (const json& testCase : loadCases(file)) {
        if (rows.empty() || rows.back().model != modelName(testCase))
            rows.push_back({.model = modelName(testCase)});
        const std::string path = modelPath(testCase);
        if (path.empty()) {
            tally.skipped(testCase["name"], "made on demand: not in LAPIDARY_FULL_MODELS");
            rows.back().remark = "not there";
            continue;
        }
        if (isSelection() && !fs::exists(path)) {
            tally.skipped(testCase["name"], "its model is not in the choice");
            rows.back().remark = "not there";
            continue;
        }
        const bool isSignature = testCase.value("note", "").starts_with("signature ");
        if (loaded.path != path || isSignature)
            load(path, options, loaded);
        runCase(testCase, loaded, tally, rows.back());
    }
    print(rows);
}

// 8-bit networks run on each back end, the others once.
void runAll(bool fuse)
{
    if (!present("goldens/runs"))
        return;
    Tally tally("runs");
    for (const fs::path& file : caseFiles("goldens/runs")) {
        const std::string name = file.stem().string();
        if (name != "quantised") {
            tally.beginPart(name);
            runFile(file, {.fuse = fuse}, tally);
            continue;
        }
        for (const int8::BackEnd* backEnd : int8::backEnds()) {
            if (!backEnd->isAvailable())
                continue;
            tally.beginPart(name + ", back end " + std::string(backEnd->name));
            runFile(file, {.fuse = fuse, .backEnd = std::string(backEnd->name)}, tally);
        }
    }
    tally.finish();
}

TEST_CASE("whole models compute what was recorded", "[runs]")
{
    runAll(false);
}

TEST_CASE("so do fused ones", "[runs][fused]")
{
    runAll(true);
}

} // namespace
} // namespace lapidary::goldens
