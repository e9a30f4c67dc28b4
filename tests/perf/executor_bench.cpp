// SPDX-License-Identifier: Apache-2.0
// The cost of the executor itself: a graph of 1,000 scalar additions, and a while loop of 10,000
// turns.
//   executor_bench [runs]
#include "runner/execute/session.h"
#include "tests/perf/figures.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace lapidary {
namespace {

NodePtr node(const std::string& name, const std::string& op, std::vector<std::string> inputs,
             const std::vector<std::pair<std::string, std::string>>& attrs = {})
{
    NodeDraft draft;
    draft.name = name;
    draft.op = op;
    draft.inputs = std::move(inputs);
    for (const auto& [key, value] : attrs)
        draft.setAttr(key, value);
    return draft.finish();
}

NodePtr typed(const std::string& name, const std::string& op, std::vector<std::string> inputs,
              DType dtype)
{
    return node(name, op, std::move(inputs), {{"T", attr::fromType(dtype)}});
}

NodePtr enter(const std::string& name, const std::string& input, DType dtype, bool isConstant)
{
    return node(name, "Enter", {input},
                {{"T", attr::fromType(dtype)},
                 {"frame_name", attr::fromString("loop")},
                 {"is_constant", attr::fromBool(isConstant)}});
}

NodePtr placeholder(const std::string& name)
{
    return node(name, "Placeholder", {}, {{"dtype", attr::fromType(DType::Float)}});
}

GraphPtr chain(int length)
{
    Graph::Parts parts;
    parts.nodes = {placeholder("x"), placeholder("step")};
    std::string last = "x";
    for (int i = 0; i < length; ++i) {
        const std::string name = "add" + std::to_string(i);
        parts.nodes.push_back(typed(name, "AddV2", {last, "step"}, DType::Float));
        last = name;
    }
    parts.nodes.push_back(typed("y", "Identity", {last}, DType::Float));
    return Graph::make(std::move(parts));
}

// while (x < limit) x += step;
GraphPtr loop()
{
    const DType f = DType::Float;
    Graph::Parts parts;
    parts.nodes = {placeholder("x"),
                   placeholder("step"),
                   placeholder("limit"),
                   enter("enter", "x", f, false),
                   enter("enter_step", "step", f, true),
                   enter("enter_limit", "limit", f, true),
                   node("merge", "Merge", {"enter", "next"},
                        {{"T", attr::fromType(f)}, {"N", attr::fromInt(2)}}),
                   typed("less", "Less", {"merge", "enter_limit"}, f),
                   node("cond", "LoopCond", {"less"}),
                   typed("switch", "Switch", {"merge", "cond"}, f),
                   typed("add", "AddV2", {"switch:1", "enter_step"}, f),
                   typed("next", "NextIteration", {"add"}, f),
                   typed("y", "Exit", {"switch"}, f)};
    return Graph::make(std::move(parts));
}

Value scalar(float number, MemoryPool& pool)
{
    Value value = Value::make(DType::Float, {}, pool).value();
    value.mutableAs<float>()[0] = number;
    return value;
}

void measure(const char* what, const GraphPtr& graph, const std::vector<std::string>& feeds,
             float limit, int count, int runs)
{
    Session session(graph, {});
    RunRequest request;
    request.fetches = {"y"};
    for (const std::string& name : feeds)
        request.feeds.emplace_back(name, scalar(name == "limit"  ? limit
                                                : name == "step" ? 1.0F
                                                                 : 0.0F,
                                                session.pool()));
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const auto y = session.run(request, Job());
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - begin;
        if (!y || y.value()[0].as<float>()[0] != float(count)) {
            std::printf("%s: %s\n", what, y ? "wrong result" : y.error().message.c_str());
            return;
        }
        times.push_back(took.count());
    }
    std::ranges::sort(times);
    const double least = times.front();
    const double median = times[times.size() / 2];
    std::printf("%-28s median %9.1f us, minimum %9.1f us; %6.3f us (%6.3f us) each\n", what, median,
                least, median / count, least / count);
    testing::recordFigure(what, least / 1e3);
}

} // namespace
} // namespace lapidary

int main(int argc, char** argv)
{
    using namespace lapidary;
    const int runs = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 200;
    measure("1,000 scalar additions", chain(1000), {"x", "step"}, 0, 1000, runs);
    measure("a loop of 10,000 turns", loop(), {"x", "step", "limit"}, 10000, 10000,
            std::max(runs / 10, 1));
    return 0;
}
