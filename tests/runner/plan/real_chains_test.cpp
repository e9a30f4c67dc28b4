// SPDX-License-Identifier: Apache-2.0
// Layers with a scale for each channel, computed at once up to the codes of the next layer, give
// the bits that their nodes give alone, with every back end.
#include "graph_model/graph/graph.h"
#include "runner/execute/session.h"
#include "runner/int8/back_end.h"
#include "runner/plan/fusion.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"
#include "tests/runner/kernels/quantized/coded.h"
#include "tests/runner/plan/tensor_proto.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace lapidary {
namespace {

class ScaledLayer {
public:
    // `odd` is one of the offsets of the channels.
    ScaledLayer(std::int64_t channels, float odd)
        : m_channels(channels)
        , m_odd(odd)
    {
    }

    NodeDraft& add(const std::string& name, const std::string& op,
                   const std::vector<std::string>& inputs, DType dtype = DType::Float)
    {
        NodeDraft node;
        node.name = name;
        node.op = op;
        node.inputs = inputs;
        node.setAttr(op == "Placeholder" || op == "Const" ? "dtype" : "T", attr::fromType(dtype));
        m_nodes.push_back(std::move(node));
        return m_nodes.back();
    }

    template <class T>
    void constant(const std::string& name, DType dtype, const Dims& dims,
                  const std::vector<T>& elements)
    {
        add(name, "Const", {}, dtype)
            .setAttr("value", attr::fromTensorProto(tensorProto(dims, elements, dtype)));
    }

    // Makes a number for each channel.
    void numbers(const std::string& name, const Dims& dims, float from, float to)
    {
        std::vector<float> all;
        for (std::int64_t c = 0; c < m_channels; ++c)
            all.push_back(from + (to - from) * float(c * 37 % 101) / 100.0F);
        if (name == "offsets")
            all[all.size() / 2] = m_odd;
        constant(name, DType::Float, dims, all);
    }

    void filterCodes(const Dims& dims)
    {
        std::vector<std::uint8_t> codes(std::size_t(dims[0] * dims[1] * dims[2] * dims[3]));
        for (std::size_t i = 0; i < codes.size(); ++i)
            codes[i] = std::uint8_t(3 + i * 101);
        constant("codes", DType::QUInt8, dims, codes);
        constant("codes0", DType::Float, {}, std::vector<float>{-1});
        constant("codes1", DType::Float, {}, std::vector<float>{0.9F});
    }

    void convolution(std::int64_t size, std::int64_t depth, std::int64_t stride = 1,
                     const char* padding = "SAME")
    {
        filterCodes({size, size, depth, m_channels});
        add("x", "Placeholder", {}, DType::QUInt8);
        for (const char* end : {"x0", "x1"})
            add(end, "Placeholder", {});
        NodeDraft& node =
            add("conv", "QuantizedConv2D", {"x", "codes", "x0", "x1", "codes0", "codes1"});
        node.attrs.clear();
        for (const char* type : {"Tinput", "Tfilter"})
            node.setAttr(type, attr::fromType(DType::QUInt8));
        node.setAttr("out_type", attr::fromType(DType::QInt32));
        node.setAttr("strides", attr::fromInts({1, stride, stride, 1}));
        node.setAttr("padding", attr::fromString(padding));
        add("real", "Dequantize", {"conv", "conv:1", "conv:2"}, DType::QInt32)
            .setAttr("mode", attr::fromString("MIN_FIRST"));
        numbers("scales", {m_channels}, 0.01F, 2);
        add("scaled", "Mul", {"real", "scales"});
        m_last = "scaled";
    }

    void depthwise(std::int64_t size, std::int64_t stride, const char* padding = "SAME")
    {
        filterCodes({size, size, m_channels, 1});
        add("x", "Placeholder", {});
        add("real", "Dequantize", {"codes", "codes0", "codes1"}, DType::QUInt8)
            .setAttr("mode", attr::fromString("MIN_FIRST"));
        numbers("scales", {m_channels, 1}, 0.01F, 2);
        add("weights", "Mul", {"real", "scales"});
        NodeDraft& node = add("conv", "DepthwiseConv2dNative", {"x", "weights"});
        node.setAttr("strides", attr::fromInts({1, stride, stride, 1}));
        node.setAttr("padding", attr::fromString(padding));
        m_last = "conv";
    }

