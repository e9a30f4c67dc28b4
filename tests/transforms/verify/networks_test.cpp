// SPDX-License-Identifier: Apache-2.0
// Ten networks among the recorded models are folded, quantized and damaged: folding must not count
// as a difference, and verification must name a tensor that is computed with the damaged weights.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/source_folder.h"
#include "tests/transforms/verify/verify_testing.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <limits>
#include <set>

namespace lapidary {
namespace {

struct Network {
    std::string file;
    NetworkInterface interface;
};

const std::vector<Network>& networks()
{
    static const std::vector<Network> all{
        {"alexnet.pb", {"Placeholder", {1, 67, 67, 3}, "prob"}},
        {"squeezenet.pb", {"input_images", {1, 67, 67, 3}, "softmax"}},
        {"densenet121.pb", {"input_1", {1, 64, 64, 3}, "fc1000/Softmax"}},
        {"resnet_v1_50.pb", {"Placeholder", {1, 64, 64, 3}, "resnet_v1_50/predictions/Reshape_1"}},
        {"style_transfer.pb", {"input", {1, 24, 24, 3}, "output"}},
        {"autoencoder.pb", {"x", {2, 16, 16, 1}, "decode/b/Sigmoid"}},
        {"batch_norms.pb", {"input", {1, 6, 6, 4}, "output"}},
        {"group_conv.pb", {"input", {1, 12, 12, 8}, "output"}},
        {"lstm_static.pb", {"x", {1, 4, 6}, "prediction"}},
        {"../trained/tiny_mobilenet.pb",
         {"input", {1, 32, 32, 3}, "MobilenetV1/Predictions/Reshape_1"}},
    };
    return all;
}

GraphPtr opened(const Network& network)
{
    const auto folder = sourceFolder() / "tests" / "goldens" / "models" / "made";
    auto model = readModel(folder / network.file, Job(), ReadOptions{.check = false});
    REQUIRE(model.ok());
    return model->graphs.front().graph;
}

GraphPtr transformed(GraphPtr graph, const Network& network, const std::vector<std::string>& steps)
{
    for (const std::string& step : steps)
        graph = passed(step, graph, {network.interface.input}, {network.interface.output});
    return graph;
}

GraphPtr folded(const GraphPtr& graph, const Network& network)
{
    return transformed(
        graph, network,
        {"fold_constants(ignore_errors=true)", "fold_batch_norms", "fold_old_batch_norms"});
}

GraphPtr quantized(const GraphPtr& graph, const Network& network)
{
    return transformed(folded(graph, network), network,
                       {"quantize_weights(minimum_size=16)", "quantize_nodes"});
}

// A constant that a convolution or a product reads, and the nodes that compute with it.
struct Weights {
    std::string name;
    std::set<std::string> readers;
    std::set<std::string>
        behind; // readers of those nodes: their values can be compared again after folding
};

void addReaders(const Graph& graph, NodeId id, Weights& weights, bool& isWeight)
{
    for (const Consumer& consumer : graph.consumers(id)) {
        const Node& reader = graph.node(consumer.node);
        weights.readers.emplace(reader.name());
        if (reader.op() == "Identity")
            addReaders(graph, consumer.node, weights, isWeight);
        isWeight = isWeight || reader.op() == "Conv2D" || reader.op() == "MatMul";
        for (const Consumer& next : graph.consumers(consumer.node))
            weights.behind.emplace(graph.node(next.node).name());
    }
}

std::vector<Weights> weightsOf(const GraphPtr& graph)
{
    constexpr std::size_t fewest = 8;
    std::vector<Weights> all;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const Node& node = graph->node(NodeId{i});
        if (node.op() != "Const" || node.attr("dtype").asType() != DType::Float)
            continue;
        Weights weights{.name = std::string(node.name()), .readers = {}, .behind = {}};
        bool isWeight = false;
        addReaders(*graph, NodeId{i}, weights, isWeight);
        if (isWeight && floatsOf(graph, weights.name).size() >= fewest)
            all.push_back(std::move(weights));
    }
    return all;
}

// One near the beginning, one in the middle, one near the end.
std::vector<Weights> chosenWeights(const GraphPtr& graph)
{
    const std::vector<Weights> all = weightsOf(graph);
    REQUIRE_FALSE(all.empty());
    std::vector<Weights> chosen{all.front()};
    for (const std::size_t at : {all.size() / 2, all.size() - 1})
        if (all[at].name != chosen.back().name)
            chosen.push_back(all[at]);
    return chosen;
}

template <class Change>
GraphPtr damaged(const GraphPtr& graph, const Weights& weights, const Change& change)
{
    std::vector<float> values = floatsOf(graph, weights.name);
    change(values);
    return withConstant(graph, weights.name, constDims(graph->node(graph->find(weights.name))),
                        values);
}

void reverse(std::vector<float>& values)
{
    std::ranges::reverse(values);
    values.front() += 1;
}

// Returns whether a named tensor is computed with these weights.
bool isCause(const std::string& tensor, const Weights& weights)
{
    const std::string node = tensor.substr(0, tensor.rfind(':'));
    return node == weights.name || weights.readers.count(node) > 0;
}

} // namespace

