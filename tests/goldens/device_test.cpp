// SPDX-License-Identifier: Apache-2.0
// The verb `device`: its script and its own runs with a stand-in for adb, which records its
// arguments and answers with recorded logs; and recorded logs with their graphs.
#include "app/device/device_plan.h"
#include "graph_model/read/model_file.h"
#include "runner/profile/benchmark_log.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "tests/stand_in_adb.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Device {
public:
    explicit Device(const std::string& fails)
        : m_path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"))
    {
        const fs::path here = fs::current_path();
        writeBytes(here / "bin/adb", standInAdb);
        fs::permissions(here / "bin/adb", fs::perms::owner_all);
        fs::create_directories(here / "phone/data/local/tmp");
        setenv("PATH", ((here / "bin").string() + ":" + m_path).c_str(), 1);
        setenv("ADB_RECORD", (here / "told").c_str(), 1);
        setenv("DEVICE", (here / "phone").c_str(), 1);
        writeBytes(here / "answer.log", recordedDeviceLog);
        setenv("ADB_LOG", (here / "answer.log").c_str(), 1);
        setenv("FAIL", fails.c_str(), 1);
        writeBytes(here / "mlp.pb", measuredNetwork);
        writeBytes(here / "benchmark_model", "a program");
    }
    ~Device() { setenv("PATH", m_path.c_str(), 1); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    static bool isClean() { return fs::is_empty("phone/data/local/tmp"); }

private:
    std::string m_path;
};

std::vector<std::string> callFor(const std::string& model, std::vector<std::string> more)
{
    std::vector<std::string> call{"lapidary", "device",         model, "--abi", "arm64-v8a",
                                  "--tool",   "benchmark_model"};
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

int runScript(const std::string& file)
{
    return std::system(("sh '" + file + "' > printed 2>&1").c_str());
}

} // namespace

TEST_CASE("the script measures on the device and leaves nothing there", "[device]")
{
    if (!present("goldens/profiles"))
        return;
    const WorkingFolder work;
    const Device device("");
    const Ran ran = runProgram(
        callFor("mlp.pb", {"--threads", "2", "--cores", "f0", "--runs", "3", "-o", "measure.sh"}));
    REQUIRE(ran.exitCode == 0);
    CHECK(std::system("sh -n measure.sh") == 0);
    CHECK(runScript("measure.sh") == 0);
    CHECK(readBytes("mlp.arm64-v8a.log") == recordedDeviceLog);
    CHECK(fs::is_directory("mlp.arm64-v8a.results"));
    CHECK_FALSE(fs::exists("mlp.arm64-v8a.log.part"));
    CHECK(Device::isClean());
    const std::string told = readBytes("told");
    for (const char* word :
         {"taskset f0", "--num_threads=2", "--max_num_runs=3", "--input_layer=input:0",
          "--input_layer_type=float", "--output_layer=output:0", "--run_order_limit=0"}) {
        INFO(word);
        CHECK(told.find(word) != std::string::npos);
    }
}

TEST_CASE("names with blanks, quotes, dollars and line breaks arrive as they are", "[device]")
{
    for (const char* name : {"a model.pb", "it's.pb", "$HOME `x`.pb", "two\nlines.pb", "\"q\".pb",
                             "-rf.pb", "back\\slash.pb", "*.pb", "ü.pb"}) {
        INFO(name);
        const WorkingFolder work;
        const Device device("");
        fs::rename("mlp.pb", name);
        const std::string model = name[0] == '-' ? std::string("./") + name : name;
        const Ran ran = runProgram(callFor(model, {"-o", "measure.sh"}));
        REQUIRE(ran.exitCode == 0);
        CHECK(std::system("sh -n measure.sh") == 0);
        CHECK(runScript("measure.sh") == 0);
        CHECK(Device::isClean());
        const std::string stem = fs::path(name).stem().string();
        CHECK(fs::exists("./" + stem + ".arm64-v8a.log"));
        const Ran itself = runProgram(callFor(model, {"--run"}));
        INFO(itself.err);
        CHECK(itself.exitCode == 0);
        CHECK(Device::isClean());
    }
}

TEST_CASE("the device's shell reads the words that were meant", "[device]")
{
    for (const char* word : {"plain", "", "two words", "it's", "$HOME", "`date`", "a\nb", "\"",
                             "\\", "*", "~", "#", "=x", ";", "!", "ü", "'"}) {
        INFO(word);
        const WorkingFolder work;
        // The word is quoted twice: for this shell and for the device's.
        const std::string inner = "printf %s " + shellWord(word) + " > out";
        REQUIRE(std::system(("sh -c " + shellWord(inner)).c_str()) == 0);
        CHECK(readBytes("out") == word);
    }
}

