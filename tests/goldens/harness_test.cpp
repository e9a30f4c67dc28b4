// SPDX-License-Identifier: Apache-2.0
// The harness itself: plants every kind of gap in a small set of recordings, and expects that it is
// found.
#include "graph_model/base/base64.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/goldens/graph_digest.h"
#include "tests/goldens/run_cases.h"
#include "tests/goldens/transform_cases.h"
#include "tests/graph_testing.h"

#include <algorithm>
#include <cstdlib>

#include <sys/wait.h>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Sets an environment variable while the object lives.
class Variable {
public:
    Variable(const char* name, const std::string& value)
        : m_name(name)
    {
        const char* const before = std::getenv(name);
        m_wasSet = before != nullptr;
        m_before = m_wasSet ? before : "";
        setenv(name, value.c_str(), 1);
    }
    ~Variable() { m_wasSet ? setenv(m_name, m_before.c_str(), 1) : unsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    bool m_wasSet = false;
    std::string m_before;
};

// Recordings and tables of one test.
class Planted {
public:
    Planted()
        : m_root("LAPIDARY_SHARED", m_folder.path().string())
        , m_tables("LAPIDARY_GOLDEN_TABLES", m_folder.path().string())
    {
        for (const char* table :
             {"differences.tsv", "unproven.tsv", "equal.tsv", "elements.tsv", "reasons.tsv"})
            write(table, "");
        write("recordings.tsv", "goldens/transforms\t2\t2\t0\t0\n");
    }

