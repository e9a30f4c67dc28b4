// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/passes/layered_graphs.h"

#include "tests/transforms/passes/pattern_graphs.h"

#include <cmath>
#include <random>

namespace lapidary {
namespace {

class LayerMaker {
public:
    explicit LayerMaker(std::uint32_t seed)
        : m_random(seed)
    {
    }

    GraphPtr run()
    {
        m_builder.placeholder("x", {1, 12, 12, 3});
        Tensor tensor{"x", 3, 12};
        const std::uint32_t blocks = 2 + below(3);
        for (std::uint32_t i = 0; i < blocks; ++i)
            tensor = below(4) == 0 ? branch(tensor) : block(tensor);
        tensor = layer(tensor, "Conv2D");
        m_builder.ints("axes", {2}, {1, 2})
            .node("mean", "Mean", {tensor.name, "axes"}, {{"Tidx", attr::fromType(DType::Int32)}})
            .floats("last", {tensor.channels, 4}, numbers(tensor.channels, 4))
            .node("y", "MatMul", {"mean", "last"});
        return m_builder.build();
    }

private:
    struct Tensor {
        std::string name;
        std::int64_t channels = 0;
        std::int64_t side = 0;
    };

    std::uint32_t below(std::uint32_t end) { return std::uint32_t(m_random() % end); }
    float uniform() { return float(m_random() % 20001) / 10000 - 1; }
    std::string fresh(const char* stem) { return stem + std::to_string(m_count++); }

    // Returns `rows` times `channels` values; each channel has a factor of its own.
    std::vector<float> numbers(std::int64_t rows, std::int64_t channels)
    {
        std::vector<float> factors;
        for (std::int64_t k = 0; k < channels; ++k)
            factors.push_back(std::exp2(-6.0F * std::abs(uniform())));
        std::vector<float> values;
        for (std::int64_t i = 0; i < rows * channels; ++i)
            values.push_back(uniform() * factors[std::size_t(i % channels)]);
        return values;
    }

    Tensor layer(const Tensor& from, const char* op)
    {
        const bool isDepthwise = std::string_view(op) != "Conv2D";
        const std::int64_t last = isDepthwise ? 1 + below(2) : 3 + below(6);
        const std::int64_t made = isDepthwise ? from.channels * last : last;
        const std::int64_t size = from.side > 2 && below(2) == 0 ? 3 : 1;
        const std::int64_t rows = size * size * (isDepthwise ? 1 : from.channels);
        const std::string w = fresh("w");
        const std::string conv = fresh("conv");
        m_builder.floats(w, {size, size, from.channels, last}, numbers(rows, made))
            .node(
                conv, op, {from.name, w},
                {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}});
        return {activated(biased(conv, made)), made, from.side};
    }

    std::string biased(const std::string& name, std::int64_t channels)
    {
        if (below(4) == 0)
            return name;
        const std::string b = fresh("b");
        const std::string sum = fresh("sum");
        m_builder.floats(b, {channels}, numbers(1, channels))
            .node(sum, below(3) == 0 ? "AddV2" : "BiasAdd", {name, b});
        return sum;
    }

    std::string activated(const std::string& name)
    {
        const char* const ops[]{"Relu", "Relu6", "LeakyRelu", "Identity", "Relu6", "Tanh"};
        const std::string a = fresh("a");
        m_builder.node(a, ops[below(6)], {name});
        return a;
    }

    Tensor block(const Tensor& from)
    {
        Tensor tensor = layer(from, below(2) == 0 ? "Conv2D" : "DepthwiseConv2dNative");
        switch (below(4)) {
        case 0: return pooled(tensor, "MaxPool");
        case 1: return pooled(tensor, "AvgPool");
        case 2: return padded(tensor);
        default: return tensor;
        }
    }

    Tensor pooled(const Tensor& from, const char* op)
    {
        const std::string pool = fresh("pool");
        m_builder.node(pool, op, {from.name},
                       {{"ksize", attr::fromInts({1, 2, 2, 1})},
                        {"strides", attr::fromInts({1, 2, 2, 1})},
                        {"padding", attr::fromString("SAME")}});
        return {pool, from.channels, (from.side + 1) / 2};
    }

    Tensor padded(const Tensor& from)
    {
        const std::string paddings = fresh("paddings");
        const std::string pad = fresh("pad");
        m_builder.ints(paddings, {4, 2}, {0, 0, 1, 0, 0, 1, 0, 0})
            .node(pad, "Pad", {from.name, paddings}, {{"Tpaddings", attr::fromType(DType::Int32)}});
        return {pad, from.channels, from.side + 1};
    }

    // One layer whose two readers are added.
    Tensor branch(const Tensor& from)
    {
        const Tensor stem = layer(from, "Conv2D");
        const Tensor left = layer(stem, "DepthwiseConv2dNative");
        const std::string w = fresh("w");
        const std::string right = fresh("right");
        const std::string sum = fresh("sum");
        m_builder
            .floats(w, {1, 1, stem.channels, left.channels}, numbers(stem.channels, left.channels))
            .node(
                right, "Conv2D", {stem.name, w},
                {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString("SAME")}})
            .node(sum, "Add", {left.name, right});
        return {sum, left.channels, left.side};
    }

    std::mt19937 m_random;
    GraphBuilder m_builder;
    std::uint32_t m_count = 0;
};

} // namespace

GraphPtr randomLayers(std::uint32_t seed)
{
    return LayerMaker(seed).run();
}

GraphPtr twoLayers(const char* activation, std::vector<float> bias)
{
    const TestAttrs same{{"strides", attr::fromInts({1, 1, 1, 1})},
                         {"padding", attr::fromString("SAME")}};
    return GraphBuilder()
        .placeholder("x", {1, 6, 6, 2})
        .floats("w", {1, 1, 2, 2}, {8, 0.1F, -4, 0.05F})
        .node("conv", "Conv2D", {"x", "w"}, same)
        .floats("bias", {2}, std::move(bias))
        .node("sum", "BiasAdd", {"conv", "bias"})
        .node("a", activation, {"sum"})
        .floats("v", {3, 3, 2, 2}, spreadValues(36))
        .node("y", "Conv2D", {"a", "v"}, same)
        .build();
}

} // namespace lapidary
