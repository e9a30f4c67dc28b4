// SPDX-License-Identifier: Apache-2.0
// Every pass on the graphs in which it finds its pattern, damaged in one to three ways: an
// attribute, an edge, an op, a name, the values of a constant, the bytes of a function. Most of
// what the pass looks for is still there, so that it goes on with what it finds. It may refuse, and
// must not crash or hang; what it returns has to be whole. LAPIDARY_FUZZ_SECONDS makes it go on for
// so long, LAPIDARY_FUZZ_SEED draws other damages, and LAPIDARY_FUZZ_KEEP names a file that has the
// graph, followed by the step, when the process ends.
#include "graph_model/base/wire.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/fuzz/asked.h"
#include "tests/test_folder.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/pass_cases.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int leastRounds = 200; // of each case
// Seconds of processor time, far above what any of these small graphs takes: it is a hang.
constexpr double longest = 120;

std::vector<AttrBytes> oddValues()
{
    using Limits = std::numeric_limits<std::int64_t>;
    std::vector<AttrBytes> values{{}, std::string("\x80")};
    for (const std::int64_t number :
         {std::int64_t(-1), std::int64_t(0), std::int64_t(1), std::int64_t(2), std::int64_t(3),
          std::int64_t(1) << 31, Limits::max(), Limits::min()})
        values.emplace_back(attr::fromInt(number));
    for (const char* text : {"", "SAME", "VALID", "NCHW", "NHWC", "x", "y", "MIN_FIRST", "^x"})
        values.emplace_back(attr::fromString(text));
    for (const DType dtype :
         {DType::Invalid, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::String,
          DType::Bool, DType::Resource, DType::QUInt8, DType::Half, DType(101), DType(250)})
        values.emplace_back(attr::fromType(dtype));
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{}, {0}, {1}, {-1}, {2, 2}, {1, 1, 1, 1}, {Limits::max(), 2}}) {
        values.emplace_back(attr::fromShape({dims, false}));
        values.emplace_back(attr::fromInts(dims));
    }
    for (const std::vector<std::int64_t>& list : {std::vector<std::int64_t>{0, 0, 0, 0},
                                                  {1, 2, 2, 1},
                                                  {1, Limits::max(), Limits::max(), 1},
                                                  {1, -1, -1, 1},
                                                  {Limits::min(), 1, 1, 1}})
        values.emplace_back(attr::fromInts(list));
    values.emplace_back(attr::fromShape({{}, true}));
    for (const float number : {NAN, INFINITY, -1.0F, 0.0F, 1e-45F})
        values.emplace_back(attr::fromFloat(number));
    values.emplace_back(attr::fromBool(true));
    values.emplace_back(attr::fromBool(false));
    return values;
}

class Damager {
public:
    Damager(const PatternCase& original, std::mt19937& random)
        : m_original(original)
        , m_random(random)
    {
    }

    GraphPtr damaged()
    {
        m_nodes.clear();
        for (const NodePtr& node : m_original.graph->nodes())
            m_nodes.push_back(NodeDraft::of(*node));
        for (std::size_t times = 1 + below(3); times > 0; --times)
            damage(m_nodes[chosen()]);
        Graph::Parts parts;
        parts.functions = m_original.graph->sharedFunctions();
        parts.versions = m_original.graph->versions();
        for (const NodeDraft& node : m_nodes)
            parts.nodes.push_back(node.finish());
        const GraphPtr graph = Graph::make(std::move(parts));
        return graph->functions() != nullptr && below(2) == 0 ? withOddFunctions(*graph) : graph;
    }

private:
    std::size_t below(std::size_t bound) { return m_random() % std::max<std::size_t>(bound, 1); }

    // Mostly a node of the pattern.
    std::size_t chosen()
    {
        if (!m_original.pattern.empty() && below(3) != 0) {
            const std::string& name = m_original.pattern[below(m_original.pattern.size())];
            const auto node = std::ranges::find(m_nodes, name, &NodeDraft::name);
            if (node != m_nodes.end())
                return std::size_t(node - m_nodes.begin());
        }
        return below(m_nodes.size());
    }

    void damage(NodeDraft& node)
    {
        switch (below(node.op == "Const" ? 8 : 6)) {
        case 0:
        case 1: damageAttribute(node); break;
        case 2:
        case 3: damageInput(node); break;
        case 4: node.op = anyOp(); break;
        case 5: damageName(node); break;
        default: damageValues(node); break;
        }
    }

    void damageAttribute(NodeDraft& node)
    {
        static const std::vector<AttrBytes> values = oddValues();
        if (node.attrs.empty() || below(8) == 0) {
            node.setAttr("_class", values[below(values.size())]);
            return;
        }
        const std::string name = node.attrs[below(node.attrs.size())].first;
        if (below(4) == 0)
            node.removeAttr(name);
        else
            node.setAttr(name, values[below(values.size())]);
    }

    std::string anyInput()
    {
        static const std::vector<std::string> ports{"", "", "", ":1", ":7", ":2147483647", ":-1"};
        switch (below(8)) {
        case 0: return "";
        case 1: return "gone";
        case 2: return "^" + m_nodes[below(m_nodes.size())].name;
        default: return m_nodes[below(m_nodes.size())].name + ports[below(ports.size())];
        }
    }