    void bias()
    {
        numbers("offsets", {m_channels}, -3, 4);
        then("biased", "BiasAdd", "offsets");
    }

    void relu(const std::string& op) { then("relu", op, ""); }

    void plus(const std::string& other) { then("added", "Add", other); }

    void clip(bool byChannel)
    {
        if (byChannel)
            numbers("most", {m_channels}, 0.5F, 9);
        else
            constant("most", DType::Float, {}, std::vector<float>{5.5F});
        then("clipped", "Minimum", "most");
    }

    void quantize()
    {
        constant("shape", DType::Int32, {1}, std::vector<std::int32_t>{-1});
        constant("axes", DType::Int32, {1}, std::vector<std::int32_t>{0});
        add("flat", "Reshape", {m_last, "shape"});
        add("least", "Min", {"flat", "axes"});
        add("largest", "Max", {"flat", "axes"});
        add("y", "QuantizeV2", {m_last, "least", "largest"}, DType::QUInt8)
            .setAttr("mode", attr::fromString("MIN_FIRST"));
    }

    const std::string& last() const { return m_last; }

    GraphPtr graph() const
    {
        Graph::Parts parts;
        for (const NodeDraft& node : m_nodes)
            parts.nodes.push_back(node.finish());
        return Graph::make(std::move(parts));
    }

private:
    void then(const std::string& name, const std::string& op, const std::string& other)
    {
        add(name, op, other.empty() ? std::vector{m_last} : std::vector{m_last, other});
        m_last = name;
    }

    std::vector<NodeDraft> m_nodes;
    std::int64_t m_channels;
    float m_odd;
    std::string m_last;
};

using Feeds = std::vector<std::pair<std::string, Value>>;

std::vector<Value> computed(const GraphPtr& graph, bool fuse, const Feeds& feeds,
                            const std::vector<std::string>& fetches, std::string_view backEnd = {})
{
    Session session(graph, {.threads = 2, .fuse = fuse, .backEnd = std::string(backEnd)});
    RunRequest request;
    for (const auto& [name, value] : feeds)
        request.feeds.emplace_back(name, value);
    for (const std::string& name : fetches)
        request.fetches.push_back(name);
    const auto values = session.run(request, Job());
    INFO((values ? "" : values.error().message));
    REQUIRE(values.ok());
    return *values;
}

Feeds codeFeeds(const Dims& dims, float low = -1.3F, float high = 2.1F)
{
    return {{"x", codedRamp(dims, 11, 37)}, {"x0", scalarOf(low)}, {"x1", scalarOf(high)}};
}

Feeds realFeeds(const Dims& dims)
{
    Value x = valueOf(dims, std::vector<float>{0});
    const std::span<float> all = x.mutableAs<float>();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = (float((i * 7919) % 1009) - 300.0F) / 500.0F;
    return {{"x", x}};
}

// `fusions` are the counts of nodes in each fused layer.
void hasTheBitsOfItsNodes(const ScaledLayer& layer, const Feeds& feeds,
                          std::vector<std::size_t> fusions)
{
    const GraphPtr graph = layer.graph();
    std::vector<std::size_t> found;
    for (const Fusion& fusion : fuseGraph(graph).fusions) {
        found.push_back(fusion.members.size());
        CHECK(fusion.weights.size() == fusion.members.size());
    }
    CHECK(found == fusions);
    for (const int8::BackEnd* backEnd : int8::backEnds()) {
        if (!backEnd->isAvailable())
            continue;
        CAPTURE(backEnd->name);
        const std::vector<std::string> fetches{"y", "y:1", "y:2", layer.last()};
        const auto alone = computed(graph, false, feeds, fetches, backEnd->name);
        const auto atOnce = computed(graph, true, feeds, fetches, backEnd->name);
        for (std::size_t i = 0; i < fetches.size(); ++i) {
            CHECK(atOnce[i].dims() == alone[i].dims());
            CAPTURE(fetches[i]);
            const bool hasSameBits = atOnce[i].bytes() == alone[i].bytes(); // not shown
            CHECK(hasSameBits);
        }
    }
}

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST_CASE("a convolution of codes and what follows it is computed at once", "[reals]")
{
    struct Shape {
        Dims input;
        std::int64_t size;
        std::int64_t filters;
    };
    const Shape shapes[] = {{{2, 13, 15, 3}, 3, 37}, {{1, 1, 1, 64}, 1, 16},
                            {{1, 7, 5, 16}, 1, 127}, {{1, 2, 3, 20}, 1, 600},
                            {{1, 40, 41, 8}, 1, 5},  {{1, 33, 31, 32}, 1, 64}};
    for (const Shape& shape : shapes)
        for (const float odd : {0.5F, -0.0F, notANumber, infinity})
            for (const char* relu : {"", "Relu", "Relu6"}) {
                CAPTURE(shape.input, shape.filters, odd, relu);
                ScaledLayer layer(shape.filters, odd);
                layer.convolution(shape.size, shape.input[3]);
                layer.bias();
                if (*relu != '\0')
                    layer.relu(relu);
                layer.clip(shape.filters % 2 == 0);
                layer.quantize();
                const std::size_t members = *relu != '\0' ? 6 : 5;
                hasTheBitsOfItsNodes(layer, codeFeeds(shape.input), {members, 4});
            }
}

TEST_CASE("zero points beside the codes and ranges of nothing change nothing", "[reals]")
{
    for (const auto& [low, high] : {std::pair(0.5F, 1.0F), {-2.0F, -1.0F}, {0.0F, 0.0F}}) {
        CAPTURE(low, high);
        ScaledLayer layer(37, 0.5F);
        layer.convolution(3, 3);
        layer.relu("Relu");
        layer.quantize();
        hasTheBitsOfItsNodes(layer, codeFeeds({1, 9, 8, 3}, low, high), {4, 4});
    }
}

TEST_CASE("a depthwise convolution of scaled codes is computed at once", "[reals]")
{
    for (const Dims& input : {Dims{2, 13, 15, 3}, {1, 7, 5, 64}, {1, 9, 9, 1}, {1, 1, 1, 21}})
        for (const std::int64_t stride : {1, 2})
            for (const float odd : {0.5F, notANumber}) {
                if (input[3] == 1 && std::isnan(odd))
                    continue; // NaN alone has no range
                CAPTURE(input, stride, odd);
                ScaledLayer layer(input[3], odd);
                layer.depthwise(3, stride);
                layer.bias();
                layer.relu("Relu");
                layer.clip(true);
                layer.quantize();
                hasTheBitsOfItsNodes(layer, realFeeds(input), {4, 4});
            }
}

// Layers whose sizes, strides, paddings and stages are random.
class LayersByChance {
public:
    std::int64_t upTo(std::int64_t most)
    {
        return std::int64_t(m_random() % std::uint32_t(most)) + 1;
    }