    void write(const std::string& file, const std::string& text) const
    {
        writeBytes(m_folder.path() / file, text);
    }
    void writeCases(const std::string& file, const std::vector<json>& cases) const
    {
        std::string lines;
        for (const json& one : cases)
            lines += one.dump() + "\n";
        write(file, lines);
    }
    const fs::path& path() const { return m_folder.path(); }

private:
    WorkingFolder m_folder;
    Variable m_root;
    Variable m_tables;
};

json encoded(const GraphPtr& graph)
{
    return encodedBase64(encodeGraphDef(*graph));
}

GraphPtr sample()
{
    return typed(graph("x = Placeholder()\n i = Identity(x)\n n = Neg(i)\n y = Relu(n)"));
}

// The recorded result of remove_nodes: without the Identity.
json recordedCase(const std::string& name)
{
    const GraphPtr after = typed(graph("x = Placeholder()\n n = Neg(x)\n y = Relu(n)"));
    return {{"name", name},
            {"graph", encoded(sample())},
            {"inputs", {"x"}},
            {"outputs", {"y"}},
            {"transforms", "remove_nodes(op=Identity)"},
            {"status", "ok"},
            {"result", encoded(after)}};
}

json floats(const std::vector<float>& numbers)
{
    const std::string bytes(reinterpret_cast<const char*>(numbers.data()),
                            numbers.size() * sizeof(float));
    return {{"dtype", "float"}, {"shape", {numbers.size()}}, {"data", encodedBase64(bytes)}};
}

json checkOf(const std::vector<float>& before, const std::vector<float>& after, bool same)
{
    return {{"feeds", {{"x:0", floats({1, -2})}}},
            {"fetches", {"y:0"}},
            {"before", {floats(before)}},
            {"after", {floats(after)}},
            {"tol", {{"abs", 1e-5}, {"rel", 1e-4}}},
            {"same", same}};
}

// The recorded result lacks the Neg, too; ours differs from it.
json differingCase(const std::string& name, const std::vector<float>& before)
{
    json made = recordedCase(name);
    made["result"] = encoded(typed(graph("x = Placeholder()\n y = Relu(x)")));
    made["check"] = checkOf(before, before, true);
    return made;
}

const std::string file = "goldens/transforms/a.jsonl";

std::vector<std::string> failuresOf(const Planted& planted, const std::vector<json>& cases,
                                    const RecipeRunner& runner = ownRunner())
{
    planted.writeCases(file, cases);
    Tally tally("transforms");
    runTransformCases("transforms", runner, tally);
    return tally.failures();
}

bool says(const std::vector<std::string>& failures, const std::string& words)
{
    return std::ranges::any_of(failures, [&](const std::string& failure) {
        return failure.find(words) != std::string::npos;
    });
}

TEST_CASE("harness: what holds, holds", "[harness]")
{
    const Planted planted;
    json withNumbers = recordedCase("numbers");
    withNumbers["check"] = checkOf({0, 2}, {0, 2}, true);
    CHECK(failuresOf(planted, {recordedCase("plain"), withNumbers}).empty());
}

TEST_CASE("harness: a deleted file, a lost case and an emptied folder are found", "[harness]")
{
    const Planted planted;
    planted.writeCases(file, {recordedCase("a")});
    planted.writeCases("goldens/transforms/b.jsonl", {recordedCase("b")});
    CHECK(missingRecordings("goldens/transforms").empty());
    planted.writeCases("goldens/transforms/b.jsonl", {});
    CHECK(missingRecordings("goldens/transforms").find("1 cases, not 2") != std::string::npos);
    fs::remove(planted.path() / "goldens/transforms/b.jsonl");
    CHECK(missingRecordings("goldens/transforms").find("1 files, not 2") != std::string::npos);
    fs::remove_all(planted.path() / "goldens/transforms");
    CHECK(missingRecordings("goldens/transforms").find("0 files, not 2") != std::string::npos);
    fs::create_directories(planted.path() / "goldens/transforms");
    CHECK_FALSE(missingRecordings("goldens/transforms").empty());
    CHECK(says(Tally("transforms").failures(), "no case was read"));
}

TEST_CASE("harness: a recording with nothing to compare is found", "[harness]")
{
    const Planted planted;
    json empty = recordedCase("empty");
    empty.erase("result");
    CHECK(says(failuresOf(planted, {empty}), "nothing to compare with"));

    json run = {{"name", "run"},
                {"graph", encoded(sample())},
                {"feeds", {{"x:0", floats({1})}}},
                {"fetches", {"y:0"}}};
    planted.writeCases("goldens/ops/a.jsonl", {run});
    Tally tally("ops");
    runCaseFile(planted.path() / "goldens/ops/a.jsonl", tally);
    CHECK(says(tally.failures(), "nothing to compare with"));
}

TEST_CASE("harness: a wrong digest is found", "[harness]")
{
    const Planted planted;
    const GraphDigest digest =
        digestOf(*typed(graph("x = Placeholder()\n n = Neg(x)\n y = Relu(n)")));
    json large = recordedCase("large");
    large.erase("result");
    large["result_digest"] = {{"nodes", digest.nodes},
                              {"ops", digest.ops},
                              {"sha256_of_sorted_nodedefs_without_tensor_content", digest.hash}};
    CHECK(failuresOf(planted, {large}).empty());
    json wrong = large;
    std::string hash = digest.hash;
    hash[0] = hash[0] == '0' ? '1' : '0';
    wrong["result_digest"]["sha256_of_sorted_nodedefs_without_tensor_content"] = hash;
    CHECK(says(failuresOf(planted, {wrong}), "but they are others"));
    wrong = large;
    wrong["result_digest"]["ops"]["Relu"] = 2;
    CHECK(says(failuresOf(planted, {wrong}), "1 Relu, recorded 2"));
}

TEST_CASE("harness: a broken pass is found", "[harness]")
{
    const Planted planted;
    const RecipeRunner broken = [](const GraphPtr& before, const Recipe& recipe, const auto& inputs,
                                   const auto& outputs) {
        RecipeRun run = ownRunner()(before, recipe, inputs, outputs);
        std::vector<NodePtr> nodes(run.states.back().edit.graph->nodes().begin(),
                                   run.states.back().edit.graph->nodes().end());
        nodes.pop_back();
        run.states.back().edit.graph = Graph::make({.nodes = std::move(nodes)});
        return run;
    };
    CHECK(says(failuresOf(planted, {recordedCase("a")}, broken), "a/a: "));
    planted.write("differences.tsv", "transforms\ta/*\tany of them may differ\n");
    CHECK(says(failuresOf(planted, {recordedCase("a")}, broken), "not proven"));
}

TEST_CASE("harness: attributes that begin with _, versions and the library are compared",
          "[harness]")
{
    const Planted planted;
    json other = recordedCase("other");
    const GraphPtr after = typed(graph("x = Placeholder()\n n = Neg(x)\n y = Relu(n)"));
    Graph::Parts parts;
    for (const NodePtr& node : after->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        if (draft.op == "Neg")
            draft.setAttr("_class", attr::fromString("loc:@x"));
        parts.nodes.push_back(draft.finish());
    }
    other["result"] = encoded(Graph::make(std::move(parts)));
    CHECK(says(failuresOf(planted, {other}), "_class"));

    Graph::Parts versioned{.nodes = {after->nodes().begin(), after->nodes().end()}};
    versioned.versions = {.producer = 27, .present = true};
    other["result"] = encoded(Graph::make(std::move(versioned)));
    CHECK(says(failuresOf(planted, {other}), "versions"));
}

TEST_CASE("harness: a difference on purpose that is not proven is found", "[harness]")
{
    const Planted planted;
    planted.write("differences.tsv", "transforms\ta/d\tthe Neg is kept\n");
    CHECK(failuresOf(planted, {differingCase("d", {0, 2})}).empty());
    CHECK(says(failuresOf(planted, {differingCase("d", {1, 2})}), "not proven"));
    // A kind needs a proof as well.
    planted.write("differences.tsv", "transforms\ta/*\tthe Neg is kept\n");
    CHECK(failuresOf(planted, {differingCase("d", {0, 2})}).empty());
    CHECK(says(failuresOf(planted, {differingCase("d", {1, 2})}), "not proven"));
    // A table may say why there is none.
    planted.write("unproven.tsv", "transforms\ta/d\tcoarse codes\n");
    CHECK(failuresOf(planted, {differingCase("d", {1, 2})}).empty());
    // Without recorded numbers, both graphs are run here.
    planted.write("unproven.tsv", "");
    json unrecorded = differingCase("d", {});
    unrecorded.erase("check");
    CHECK(failuresOf(planted, {unrecorded}).empty());
}

TEST_CASE("harness: rows of tables that nothing needs are found", "[harness]")
{
    const Planted planted;
    for (const char* table : {"differences.tsv", "unproven.tsv", "equal.tsv"}) {
        for (const char* row : {"a/gone", "b/*", "a/holds"}) {
            INFO(table << " " << row);
            planted.write(table, std::string("transforms\t") + row + "\ta reason\n");
            CHECK_FALSE(failuresOf(planted, {recordedCase("holds")}).empty());
        }
        planted.write(table, "");
    }
    planted.write("differences.tsv", "transforms\ta/d\tthe Neg is kept\n");
    planted.write("unproven.tsv", "transforms\ta/d\tcoarse codes\n");
    CHECK(says(failuresOf(planted, {differingCase("d", {0, 2})}), "unproven.tsv names it"));
}

TEST_CASE("harness: equal to a recording that is wrong itself is found", "[harness]")
{
    const Planted planted;
    json wrong = recordedCase("w");
    wrong["check"] = checkOf({0, 2}, {7, 7}, false);
    CHECK(says(failuresOf(planted, {wrong}), "equal.tsv has to say"));
    json broken = recordedCase("w");
    broken["after_error"] = {{"code", "Internal"}, {"message", "does not run"}};
    CHECK(says(failuresOf(planted, {broken}), "equal.tsv has to say"));
    planted.write("equal.tsv", "transforms\ta/w\tthe user asked for it\n");
    CHECK(failuresOf(planted, {wrong}).empty());
    CHECK(failuresOf(planted, {broken}).empty());
}

// Runs the tests in another process, on a folder without recordings.
int exitOf(const std::string& tag, const fs::path& root)
{
    const std::string command = "LAPIDARY_SHARED='" + root.string() + "' '" +
                                fs::read_symlink("/proc/self/exe").string() + "' '" + tag +
                                "' > /dev/null 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("harness: no test passes without its recordings", "[harness]")
{
    const WorkingFolder empty;
    for (const char* tag : {"ops",
                            "flow",
                            "quantised",
                            "transforms",
                            "recipes",
                            "runs",
                            "measured_shapes",
                            "shapes",
                            "profiles",
                            "benchmark_calls",
                            "freeze",
                            "formats",
                            "faults",
                            "models",
                            "interface",
                            "labeled_edges",
                            "label_image",
                            "summaries",
                            "transform_graph_cli",
                            "compare_graphs",
                            "promises",
                            "mutations"}) {
        INFO(tag);
        CHECK(exitOf(std::string("[") + tag + "]", empty.path()) != 0);
    }
}

} // namespace
} // namespace lapidary::goldens
