// SPDX-License-Identifier: Apache-2.0
// quantize_weights
//
//   min = min(values, 0); max = max(values, 0); s = 256 / ((max - min) * (256 / 255.0))
//   code = clamp(round(v * s) - round(min * s), 0, 255)         (round half away from zero)
//
// Declines constants that hold NaN or infinity. Four bytes become one. Where a step of the range is
// no normal number (zeros, denormals), Dequantize divides by zero: the range is [0, 1] there, and
// every code 0.
#include "runner/kernels/wide_loop.h"
#include "runner/threads/flush_denormals.h"
#include "runner/threads/parallel_for.h"
#include "transforms/constants/const_node.h"
#include "transforms/constants/float_at.h"
#include "transforms/constants/weight_range.h"
#include "transforms/match/replacement.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <string_view>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "minimum_size",
                  .type = ParameterType::Int32,
                  .defaultText = "1024",
                  .help = "constants with fewer elements stay as they are"},
};

// Half away from zero, of what is between -256 and 256: what is added is the largest number below
// one half, so that the sum of a number just below one half does not become 1.
inline std::int32_t nearest(double x)
{
    constexpr double belowHalf = 0.49999999999999994;
    return std::int32_t(x + std::copysign(belowHalf, x));
}

void packCodes(const char* floats, std::size_t count, const WeightRange& range, char* codes)
{
    const KeepDenormals keep;
    const double scale = 256.0 / (double(range.max - range.min) * (256.0 / 255.0));
    const std::int32_t lowest = nearest(double(range.min) * scale);
    wideLoop([=] {
        char* const to = codes; // which the stores cannot change: it becomes vectors
        const char* const from = floats;
        const double s = scale;
        const std::int32_t zero = lowest;
        for (std::size_t i = 0, n = count; i < n; ++i) {
            const std::int32_t code = nearest(double(floatAt(from, i)) * s) - zero;
            to[i] = char(std::uint8_t(std::clamp(code, 0, 255)));
        }
    });
}

void packAll(std::string_view floats, const WeightRange& range, char* codes)
{
    const auto count = std::int64_t(floats.size() / sizeof(float));
    parallelFor(count, 1, [&](std::int64_t begin, std::int64_t end) {
        packCodes(floats.data() + begin * std::int64_t(sizeof(float)), std::size_t(end - begin),
                  range, codes + begin);
    });
}

void quantize(const Node& node, std::string_view floats, WeightRange range, NodeId id,
              Replacement& parts)
{
    range.min = std::min(range.min, 0.0F);
    range.max = std::max(range.max, 0.0F);
    constexpr float narrowest = 256 * FLT_MIN;
    if (range.max - range.min < narrowest)
        range = {.min = 0, .max = 1};
    const std::string name(node.name());
    NodeDraft packed =
        filledConst(name + "_quantized_const", DType::QUInt8, {constDims(node), false},
                    floats.size() / sizeof(float), [&](char* to) { packAll(floats, range, to); });
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
    ASSIGN_OR_RETURN(const auto minimum, args.parameters.oneInt32("minimum_size", 1024));
    ReplaceOptions options{{"Const", {}}, {}, "quantized"};
    options.rewrite = [&](const Graph& g, const Match& match, Replacement& parts) {
        Rewritten outcome =
            rewriteWeights(g.node(match.node), std::uint64_t(std::int64_t(minimum)),
                           [&](std::string_view floats, const WeightRange& range) {
                               quantize(g.node(match.node), floats, range, match.node, parts);
                           });
        // What was read is always replaced: the new node has its name.
        if (args.readsOnce && findings == nullptr && outcome.isDone())
            dropValue(g.nodes()[match.node.value]);
        return outcome;
    };
    return replaceOrFind(graph, args, options, job, findings);
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    ASSIGN_OR_RETURN(const auto edit, convert(graph, args, job, &findings));
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
    .before = "w = Const float",
    .after = "w = Dequantize(w_quantized_const, w_quantized_min, w_quantized_max), 8 bits a value",
    .declines = "Constants that are not float, have fewer elements than minimum_size, or hold NaN "
                "or infinity.",
    .differences = "The original makes wrong scales of such values, and NaN of constants that are "
                   "all zero. Control inputs and the device are kept; a name that is taken is an "
                   "error.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
