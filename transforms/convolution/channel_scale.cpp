// SPDX-License-Identifier: Apache-2.0
#include "transforms/convolution/channel_scale.h"

#include "runner/kernels/wide_loop.h"
#include "runner/threads/flush_denormals.h"
#include "runner/threads/parallel_for.h"
#include "transforms/constants/const_node.h"
#include "transforms/constants/float_at.h"
#include "transforms/convolution/decline.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

// Repeats the factors of the channels until a row is long enough for vector instructions.
std::vector<float> rowOf(std::span<const float> factors)
{
    constexpr std::size_t shortest = 256;
    std::vector<float> row(factors.begin(), factors.end());
    while (row.size() < shortest)
        row.insert(row.end(), factors.begin(), factors.end());
    return row;
}

void scaleRow(const char* floats, const float* factors, std::size_t count, char* scaled)
{
    wideLoop([=] {
        const float* const by = factors; // a copy, which the stores do not alias
        const char* const from = floats;
        char* const to = scaled;
        for (std::size_t i = 0, n = count; i < n; ++i)
            putFloat(to, i, floatAt(from, i) * by[i]);
    });
}

void scaleAll(std::string_view floats, std::span<const float> factors, char* scaled)
{
    if (factors.empty())
        return;
    const std::vector<float> row = rowOf(factors);
    const std::size_t rowBytes = row.size() * sizeof(float);
    const std::size_t rows = (floats.size() + rowBytes - 1) / rowBytes;
    parallelFor(std::int64_t(rows), std::int64_t(row.size()),
                [&](std::int64_t first, std::int64_t last) {
                    const KeepDenormals keep;
                    for (auto i = std::size_t(first); i < std::size_t(last); ++i) {
                        const std::size_t at = i * rowBytes;
                        const std::size_t size = std::min(rowBytes, floats.size() - at);
                        scaleRow(floats.data() + at, row.data(), size / sizeof(float), scaled + at);
                    }
                });
}

} // namespace

Result<std::int64_t> outputChannels(const Node& conv, const Node& weights)
{
    const std::vector<std::int64_t> dims = constDims(weights);
    const bool isMatMul = conv.op() == "MatMul";
    if (dims.size() != (isMatMul ? 2U : 4U))
        return decline(weights, "has another rank than the weights of a " + std::string(conv.op()));
    if (isMatMul && conv.attr("transpose_b").asBool().value_or(false))
        return decline(conv, "reads its weights transposed");
    if (isMatMul)
        return dims[1];
    return conv.op() == "DepthwiseConv2dNative" ? dims[2] * dims[3] : dims[3];
}

Result<NodeDraft> scaledWeights(const Node& conv, const Node& weights,
                                std::span<const float> factors)
{
    const auto channels = outputChannels(conv, weights);
    RETURN_IF_ERROR(channels);
    if (*channels != std::int64_t(factors.size()))
        return decline(conv, "has " + std::to_string(*channels) +
                                 " output channels, but there are " +
                                 std::to_string(factors.size()) + " factors");
    const auto values = floatBytes(weights);
    if (!values)
        return decline(weights, values.error().message);
    const std::string_view floats = values->bytes();
    NodeDraft draft =
        filledConst(std::string(weights.name()), DType::Float, {constDims(weights), false},
                    floats.size(), [&](char* to) { scaleAll(floats, factors, to); });
    for (const Input& input : weights.inputs())
        draft.inputs.emplace_back(input.text);
    return draft;
}

} // namespace lapidary