    void damageInput(NodeDraft& node)
    {
        std::vector<std::string>& inputs = node.inputs;
        const std::size_t at = below(inputs.size());
        switch (inputs.empty() ? 0 : below(5)) {
        case 0: inputs.insert(inputs.begin() + std::ptrdiff_t(at), anyInput()); break;
        case 1: inputs.erase(inputs.begin() + std::ptrdiff_t(at)); break;
        case 2: std::swap(inputs[at], inputs[below(inputs.size())]); break;
        case 3: inputs.insert(inputs.begin(), inputs[at]); break;
        default: inputs[at] = anyInput(); break;
        }
    }

    std::string anyOp()
    {
        static const std::vector<std::string> ops{
            "Const", "Placeholder", "Identity", "Switch", "Merge",  "Enter",  "NextIteration",
            "Exit",  "Relu",        "Reshape",  "Pad",    "Concat", "Conv2D", "VariableV2",
            "f",     "Unknown",     "Mul",      "",       "NoOp",   "If"};
        return below(2) == 0 ? m_nodes[below(m_nodes.size())].op : ops[below(ops.size())];
    }

    void damageName(NodeDraft& node)
    {
        switch (below(4)) {
        case 0: node.name = m_nodes[below(m_nodes.size())].name; break;
        case 1: node.device = "/device:GPU:99999999999"; break;
        case 2: node.name.clear(); break;
        default: node.name += "/x"; break;
        }
    }

    // Another shape, another type, extreme numbers, or too few of them.
    void damageValues(NodeDraft& node)
    {
        const auto tensor = node.finish()->tensor();
        if (!tensor)
            return;
        std::string content = tensor->values().ok() ? *tensor->values() : std::string();
        DType dtype = tensor->dtype();
        Shape shape = tensor->shape();
        static const std::vector<std::vector<std::int64_t>> dims{
            {},
            {0},
            {1},
            {2, 2},
            {1, 1, 1, 1},
            {0, 3},
            {-1},
            {std::int64_t(1) << 40, 0},
            {std::numeric_limits<std::int64_t>::max()}};
        switch (below(4)) {
        case 0: shape = {dims[below(dims.size())], below(9) == 0}; break;
        case 1: dtype = DType(below(24)); break;
        case 2: content.resize(below(content.size())); break;
        default: overwrite(content); break;
        }
        std::string proto;
        WireWriter writer(proto);
        writer.varint(1, std::uint64_t(dtype));
        writer.bytes(2, encodeShape(shape));
        writer.bytes(4, content);
        node.setAttr("value", attr::fromTensorProto(proto));
    }

    void overwrite(std::string& content)
    {
        static const std::vector<std::uint32_t> words{0x7FC00000, 0x7F800000, 0xFF800000, 0,
                                                      0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 1};
        for (std::size_t times = 1 + below(4); times > 0 && content.size() >= 4; --times) {
            const std::uint32_t word = words[below(words.size())];
            std::memcpy(content.data() + below(content.size() / 4) * 4, &word, sizeof(word));
        }
    }

    GraphPtr withOddFunctions(const Graph& graph)
    {
        std::string bytes = encodeGraphDef(graph);
        for (std::size_t times = 1 + below(3); times > 0; --times)
            bytes[below(bytes.size())] ^= char(1U << below(8));
        const auto file = readModelBytes(bytes, "damaged", Job(), {.check = false});
        return file && !file->graphs.empty() ? file->graphs.front().graph : m_original.graph;
    }

    const PatternCase& m_original;
    std::mt19937& m_random;
    std::vector<NodeDraft> m_nodes;
};

struct Tally {
    std::size_t runs = 0;
    std::size_t refused = 0;
    std::size_t changed = 0;
};

void tryDamaged(const PatternCase& original, std::mt19937& random, Tally& tally)
{
    const GraphPtr graph = Damager(original, random).damaged();
    if (const char* path = std::getenv("LAPIDARY_FUZZ_KEEP")) { // NOLINT(concurrency-mt-unsafe)
        std::ofstream(path, std::ios::binary) << encodeGraphDef(*graph);
        std::ofstream(std::string(path) + ".step") << original.step << '\n';
    }
    const std::clock_t begin = std::clock();
    const auto edit = applyPass(original.step, graph, {"x"}, original.outputs);
    ++tally.runs;
    if (edit) {
        tally.changed += std::size_t(edit->graph != graph);
        CHECK_FALSE(encodeGraphDef(*edit->graph).empty());
        // The result of the pass is usable for the next one.
        (void)applyPass(original.step, edit->graph, {"x"}, original.outputs);
    } else {
        ++tally.refused;
        CHECK_FALSE(edit.error().message.empty());
    }
    CHECK(double(std::clock() - begin) / CLOCKS_PER_SEC < longest);
}

} // namespace

TEST_CASE("every pass takes its own patterns, damaged", "[patterns][damaged]")
{
    const TestFolder folder;
    std::mt19937 random = fuzz::askedRandom(11);
    Tally tally;
    const PatternCases cases = allPatternCases(folder);
    const auto end = Clock::now() + std::chrono::duration<double>(fuzz::askedSeconds());
    int rounds = 0;
    while (rounds++ < leastRounds || Clock::now() < end) {
        for (const PatternCase& original : cases) {
            INFO(original.step << ", round " << rounds);
            tryDamaged(original, random, tally);
        }
    }
    std::cout << "damaged patterns: " << tally.runs << " runs, " << tally.changed << " changed, "
              << tally.refused << " refused\n";
    CHECK(tally.changed * 3 > tally.runs);
}

} // namespace lapidary