    // Adds the stages for this many channels.
    std::size_t addStages(ScaledLayer& layer, std::int64_t channels)
    {
        std::size_t members = 1;
        layer.bias();
        const char* const relus[] = {"", "Relu", "Relu6"};
        const std::string relu = relus[upTo(3) - 1];
        if (!relu.empty())
            layer.relu(relu);
        if (const bool clips = upTo(2) == 1; clips) {
            layer.clip(channels % 2 == 0);
            ++members;
        }
        layer.quantize();
        return members + (relu.empty() ? 0 : 1);
    }

    void checkCodes()
    {
        const std::int64_t size = upTo(4);
        const Dims input{upTo(2), size + upTo(20), size + upTo(20), upTo(70)};
        const std::int64_t filters = upTo(100);
        const std::int64_t stride = upTo(3);
        const char* const padding = upTo(2) == 1 ? "SAME" : "VALID";
        CAPTURE(input, size, filters, stride, padding);
        ScaledLayer layer(filters, 0.5F);
        layer.convolution(size, input[3], stride, padding);
        const std::size_t stages = addStages(layer, filters);
        hasTheBitsOfItsNodes(layer, codeFeeds(input), {3 + stages, 4});
    }

    void checkDepthwise()
    {
        const std::int64_t size = upTo(4);
        const Dims input{upTo(2), size + upTo(20), size + upTo(20), upTo(90) + 1};
        const std::int64_t stride = upTo(3);
        const char* const padding = upTo(2) == 1 ? "SAME" : "VALID";
        CAPTURE(input, size, stride, padding);
        ScaledLayer layer(input[3], 0.5F);
        layer.depthwise(size, stride, padding);
        const std::size_t stages = addStages(layer, input[3]);
        hasTheBitsOfItsNodes(layer, realFeeds(input), {1 + stages, 4});
    }

private:
    std::mt19937 m_random{27};
};

TEST_CASE("layers of sizes by chance give the bits of their nodes", "[reals]")
{
    LayersByChance layers;
    for (int i = 0; i < 30; ++i) {
        layers.checkCodes();
        layers.checkDepthwise();
    }
}

TEST_CASE("another tensor is added at once, of the same shape or not", "[reals]")
{
    // 64 channels fill whole vectors; 37 leave a remainder.
    for (const std::int64_t channels : {37, 64}) {
        ScaledLayer layer(channels, 0.5F);
        layer.convolution(1, 16);
        layer.add("z", "Placeholder", {});
        layer.plus("z");
        layer.relu("Relu");
        layer.quantize();
        Feeds feeds = codeFeeds({1, 7, 5, 16});
        feeds.emplace_back("z", realFeeds({1, 7, 5, channels})[0].second);
        hasTheBitsOfItsNodes(layer, feeds, {5, 4});
    }
    for (const Dims& shape : {Dims{1, 7, 5, 24}, {24}, {}, {7, 1, 24}, {3, 7, 5, 24}})
        for (const char* relu : {"", "Relu", "Relu6"}) {
            CAPTURE(shape, relu);
            ScaledLayer layer(24, 0.5F);
            layer.convolution(1, 16);
            layer.bias();
            layer.add("z", "Placeholder", {});
            layer.plus("z");
            if (*relu != '\0')
                layer.relu(relu);
            layer.quantize();
            Feeds feeds = codeFeeds({1, 7, 5, 16});
            feeds.emplace_back("z", realFeeds(shape)[0].second);
            const std::size_t members = *relu != '\0' ? 6 : 5;
            hasTheBitsOfItsNodes(layer, feeds, {members, 4});
        }
}

TEST_CASE("a sum of shapes that do not fit is an error of the sum", "[reals]")
{
    ScaledLayer layer(24, 0.5F);
    layer.convolution(1, 16);
    layer.add("z", "Placeholder", {});
    layer.plus("z");
    layer.relu("Relu");
    Feeds feeds = codeFeeds({1, 7, 5, 16});
    feeds.emplace_back("z", realFeeds({5})[0].second);
    for (const bool fuse : {false, true}) {
        Session session(layer.graph(), {.fuse = fuse});
        const auto values =
            session.run({.feeds = {feeds.begin(), feeds.end()}, .fetches = {"relu"}}, Job());
        REQUIRE_FALSE(values.ok());
        CHECK(values.error().message == "added: incompatible shapes: [1,7,5,24] and [5]");
    }
}

TEST_CASE("nodes in another order, or with other readers, are not merged", "[reals]")
{
    ScaledLayer turned(8, 0.5F);
    turned.convolution(1, 4);
    turned.relu("Relu");
    turned.bias();
    turned.quantize();
    hasTheBitsOfItsNodes(turned, codeFeeds({1, 3, 3, 4}), {4, 4});
    ScaledLayer read(8, 0.5F);
    read.convolution(1, 4);
    read.bias();
    read.add("other", "Identity", {"scaled"});
    read.quantize();
    hasTheBitsOfItsNodes(read, codeFeeds({1, 3, 3, 4}), {3, 4});
    ScaledLayer sums(8, 0.5F);
    sums.convolution(1, 4);
    sums.add("other", "Identity", {"conv"}, DType::QInt32);
    sums.quantize();
    hasTheBitsOfItsNodes(sums, codeFeeds({1, 3, 3, 4}), {4});
}

TEST_CASE("a result that is fed instead has its own range", "[reals]")
{
    ScaledLayer layer(8, 0.5F);
    layer.convolution(1, 4);
    layer.bias();
    layer.quantize();
    const Feeds fed{{"biased", realFeeds({1, 3, 3, 8})[0].second}};
    for (const char* output : {"y", "y:1", "y:2"}) {
        const auto alone = computed(layer.graph(), false, fed, {output});
        const auto atOnce = computed(layer.graph(), true, fed, {output});
        const bool hasSameBits = atOnce[0].bytes() == alone[0].bytes();
        CHECK(hasSameBits);
    }
}

} // namespace
} // namespace lapidary