TEST_CASE("verify: no fold of ten networks is a difference", "[verify]")
{
    for (const Network& network : networks()) {
        CAPTURE(network.file);
        const GraphPtr graph = opened(network);
        const GraphPtr other = folded(graph, network);
        CHECK(other != graph);
        const Verification found = verified(graph, other, network.interface);
        CHECK(found.grade() == Grade::Same);
        CHECK(nameAt(found, found.firstAbove) == "");
    }
}

TEST_CASE("verify: 8 bits without a fold leave nothing that readers undo", "[verify]")
{
    for (const Network& network : networks()) {
        if (network.file != "alexnet.pb" && network.file != "squeezenet.pb")
            continue; // these have no normalization
        CAPTURE(network.file);
        const GraphPtr graph = opened(network);
        const Verification found = verified(graph, quantized(graph, network), network.interface);
        CHECK(found.grade() == Grade::SmallLoss);
        CHECK(std::ranges::none_of(found.pairs, &VerifiedPair::isUndone));
    }
}

TEST_CASE("verify: damaged weights of ten networks are named, folded and not", "[verify]")
{
    for (const Network& network : networks()) {
        CAPTURE(network.file);
        const GraphPtr graph = opened(network);
        for (const Weights& weights : chosenWeights(graph)) {
            CAPTURE(weights.name);
            const GraphPtr wrong = damaged(graph, weights, reverse);
            for (const GraphPtr& other : {wrong, folded(wrong, network)}) {
                const Verification found = verified(graph, other, network.interface);
                const std::string named = nameAt(found, found.firstAbove);
                CAPTURE(named, other == wrong);
                const std::string node = named.substr(0, named.rfind(':'));
                const bool isBehind = other != wrong && weights.behind.count(node) > 0;
                CHECK((isCause(named, weights) || isBehind));
            }
        }
    }
}

TEST_CASE("verify: damage beside 8 bits is the first large loss of ten networks", "[verify]")
{
    int good = 0;
    for (const Network& network : networks()) {
        CAPTURE(network.file);
        const GraphPtr graph = opened(network);
        const Verification without = verified(graph, quantized(graph, network), network.interface);
        // If a network does not work in 8 bits, a tensor causes that.
        CHECK((without.grade() == Grade::Broken) <= without.firstLarge.has_value());
        if (without.firstLarge)
            continue;
        ++good;
        const Weights weights = chosenWeights(graph).back();
        CAPTURE(weights.name);
        const GraphPtr wrong = damaged(graph, weights, reverse);
        const Verification found = verified(graph, quantized(wrong, network), network.interface);
        const std::string named = nameAt(found, found.firstLarge);
        CAPTURE(named);
        CHECK(isCause(named, weights));
    }
    CHECK(good >= 5);
}

TEST_CASE("verify: NaN, infinity and outputs that became constant are broken", "[verify]")
{
    for (const Network& network : networks()) {
        CAPTURE(network.file);
        const GraphPtr graph = opened(network);
        const Weights last = chosenWeights(graph).back();
        for (const float number :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            CAPTURE(number);
            const auto poison = [&](std::vector<float>& values) { values.front() = number; };
            const Verification found =
                verified(graph, damaged(graph, last, poison), network.interface);
            CHECK(isCause(nameAt(found, found.firstAbove), last));
            CHECK(isCause(nameAt(found, found.firstLarge), last));
            const Verification reversed =
                verified(damaged(graph, last, poison), graph, network.interface);
            CHECK(isCause(nameAt(reversed, reversed.firstLarge), last));
        }
        const auto blank = [](std::vector<float>& values) { std::ranges::fill(values, 0.0F); };
        const GraphPtr constant = damaged(graph, last, blank);
        const Verification found = verified(graph, constant, network.interface);
        CHECK(isCause(nameAt(found, found.firstLarge), last));
        CHECK(verified(constant, constant, network.interface).grade() == Grade::Same);
    }
}

} // namespace lapidary
