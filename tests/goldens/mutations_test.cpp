// SPDX-License-Identifier: Apache-2.0
// Recorded cases with one change: another shape, no elements, extreme numbers, another type,
// another attribute. The result is not checked, but the run must return without a crash, and with a
// message if it fails.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/goldens/run_cases.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

constexpr std::uint64_t memoryLimit = std::uint64_t(64) << 20;

class Dice {
public:
    std::size_t below(std::size_t bound)
    {
        m_state = m_state * 6364136223846793005U + 1442695040888963407U;
        return std::size_t(m_state >> 33) % std::max<std::size_t>(bound, 1);
    }

private:
    std::uint64_t m_state = 9;
};

constexpr std::int64_t extremes[] = {0,         1,         -1,        2,         127,
                                     INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1 << 24};

// Integers get the neighbors of their limits as well; other types get NaN, infinity or large
// numbers.
void setExtreme(Value& value, Dice& dice)
{
    if (value.elements() == 0 || value.dtype() == DType::String || value.dtype() == DType::Bool)
        return;
    const std::size_t size = dtypeSize(value.dtype());
    const std::int64_t number = extremes[dice.below(std::size(extremes))];
    const std::size_t at = dice.below(std::size_t(value.elements()));
    if (value.dtype() == DType::Float && dice.below(2) == 0)
        value.mutableAs<float>()[at] = std::numeric_limits<float>::quiet_NaN();
    else
        std::memcpy(value.mutableAs<char>().data() + at * size, &number,
                    std::min(size, sizeof number));
}

Value changed(Value value, Dice& dice, MemoryPool& pool)
{
    const std::int64_t count = value.elements();
    switch (dice.below(6)) {
    case 0: return value.reshaped({count});
    case 1: return value.reshaped({1, count});
    case 2: {
        Dims dims = value.dims();
        std::ranges::reverse(dims);
        return value.reshaped(dims);
    }
    case 3: {
        Dims dims = value.dims();
        if (dims.empty())
            dims.push_back(0);
        dims[dice.below(dims.size())] = 0;
        auto empty = Value::make(value.dtype(), dims, pool);
        return empty ? empty.value() : value;
    }
    default: setExtreme(value, dice); return value;
    }
}

// Sets one attribute of one node to another number.
GraphPtr withOtherAttr(const GraphPtr& graph, Dice& dice)
{
    Graph::Parts parts;
    const std::size_t chosen = dice.below(graph->size());
    for (std::size_t i = 0; i < graph->size(); ++i) {
        NodeDraft draft = NodeDraft::of(*graph->nodes()[i]);
        const auto attrs = graph->nodes()[i]->attrs();
        if (i == chosen && !attrs.empty()) {
            const Attr& attr = attrs[dice.below(attrs.size())];
            const std::int64_t number = extremes[dice.below(std::size(extremes))];
            if (attr.value.asInt())
                draft.setAttr(attr.name, attr::fromInt(number));
            else if (attr.value.asFloat())
                draft.setAttr(attr.name, attr::fromFloat(float(number) * 1e30F));
            else if (attr.value.asBool())
                draft.setAttr(attr.name, attr::fromBool(!*attr.value.asBool()));
            else if (attr.value.asShape())
                draft.setAttr(attr.name, attr::fromShape({{number, 3}, false}));
            else if (std::vector<std::int64_t> ints = attr.value.ints(); !ints.empty()) {
                ints[dice.below(ints.size())] = number;
                draft.setAttr(attr.name, attr::fromInts(ints));
            }
        }
        parts.nodes.push_back(draft.finish());
    }
    parts.functions = graph->sharedFunctions();
    return Graph::make(std::move(parts));
}

void runChanged(const GraphPtr& graph, const json& step, std::size_t feed, Dice& dice)
{
    Session session(graph, {.memoryLimit = memoryLimit, .maxNodeRuns = 20000});
    RunRequest request;
    const json feeds = step.value("feeds", json::object());
    std::size_t number = 0;
    for (const auto& [name, tensor] : feeds.items()) {
        auto value = decodeTensor(tensor, session.pool());
        if (!value)
            return;
        request.feeds.emplace_back(name, number++ == feed ? changed(*value, dice, session.pool())
                                                          : *value);
    }
    request.fetches = step.value("fetches", std::vector<std::string>());
    request.targets = step.value("targets", std::vector<std::string>());
    const auto answer = session.run(request, Job());
    CHECK((answer.ok() || !answer.error().message.empty()));
    if (answer)
        return;
    INFO(answer.error().message);
    CHECK(answer.error().code != ErrorCode::Internal);
}

void changeCase(const json& testCase, Dice& dice)
{
    const std::string bytes = decodeBase64(testCase.value("graph", ""));
    const auto model = readModelBytes(bytes, "case", Job());
    if (bytes.empty() || !model || model.value().isRefused() || model.value().graphs.empty())
        return;
    const GraphPtr graph = model.value().graphs.front().graph;
    const json steps = testCase.value("steps", json::array({testCase}));
    const std::size_t feeds = steps.front().value("feeds", json::object()).size();
    for (std::size_t i = 0; i < feeds; ++i)
        runChanged(graph, steps.front(), i, dice);
    if (graph->size() > 0)
        runChanged(withOtherAttr(graph, dice), steps.front(), feeds, dice);
}

TEST_CASE("recorded cases with something changed come back", "[mutations]")
{
    for (const std::string folder : {"ops", "flow"}) {
        if (!present("goldens/" + folder))
            return;
        for (const auto& file : caseFiles("goldens/" + folder)) {
            Dice dice;
            for (const json& testCase : loadCases(file)) {
                INFO(file.stem().string() << '/' << testCase.value("name", ""));
                changeCase(testCase, dice);
            }
        }
    }
}

} // namespace
} // namespace lapidary::goldens
