// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_registry.h"
#include "graph_model/read/model_file.h"
#include "runner/profile/node_profile.h"
#include "runner/profile/run_profile.h"
#include "runner/profile/time_groups.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/runner/kernels/one_node.h"

#include <chrono>
#include <numeric>
#include <string>

namespace lapidary {
namespace {

// y = x + 1, repeated until it is at least 100.
const char* const loop = R"(x = Placeholder()
    one = Placeholder()
    limit = Placeholder()
    while/e = Enter(x)
    while/s/one = Enter(one)
    while/s/limit = Enter(limit)
    while/m = Merge(while/e, while/n)
    while/s/less = Less(while/m, while/s/limit)
    while/l = LoopCond(while/s/less)
    while/sw = Switch(while/m, while/l)
    while/add = Add(while/sw:1, while/s/one)
    while/n = NextIteration(while/add)
    y = Exit(while/sw:0))";

// One of two branches, chosen by `p`.
const char* const branches = R"(x = Placeholder()
    p = Placeholder()
    a/b/s = Switch(x, p)
    a/b/no = Relu(a/b/s:0)
    a/c/yes = Exp(a/b/s:1)
    y = Merge(a/b/no, a/c/yes))";

const char* const functions = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "net/first" op: "Twice" input: "x" }
node { name: "net/second" op: "Twice" input: "net/first" }
node { name: "y" op: "Relu" input: "net/second" attr { key: "T" value { type: DT_FLOAT } } }
library {
  function {
    signature { name: "Twice" input_arg { name: "n" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "in/a" op: "Once" input: "n" }
    node_def { name: "in/b" op: "Once" input: "in/a:y:0" }
    ret { key: "y" value: "in/b:y:0" }
  }
  function {
    signature { name: "Once" input_arg { name: "n" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "neg" op: "Neg" input: "n" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "neg:y:0" }
  }
}
versions { producer: 134 }
)";

const char* const convolution = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "net/w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5
    tensor_shape { dim { size: 3 } dim { size: 3 } dim { size: 2 } dim { size: 8 } } } } } }
node { name: "net/bias" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5
    tensor_shape { dim { size: 8 } } } } } }
node { name: "net/conv" op: "Conv2D" input: "x" input: "net/w"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "padding" value { s: "SAME" } }
  attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } }
