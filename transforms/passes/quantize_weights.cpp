// quantize_weights
//
//   before:  w = Const float
//   after:   w = Dequantize(Const quint8 w_quantized_const, w_quantized_min, w_quantized_max)
//
//   min = min(values, 0); max = max(values, 0); s = 256 / ((max - min) * (256 / 255.0))
//   code = clamp(round(v * s) - round(min * s), 0, 255)         (round half away from zero)
//
// Declines constants that hold NaN or infinity. Four bytes become one.
#include "runner/threads/parallel_for.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/const_node.h"
#include "transforms/pass/weight_range.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "minimum_size",
                  .type = "int32",
                  .defaultText = "1024",
                  .help = "constants with fewer elements stay as they are"},
};

constexpr float smallestShared = 1e-25F; // a range in which denormal numbers are zero

// Half away from zero, of what is between -256 and 256.
std::int32_t nearest(double x)
{
    const auto whole = std::int32_t(x);
    const double rest = x - double(whole);
    return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

std::string codes(const std::vector<float>& values, float min, float max)
{
    const double scale = 256.0 / (double(max - min) * (256.0 / 255.0));
    const std::int32_t lowest = nearest(double(min) * scale);
    std::string bytes(values.size(), '\0');
    const auto packPart = [&](std::int64_t begin, std::int64_t end) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
            const std::int32_t code = nearest(double(values[i]) * scale) - lowest;
            bytes[i] = char(std::uint8_t(std::clamp(code, 0, 255)));
        }
    };
    const auto count = std::int64_t(values.size());
    // Other threads may read denormal numbers as zero.
    if (max - min < smallestShared)
        packPart(0, count);
    else
        parallelFor(count, 1, packPart);
    return bytes;
}

void quantize(const Node& node, const std::vector<float>& values, WeightRange range, NodeId id,
              Replacement& parts)
{
    range.min = std::min(range.min, 0.0F);
    range.max = std::max(range.max, 0.0F);
    if (range.min == range.max)
        range = {0, 1};
    const std::string name(node.name());
    NodeDraft packed = constNode(name + "_quantized_const", DType::QUInt8, {constDims(node), false},
                                 codes(values, range.min, range.max));
    packed.device = node.device();
    for (const Input& input : node.inputs())
        packed.inputs.emplace_back(input.text);
    NodeDraft unpack =
        newNode(name, "Dequantize",
                {name + "_quantized_const", name + "_quantized_min", name + "_quantized_max"});
    unpack.device = node.device();
    unpack.setAttr("T", attr::fromType(DType::QUInt8));
    unpack.setAttr("mode", attr::fromString("MIN_FIRST"));
    parts.add(std::move(packed), {id});
    parts.add(floatScalar(name + "_quantized_min", range.min), {id});
    parts.add(floatScalar(name + "_quantized_max", range.max), {id});
    parts.change(id, std::move(unpack));
}

Result<EditResult> convert(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    const auto minimum = args.parameters.oneInt32("minimum_size", 1024);
    if (!minimum)
        return minimum.error();
    ReplaceOptions options{{"Const", {}}, {}, "quantised"};
    options.rewrite = [&](const Graph& g, const Match& match, Replacement& parts) {
        return rewriteWeights(g.node(match.node), std::uint64_t(std::int64_t(minimum.value())),
                              [&](const std::vector<float>& values, const WeightRange& range) {
                                  quantize(g.node(match.node), values, range, match.node, parts);
                              });
    };
    return replaceOrFind(graph, args, options, job, findings);
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    const auto edit = convert(graph, args, job, &findings);
    if (!edit)
        return edit.error();
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return convert(graph, args, job, nullptr);
}

} // namespace

const Pass passes::quantizeWeights{
    .name = "quantize_weights",
    .summary = "Stores large float constants in 8 bits behind a Dequantize: a quarter of the size.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