TEST_CASE("each failure is one sentence and leaves nothing half done", "[device]")
{
    constexpr std::array<std::array<const char*, 2>, 5> failures{
        {{"nodevice", "no device is connected"},
         {"unauthorized", "does not trust this computer"},
         {"push", "No space left on device"},
         {"crash", "benchmark_model crashed on the device (signal 11)"},
         {"unplugged", "the device was unplugged"}}};
    for (const auto& [fails, says] : failures) {
        INFO(fails);
        const WorkingFolder work;
        const Device device(fails);
        const Ran ran = runProgram(callFor("mlp.pb", {"--run"}));
        CHECK(ran.exitCode == 3);
        CHECK(ran.out.empty());
        CHECK(ran.err.find(says) != std::string::npos);
        const std::size_t complaint = ran.err.find("lapidary: ");
        REQUIRE(complaint != std::string::npos);
        CHECK(ran.err.find('\n', complaint) == ran.err.size() - 1);
        CHECK(Device::isClean());
        for (const char* file : {"mlp.arm64-v8a.log", "mlp.arm64-v8a.results",
                                 "mlp.arm64-v8a.results.part", "mlp.arm64-v8a.log.part"})
            CHECK_FALSE(fs::exists(file));
        // The script stops at a failure as well, and removes its files.
        REQUIRE(runProgram(callFor("mlp.pb", {"-o", "measure.sh"})).exitCode == 0);
        CHECK(runScript("measure.sh") != 0);
        CHECK(Device::isClean());
        CHECK_FALSE(fs::exists("mlp.arm64-v8a.log"));
        CHECK_FALSE(fs::exists("mlp.arm64-v8a.log.part"));
    }
}

TEST_CASE("without adb it says so", "[device]")
{
    const WorkingFolder work;
    const Device device("");
    fs::remove("bin/adb");
    setenv("PATH", fs::current_path().c_str(), 1);
    const Ran ran = runProgram(callFor("mlp.pb", {"--run"}));
    CHECK(ran.exitCode == 3);
    CHECK(ran.err.find("there is no adb on PATH") != std::string::npos);
}

TEST_CASE("recorded logs lie over their graphs: every node matched, totals equal", "[device]")
{
    if (!present("goldens/profiles"))
        return;
    int logs = 0;
    for (const json& recorded : loadCases(dataRoot() / "goldens/profiles/logs.jsonl")) {
        if (!recorded.contains("log"))
            continue;
        const fs::path log = dataRoot() / recorded["log"].get<std::string>();
        const fs::path graph = dataRoot() / recorded["graph_file"].get<std::string>();
        const auto read = readBenchmarkLog(readBytes(log));
        if (!fs::exists(graph) || !read || read->nodes.empty())
            continue;
        INFO(recorded["name"]);
        const Ran ran =
            runProgram({"lapidary", "device", graph.string(), "--log", log.string(), "--json"});
        REQUIRE(ran.exitCode == 0);
        const json answer = json::parse(ran.out);
        double total = 0;
        for (const LoggedNode& node : read->nodes)
            total += node.averageMs * double(std::max<std::int64_t>(node.calls, 1));
        CHECK(std::abs(answer["there_ms"].get<double>() - total) <= 1e-6 * (1 + total));
        double matched = 0;
        for (const json& node : answer["nodes"])
            matched += node["there_ms"].get<double>();
        CHECK(std::abs(answer["matched_ms"].get<double>() - matched) <= 1e-6 * (1 + total));
        CHECK(answer["nodes"].size() + answer["not_in_graph"].size() == read->nodes.size());
        // The only nodes that are not in the graph are those that TensorFlow's optimizer adds
        // before a run.
        const auto model = readModel(graph, Job());
        REQUIRE(model.ok());
        for (const json& name : answer["not_in_graph"]) {
            INFO(name);
            CHECK_FALSE(model->graphs.front().graph->find(name.get<std::string>()).isValid());
        }
        ++logs;
    }
    CHECK(logs >= 14);
}

TEST_CASE("a log is held against a profile of this machine", "[device]")
{
    if (!present("goldens/profiles"))
        return;
    const fs::path folder = dataRoot() / "goldens/profiles";
    const std::string log = (folder / "logs/mlp_default.log").string();
    const Ran ran = runProgram({"lapidary", "device", (folder / "graphs/mlp.pb").string(), "--log",
                                "-", "--beside", log, "--json"},
                               readBytes(log));
    REQUIRE(ran.exitCode == 0);
    const json answer = json::parse(ran.out);
    CHECK(std::abs(answer["here_ms"].get<double>() - answer["there_ms"].get<double>()) < 1e-9);
    for (const json& node : answer["nodes"])
        if (node["slowness"].is_number())
            CHECK(std::abs(node["slowness"].get<double>() - 1) < 1e-6);
}

} // namespace lapidary::goldens