node { name: "net/biased" op: "BiasAdd" input: "net/conv" input: "net/bias"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "net/biased" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

GraphPtr read(const char* text)
{
    auto model = readModelBytes(text, "profile.pbtxt", Job());
    REQUIRE(model.ok());
    REQUIRE_FALSE(model->isRefused());
    return model->graphs.front().graph;
}

// The invariants of the loop are available in every iteration.
GraphPtr loopGraph()
{
    const GraphPtr plain = typed(graph(loop));
    Graph::Parts parts;
    for (const NodePtr& node : plain->nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        if (draft.op == "Enter") {
            draft.setAttr("frame_name", attr::fromString("while"));
            draft.setAttr("is_constant", attr::fromBool(draft.name != "while/e"));
        }
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

using Feeds = std::vector<std::pair<std::string, Value>>;

void measure(RunProfile& profile, Session& session, const Feeds& feeds)
{
    profile.begin();
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = session.run({.feeds = feeds, .fetches = {"y"}}, Job(), profile.observer());
    const auto time = std::chrono::steady_clock::now() - begin;
    INFO((answer ? "" : answer.error().message));
    REQUIRE(answer.ok());
    profile.end(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

// Runs each of `feeds`, one after the other.
RunProfile measured(const GraphPtr& graph, const std::vector<Feeds>& feeds, bool fuse = false)
{
    RunProfile profile(graph);
    Session session(graph, {.fuse = fuse});
    for (const Feeds& run : feeds)
        measure(profile, session, run);
    return profile;
}

std::int64_t nanosecondsOf(const std::vector<TimeGroup>& groups)
{
    return std::accumulate(
        groups.begin(), groups.end(), std::int64_t(0),
        [](std::int64_t sum, const TimeGroup& group) { return sum + group.nanoseconds; });
}

bool isInScope(const std::string& node, const std::string& scope)
{
    return node.starts_with(scope + '/');
}

void expectExactSums(const RunProfile& profile)
{
    std::int64_t nodes = 0;
    std::vector<std::int64_t> executor = profile.executorRuns();
    REQUIRE(executor.size() == profile.runs().size());
    for (const auto& [key, node] : profile.nodes()) {
        INFO(node.name);
        CHECK(node.nanoseconds >= 0);
        CHECK(std::accumulate(node.perRun.begin(), node.perRun.end(), std::int64_t(0)) ==
              node.nanoseconds);
        nodes += node.nanoseconds;
    }
    CHECK(std::ranges::all_of(executor, [](std::int64_t rest) { return rest >= 0; }));
    const auto sumOf = [](const std::vector<std::int64_t>& all) {
        return std::accumulate(all.begin(), all.end(), std::int64_t(0));
    };
    CHECK(nodes + profile.executorNanoseconds() == profile.totalNanoseconds());
    CHECK(sumOf(executor) == profile.executorNanoseconds());
    CHECK(sumOf(profile.runs()) == profile.totalNanoseconds());
    CHECK(nanosecondsOf(groupTimes(profile, GroupBy::Op)) == nodes);
    CHECK(nanosecondsOf(groupTimes(profile, GroupBy::Family)) == nodes);
    for (const TimeGroup& scope : groupTimes(profile, GroupBy::Scope)) {
        std::int64_t within = 0;
        for (const auto& [key, node] : profile.nodes())
            within += isInScope(node.name, scope.name) ? node.nanoseconds : 0;
        INFO(scope.name);
        CHECK(scope.nanoseconds == within);
    }
}

// Returns an empty group if there is none of that name.
TimeGroup groupOf(const RunProfile& profile, GroupBy by, std::string_view name)
{
    for (const TimeGroup& group : groupTimes(profile, by))
        if (group.name == name)
            return group;
    return {};
}

std::int64_t callsOf(const RunProfile& profile, std::string_view name)
{
    for (const auto& [key, node] : profile.nodes())
        if (node.name == name)
            return node.calls;
    return 0;
}

} // namespace

TEST_CASE("nodes, executor and groups of a loop are the runs' total", "[profile]")
{
    const Feeds feeds{{"x", scalarOf(0.0F)}, {"one", scalarOf(1.0F)}, {"limit", scalarOf(100.0F)}};
    const RunProfile profile = measured(loopGraph(), {feeds, feeds, feeds});
    expectExactSums(profile);
    CHECK(callsOf(profile, "while/add") == 300);
    CHECK(callsOf(profile, "while/s/less") == 303);
    CHECK(groupOf(profile, GroupBy::Scope, "while/s").nodes == 3);
    CHECK(groupOf(profile, GroupBy::Scope, "while").nodes == 9);
    CHECK(groupOf(profile, GroupBy::Op, "Add").calls == 300);
    CHECK(groupOf(profile, GroupBy::Family, opFamilyName(opFamily("Less"))).calls >= 303);
}

TEST_CASE("the newest run is told execution by execution", "[profile]")
{
    const Feeds feeds{{"x", scalarOf(0.0F)}, {"one", scalarOf(1.0F)}, {"limit", scalarOf(100.0F)}};
    const NodeProfile profile = nodeProfile(measured(loopGraph(), {feeds, feeds}));
    CHECK(profile.lanes.size() == 1);
    REQUIRE_FALSE(profile.slices.empty());
    CHECK(profile.slices.front().startNanoseconds == 0);
    CHECK(std::ranges::is_sorted(profile.slices, {}, &ProfiledSlice::startNanoseconds));
    const auto additions = std::ranges::count_if(profile.slices, [&](const ProfiledSlice& slice) {
        return profile.nodes[slice.row].name == "while/add";
    });
    CHECK(additions == 100); // of one run
}

TEST_CASE("the threads of a trace are its lanes", "[profile]")
{
    StepRecords step;
    step.devices.push_back(
        {"CPU:0",
         {{.node = "a", .label = "a = Relu(x)", .startMicros = 5, .micros = 2},
          {.node = "b", .label = "b = Neg(x)", .startMicros = 6, .micros = 3, .thread = 7},
          {.node = "odd",
           .label = "odd = Neg(x)",
           .startMicros = INT64_MAX,
           .micros = INT64_MAX}}});
    const NodeProfile profile = nodeProfile(step, "a test");
    CHECK(profile.lanes == std::vector<std::string>{"CPU:0 thread 0", "CPU:0 thread 7"});
    REQUIRE(profile.slices.size() == 2); // the time of the third one is unknown
    CHECK(profile.slices[1].startNanoseconds == 1000);
    CHECK(profile.slices[1].nanoseconds == 3000);
    CHECK(profile.slices[1].lane == 1);
}

TEST_CASE("a node that runs in some runs only leaves the others' sums right", "[profile]")
{
    const Value x = valueOf<float>({1000}, {0.5F});
    const auto turn = [&](bool p) { return Feeds{{"x", x}, {"p", scalarOf(p)}}; };
    const RunProfile profile = measured(
        typed(graph(branches)), {turn(true), turn(false), turn(false), turn(true), turn(true)});
    expectExactSums(profile);
    CHECK(callsOf(profile, "a/c/yes") == 3);
    CHECK(callsOf(profile, "a/b/no") == 2);
}

TEST_CASE("nodes of functions and their callers are counted once", "[profile]")
{
    const Feeds feeds{{"x", rampOf<float>({127}, -1)}};
    const RunProfile profile = measured(read(functions), {feeds, feeds});
    expectExactSums(profile);
    CHECK(callsOf(profile, "net/first") == 2);
    CHECK(callsOf(profile, "Twice/in/a") == 4);
    CHECK(callsOf(profile, "Once/neg") == 8);
    CHECK(groupOf(profile, GroupBy::Op, "Twice").calls == 4);
    for (const auto& type : profile.statistics().types())
        if (type.type == "Twice")
            CHECK(type.calls == 2); // in a run
}

TEST_CASE("a fused convolution's time is shared without a rest", "[profile]")
{
    const GraphPtr graph = read(convolution);
    const Feeds feeds{{"x", rampOf<float>({1, 13, 15, 2}, -1, 0.01)}};
    for (const bool fuse : {false, true}) {
        const RunProfile profile = measured(graph, {feeds, feeds, feeds}, fuse);
        expectExactSums(profile);
        CHECK(callsOf(profile, "net/conv") == 3);
        CHECK(callsOf(profile, "net/biased") == 3);
        CHECK(callsOf(profile, "y") == 3);
    }
}

TEST_CASE("FLOPs of groups are the sums of what is counted", "[profile]")
{
    const bool fuse = GENERATE(false, true); // only the last of the fused nodes has sizes
    const RunProfile profile =
        measured(read(convolution), {Feeds{{"x", rampOf<float>({1, 13, 15, 2})}}}, fuse);
    const std::int64_t expected = std::int64_t(13) * 15 * 8 * 3 * 3 * 2 * 2;
    CHECK(profile.totalFlops() == expected);
    CHECK(groupOf(profile, GroupBy::Op, "Conv2D").flops == expected);
    CHECK(groupOf(profile, GroupBy::Scope, "net").flops == expected);
    CHECK_FALSE(groupOf(profile, GroupBy::Op, "BiasAdd").flops);
}

} // namespace lapidary
