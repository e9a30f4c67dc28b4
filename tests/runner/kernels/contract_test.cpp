// SPDX-License-Identifier: Apache-2.0
// What a graph may say of a node, by machine: for every kernel each input and each attribute is
// replaced by every other type, by ranks 0 to 9, by tensors that are empty or full of extreme
// numbers, left out or repeated. A kernel may refuse or answer; under the sanitizers nothing else
// happens. LAPIDARY_CONTRACT_ROUNDS says how many different nodes of each op are tried (1);
// LAPIDARY_CONTRACT_WHY prints the ops of which no node that runs was found, with the last error.
#include "graph_model/binding/bind_node.h"
#include "graph_model/graph/attr_lists.h"
#include "tests/catch.h"
#include "tests/runner/kernels/any_node.h"
#include "tests/runner/kernels/known_nodes.h"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string_view>

namespace lapidary {
namespace {

constexpr int lastType = int(DType::UInt64);

struct Specimen {
    NodeDraft node;
    std::vector<Value> inputs;
    std::string fault; // empty: it runs
};

class Tries {
public:
    // Returns the error's message; empty if there are results.
    std::string run(const NodeDraft& node, const std::vector<Value>& inputs)
    {
        ++m_count;
        std::string fault = expectAnswerOrError(node, inputs);
        m_answers += fault.empty() ? 1 : 0;
        return fault;
    }
    std::uint64_t count() const { return m_count; }
    std::uint64_t answers() const { return m_answers; }

private:
    std::uint64_t m_count = 0;
    std::uint64_t m_answers = 0;
};

// Returns a node that runs; in every other round a known one, if there is one.
Specimen specimenOf(const OpSpec& spec, int round, Dice& dice, Tries& tries)
{
    constexpr int most = 100;
    if (auto known = knownNode(spec.name); known && round % 2 == 0) {
        Specimen specimen{std::move(known->node), std::move(known->inputs), {}};
        specimen.fault = tries.run(specimen.node, specimen.inputs);
        return specimen;
    }
    for (int i = 1;; ++i) {
        Specimen specimen{anyNode(spec, dice), {}, {}};
        specimen.inputs = fittingInputs(specimen.node, spec, dice);
        specimen.fault = tries.run(specimen.node, specimen.inputs);
        if (specimen.fault.empty() || i == most)
            return specimen;
    }
}

void tryInput(const Specimen& specimen, std::size_t i, Dice& dice, Tries& tries)
{
    const DType own = specimen.inputs[i].dtype();
    std::vector<Value> inputs = specimen.inputs;
    for (int type = 1; type <= lastType; ++type) {
        inputs[i] = anyValue(DType(type), dice.below(2) == 0 ? Dims{} : Dims{2, 2}, dice);
        tries.run(specimen.node, inputs);
    }
    for (std::size_t rank = 0; rank <= 9; ++rank)
        for (const std::int64_t size : {1, 2, 0}) {
            Dims dims(rank, size);
            if (rank > 0)
                dims[dice.below(rank)] = std::int64_t(dice.below(4));
            inputs[i] = anyValue(own, dims, dice);
            tries.run(specimen.node, inputs);
        }
    for (const std::size_t rank : {specimen.inputs[i].dims().size(), dice.below(6), dice.below(6)})
        for (int turn = 0; turn < 3; ++turn) { // huge sizes, but no elements
            inputs[i] = anyValue(own, vastDims(rank, dice), dice);
            tries.run(specimen.node, inputs);
        }
    inputs[i] = anyValue(own, {1 << 16}, dice);
    tries.run(specimen.node, inputs);
    inputs = specimen.inputs;
    inputs.insert(inputs.begin() + std::ptrdiff_t(i), specimen.inputs[i]);
    tries.run(specimen.node, inputs);
    inputs = specimen.inputs;
    inputs.erase(inputs.begin() + std::ptrdiff_t(i));
    tries.run(specimen.node, inputs);
}

// All inputs have huge sizes but no elements, each with its own rank.
void tryVast(const Specimen& specimen, Dice& dice, Tries& tries)
{
    for (int turn = 0; turn < 8; ++turn) {
        std::vector<Value> inputs;
        for (const Value& input : specimen.inputs)
            inputs.push_back(
                input.dims().empty()
                    ? input
                    : anyValue(input.dtype(), vastDims(input.dims().size(), dice), dice));
        tries.run(specimen.node, inputs);
    }
}

std::vector<std::string> attributeValues(Dice& dice)
{
    std::vector<std::string> all;
    for (int type = 0; type <= lastType; ++type)
        all.push_back(attr::fromType(DType(type)));
    for (const std::int64_t number : {std::int64_t(0), std::int64_t(-1), std::int64_t(3), INT64_MAX,
                                      INT64_MIN, std::int64_t(1) << 31})
        all.push_back(attr::fromInt(number));
    for (const float number : {0.0F, -1.0F, 1e38F})
        all.push_back(attr::fromFloat(number));
    for (const std::string_view text : {"", "VALID", "NCHW", "\xff\xfe"})
        all.push_back(attr::fromString(text));
    all.push_back(attr::fromBool(dice.below(2) == 0));
    all.push_back(attr::fromShape({{2, -1}, false}));
    all.push_back(attr::fromShape({{}, true}));
    all.push_back(attr::fromInts({}));
    all.push_back(attr::fromInts({1, 2, 2, 1}));
    all.push_back(attr::fromInts({INT64_MAX, INT64_MIN, 0, -1, 7}));
    all.push_back(attr::fromFloats(std::vector<float>{NAN, -1e38F, 0.0F, INFINITY}));
    all.push_back(attr::fromTensorProto("\x08\x01"));
    all.emplace_back("\xff\xff\xff");
    return all;
}

void tryAttribute(const Specimen& specimen, std::string_view name, Dice& dice, Tries& tries)
{
    for (const std::string& value : attributeValues(dice)) {
        NodeDraft node = specimen.node;
        node.setAttr(name, value);
        tries.run(node, specimen.inputs);
    }
    NodeDraft node = specimen.node;
    std::erase_if(node.attrs, [&](const auto& given) { return given.first == name; });
    tries.run(node, specimen.inputs);
}

// The list with each element in turn replaced by an extreme one.
void tryElements(const Specimen& specimen, std::string_view name, Tries& tries)
{
    NodeDraft node = specimen.node;
    const NodePtr made = node.finish();
    const auto ints = made->attr(name).ints();
    for (std::size_t i = 0; i < ints.size(); ++i)
        for (const std::int64_t extreme :
             {std::int64_t(0), std::int64_t(1), std::int64_t(2), std::int64_t(-1),
              std::int64_t(1) << 24, INT64_MAX, INT64_MIN}) {
            auto changed = ints;
            changed[i] = extreme;
            node.setAttr(name, attr::fromInts(changed));
            tries.run(node, specimen.inputs);
        }
    const auto floats = made->attr(name).floats();
    for (std::size_t i = 0; i < floats.size(); ++i)
        for (const float extreme : {0.0F, -1.0F, 1e-38F, 1e38F, INFINITY, NAN}) {
            auto changed = floats;
            changed[i] = extreme;
            node.setAttr(name, attr::fromFloats(changed));
            tries.run(node, specimen.inputs);
        }
}

TEST_CASE("no kernel does more than refuse what its op does not allow", "[kernels][contract]")
{
    const char* const asked = std::getenv("LAPIDARY_CONTRACT_ROUNDS");
    const int rounds = asked != nullptr ? std::atoi(asked) : 1;
    Tries tries;
    int ops = 0;
    std::set<std::string_view> running;
    std::map<std::string_view, std::string> faults;
    forEachOp([&](const OpSpec& spec, Dice& dice) {
        ++ops;
        for (int round = 0; round < rounds; ++round) {
            const Specimen specimen = specimenOf(spec, round, dice, tries);
            if (specimen.fault.empty())
                running.insert(spec.name);
            else
                faults[spec.name] = specimen.fault;
            for (std::size_t i = 0; i < specimen.inputs.size(); ++i)
                tryInput(specimen, i, dice, tries);
            tryVast(specimen, dice, tries);
            for (const AttrSpec& attr : spec.attrs)
                tryAttribute(specimen, attr.name, dice, tries);
        }
    });
    std::cout << tries.count() << " tries over " << ops << " ops, of which " << running.size()
              << " started from a node that runs; " << tries.answers() << " gave an answer\n";
    if (std::getenv("LAPIDARY_CONTRACT_WHY") != nullptr) // NOLINT(concurrency-mt-unsafe)
        for (const auto& [op, fault] : faults)
            if (!running.contains(op))
                std::cout << "never ran: " << op << ": " << fault << '\n';
}

// Ops to which TFLite and ONNX files are lifted have no definition, but any graph may have such
// nodes.
TEST_CASE("no kernel without a definition does more than refuse", "[kernels][contract]")
{
    Tries tries;
    Dice dice;
    for (const Kernel* kernel : allKernels()) {
        if (findOp(kernel->op) != nullptr || isInternalOp(kernel->op))
            continue;
        INFO(kernel->op);
        auto known = knownNode(kernel->op);
        REQUIRE(known);
        const Specimen specimen{std::move(known->node), std::move(known->inputs), {}};
        CHECK(tries.run(specimen.node, specimen.inputs).empty());
        for (std::size_t i = 0; i < specimen.inputs.size(); ++i)
            tryInput(specimen, i, dice, tries);
        tryVast(specimen, dice, tries);
        for (const auto& [name, value] : specimen.node.attrs) {
            tryAttribute(specimen, name, dice, tries);
            tryElements(specimen, name, tries);
        }
    }
    CHECK(tries.answers() > 0);
}

} // namespace
} // namespace lapidary
