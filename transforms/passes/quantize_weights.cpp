// SPDX-License-Identifier: Apache-2.0
// quantize_weights
//
//   min = min(values, 0); max = max(values, 0); s = 256 / ((max - min) * (256 / 255.0))
//   code = clamp(round(v * s) - round(min * s), 0, 255)         (round half away from zero)
//
// Declines constants that hold NaN or infinity. Four bytes become one. If a step of the range is
// not a normal number (zeros, denormals), Dequantize would divide by zero: the range is then [0,
// 1], and every code 0. Other forms than the original's are in transforms/quantize/weight_form.h.
#include "runner/kernels/wide_loop.h"
#include "runner/threads/flush_denormals.h"
#include "runner/threads/parallel_for.h"
#include "transforms/constants/const_node.h"
#include "transforms/constants/float_at.h"
#include "transforms/constants/weight_range.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"
#include "transforms/quantize/bias_correction.h"
#include "transforms/quantize/weight_form.h"
#include "transforms/samples/samples.h"

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
                  .help = "leave smaller constants in float (number of elements)"},
    ParameterSpec{.name = "per_channel",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "use a scale per output channel, applied by a Mul after the Dequantize"},
    ParameterSpec{.name = "range",
                  .defaultText = "minmax",
                  .help = "minmax, or mse: clip the range if that lowers the squared error"},
    ParameterSpec{.name = "num_bits",
                  .type = ParameterType::Int32,
                  .defaultText = "8",
                  .help =
                      "from 2 to 8; fewer bits improve compression but not the uncompressed size"},
    ParameterSpec{.name = "small_bits",
                  .type = ParameterType::Int32,
                  .defaultText = "8",
                  .help = "8 or 16: bits for constants with fewer than small_size elements"},
    ParameterSpec{.name = "small_size",
                  .type = ParameterType::Int32,
                  .defaultText = "10000",
                  .help = "number of elements below which small_bits applies"},
    ParameterSpec{.name = "only_node",
                  .role = ParameterRole::Node,
                  .help = "quantize only the constants that this node reads; * and ? are wildcards",
                  .isRepeated = true},
    ParameterSpec{.name = "ignore_node",
                  .role = ParameterRole::Node,
                  .help = "leave the constants of this node in float; * and ? are wildcards",
                  .isRepeated = true},
    ParameterSpec{.name = "ignore_op",
                  .role = ParameterRole::Op,
                  .help = "leave the constants of this op in float",
                  .isRepeated = true},
    ParameterSpec{
        .name = "correct_bias",
        .defaultText = "none",
        .help = "correct biases for the shift that rounding causes: analytic, from the statistics "
                "of fold_old_batch_norms(keep_statistics=true), or empirical, from samples"},
    samplesParameter,
    inputMinParameter,
    inputMaxParameter,
};

// Rounds a number between -256 and 256, halves away from zero. Adds the largest number below one
// half, so that a number just below one half does not become 1.
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
        char* const to = codes; // copies, not aliased by the stores: it is vectorized
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

Result<EditResult> roundWeights(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                Findings* findings)
{
    ASSIGN_OR_RETURN(const auto minimum, args.parameters.oneInt32("minimum_size", 1024));
    ASSIGN_OR_RETURN(const auto form, weightForm(args.parameters));
    ReplaceOptions options{{"Const", {}}, {}, "quantized"};
    options.rewrite = [&](const Graph& g, const Match& match, Replacement& parts) -> Rewritten {
        const Node& node = g.node(match.node);
        if (std::string why = leftInFloat(g, match.node, form); !why.empty())
            return Declined{std::move(why)};
        Status others = Done{};
        Rewritten outcome = rewriteWeights(node, std::uint64_t(std::int64_t(minimum)),
                                           [&](std::string_view floats, const WeightRange& range) {
                                               if (form.isOriginal(node.tensor()->elements()))
                                                   quantize(node, floats, range, match.node, parts);
                                               else
                                                   others = addWeights(g, match.node, form, parts);
                                           });
        if (!others)
            return Declined{others.error().message};
        // A constant that was read is always replaced: the new node has its name.
        if (args.readsOnce && findings == nullptr && outcome.isDone())
            dropValue(g.nodes()[match.node.value]);
        return outcome;
    };
    return replaceOrFind(graph, args, options, job, findings);
}

Result<EditResult> roundAndCorrect(const GraphPtr& graph, const PassArgs& args, BiasCorrection how,
                                   const Job& job, Findings* findings)
{
    PassArgs again = args;
    again.readsOnce = false;
    ASSIGN_OR_RETURN(const auto rounded, roundWeights(graph, again, job, nullptr));
    EditChain chain(graph);
    RETURN_IF_ERROR(chain.apply(correctBiases(graph, rounded.graph, how, again, job, findings)));
    Findings weights;
    RETURN_IF_ERROR(chain.apply(
        roundWeights(chain.graph(), again, job, findings != nullptr ? &weights : nullptr)));
    for (Finding& finding : weights)
        findings->push_back(std::move(finding));
    return std::move(chain).finish();
}

Result<EditResult> convert(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    const auto how = biasCorrection(args.parameters);
    if (!how)
        return how.error().within("quantize_weights");
    if (*how == BiasCorrection::None)
        return roundWeights(graph, args, job, findings);
    return roundAndCorrect(graph, args, *how, job, findings);
}

} // namespace

const Pass passes::quantizeWeights{
    .name = "quantize_weights",
    .summary =
        "Stores large float constants as 8-bit codes with a Dequantize: a quarter of the size.",
    .before = "w = Const float",
    .after = "w = Dequantize(w_quantized_const, w_quantized_min, w_quantized_max), 8 bits a value\n"
             "with per_channel: w = Mul(w_unscaled, w_scale), w_unscaled = Dequantize(...)",
    .declines = "Constants that are not float, have fewer elements than minimum_size, or hold NaN "
                "or infinity, those that a node of ignore_node or ignore_op "
                "reads, and with only_node those that none of its nodes reads. Weights of "
                "no layer, or of two, have one scale with per_channel too. Biases are corrected "
                "where there is one, with analytic only after a folded normalization, a pool or "
                "an activation; with samples=random only where pictures are fed.",
    .differences = "The original makes wrong scales of such values, and NaN of constants that are "
                   "all zero. Control inputs and the device are kept; a name that is taken is an "
                   "error. It has no parameter but minimum_size.",
    .parameters = parameters,
    .find = OneWalk<convert>::find,
    .run = OneWalk<convert>::run,
};

} // namespace lapidary
