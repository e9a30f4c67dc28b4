// SPDX-License-Identifier: Apache-2.0
// Operators on codes of 8 bits that TFLite's reference kernels compute in integers: they become
// nodes of this program's own, whose kernels (runner/kernels/tflite) compute exactly the same
// codes. An operator X becomes _Tflite_X. Others compute with the numbers that the codes represent.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

enum class Types : std::uint8_t { Both, Signed };
enum class Makes : std::uint8_t { Codes, Truths };

struct CodeRow {
    std::string_view op;
    std::uint8_t codes = 0b1; // a bit for each slot that must have codes
    Types types = Types::Both;
    Makes makes = Makes::Codes;
    bool hasWeights = false; // slot 1, possibly with a scale for each channel
};

constexpr std::array codeRows = std::to_array<CodeRow>({
    {"ABS", 0b1, Types::Signed},
    {"ADD", 0b11},
    {"AVERAGE_POOL_2D"},
    {"BATCH_MATMUL", 0b11, Types::Signed},
    {"CONV_2D", 0b11, Types::Both, Makes::Codes, true},
    {"DEPTHWISE_CONV_2D", 0b11, Types::Both, Makes::Codes, true},
    {"DIV", 0b11},
    {"ELU", 0b1, Types::Signed},
    {"EQUAL", 0b11, Types::Both, Makes::Truths},
    {"EXP", 0b1, Types::Signed},
    {"FULLY_CONNECTED", 0b11, Types::Both, Makes::Codes, true},
    {"GELU"},
    {"GREATER", 0b11, Types::Both, Makes::Truths},
    {"GREATER_EQUAL", 0b11, Types::Both, Makes::Truths},
    {"HARD_SWISH"},
    {"L2_NORMALIZATION"},
    {"LEAKY_RELU"},
    {"LESS", 0b11, Types::Both, Makes::Truths},
    {"LESS_EQUAL", 0b11, Types::Both, Makes::Truths},
    {"LOG", 0b1, Types::Signed},
    {"LOGISTIC"},
    {"LOG_SOFTMAX", 0b1, Types::Signed},
    {"MEAN"},
    {"MUL", 0b11},
    {"NOT_EQUAL", 0b11, Types::Both, Makes::Truths},
    {"PRELU", 0b11},
    {"RELU"},
    {"RELU6"},
    {"RELU_0_TO_1"},
    {"RELU_N1_TO_1"},
    {"RESIZE_BILINEAR"},
    {"RSQRT", 0b1, Types::Signed},
    {"SOFTMAX"},
    {"SQRT", 0b1, Types::Signed},
    {"SQUARED_DIFFERENCE", 0b11, Types::Signed},
    {"SUB", 0b11},
    {"SUM"},
    {"TANH"},
    {"TRANSPOSE_CONV", 0b110, Types::Both, Makes::Codes, true},
});

bool isCode(DType dtype)
{
    return dtype == DType::Int8 || dtype == DType::UInt8;
}

DType codesOut(const LiftDraft& d)
{
    const auto types = d.node().attr("_output_types").types();
    return d.outScales(0) && !types.empty() && isCode(types[0]) ? types[0] : DType::Invalid;
}

// Returns the type of an input's codes, if it has one scale; `isWeight`: or several.
DType codesIn(const LiftDraft& d, std::size_t slot, bool isWeight = false)
{
    const auto* scales = d.inScales(slot);
    const DType dtype = d.state(slot).dtype;
    return scales && isCode(dtype) && (isWeight || scales->scales.size() == 1) ? dtype
                                                                               : DType::Invalid;
}

// Returns whether an activation is a bound, which the kernels apply to codes; others are functions.
bool isBound(std::string_view activation)
{
    return activation.empty() || activation == "NONE" || activation.starts_with("RELU");
}

bool fits(const LiftDraft& d, const CodeRow& row)
{
    DType dtype = DType::Invalid;
    for (std::size_t slot = 0; row.codes >> slot != 0; ++slot) {
        if ((row.codes >> slot & 1) == 0)
            continue;
        const DType found = codesIn(d, slot, row.hasWeights && slot == 1);
        if (found == DType::Invalid || (dtype != DType::Invalid && found != dtype))
            return false;
        dtype = found;
    }
    const bool isMade = row.makes == Makes::Truths || codesOut(d) == dtype;
    return isMade && isBound(d.textAttr("fused_activation_function")) &&
           (row.types == Types::Both || dtype == DType::Int8);
}

// Returns the operator's own options, and the scales of its operands.
LiftDraft::Attrs attrsOf(const LiftDraft& d)
{
    LiftDraft::Attrs attrs;
    for (const Attr& attr : d.node().attrs())
        if (!attr.name.starts_with('_'))
            attrs.emplace_back(std::string(attr.name), std::string(attr.value.encoded()));
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        if (const auto* scales = d.inScales(slot))
            addOperandScales(attrs, "in" + std::to_string(slot), *scales);
    if (const auto* scales = d.outScales(0))
        addOperandScales(attrs, "out", *scales);
    return attrs;
}

std::string ownName(const LiftDraft& d)
{
    return "_Tflite_" + std::string(d.node().op());
}

// Returns whether it is a product with one matrix of weights, as in a fully connected layer.
bool isDenseProduct(const LiftDraft& d)
{
    const auto x = d.shape(0);
    const auto weights = d.dims(1);
    return d.node().op() == "BATCH_MATMUL" && x && x->dims.size() >= 2 && weights &&
           weights->size() == 2 && !d.node().attr("adj_x").asBool().value_or(false);
}

// Returns whether data and outputs have 16 bits around 0, and weights 8.
bool isWide(const LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const auto types = d.node().attr("_output_types").types();
    const auto isAroundZero = [](const StoredScales* scales) {
        return scales != nullptr && scales->scales.size() == 1 &&
               std::ranges::all_of(scales->zeroPoints, [](auto zero) { return zero == 0; });
    };
    const bool isLayer = op == "CONV_2D" || op == "FULLY_CONNECTED" || isDenseProduct(d);
    return isLayer && d.state(0).dtype == DType::Int16 && codesIn(d, 1, true) == DType::Int8 &&
           isAroundZero(d.inScales(0)) && isAroundZero(d.outScales(0)) && !types.empty() &&
           types[0] == DType::Int16 && isBound(d.textAttr("fused_activation_function"));
}

bool giveByCodes(LiftDraft& d, const std::string& name)
{
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        if (d.has(slot))
            inputs.push_back(d.stored(slot));
    if (std::ranges::count(inputs, std::string()) != 0) // dangling
        return false;
    d.giveStored({d.step(name, std::move(inputs), attrsOf(d))});
    return true;
}

// The weights are [in, out], those of a fully connected layer [out, in].
bool liftWideProduct(LiftDraft& d)
{
    std::string weights = d.stored(1);
    if (d.stored(0).empty() || weights.empty())
        return false;
    if (!d.node().attr("adj_y").asBool().value_or(false))
        weights = transposed(d, weights, DType::Int8, {1, 0});
    LiftDraft::Attrs attrs = attrsOf(d);
    attrs.emplace_back("keep_num_dims", attr::fromBool(true));
    d.giveStored({d.step("_Tflite_FULLY_CONNECTED_16X8", {d.stored(0), weights}, attrs)});
    return true;
}

// Quantizes numbers, or codes with another scale.
bool liftQuantize(LiftDraft& d)
{
    const DType out = codesOut(d);
    const bool isNumber = d.state(0).dtype == DType::Float && !d.inScales(0);
    if (out == DType::Invalid || (!isNumber && codesIn(d, 0) == DType::Invalid) ||
        d.outScales(0)->scales.size() != 1)
        return false;
    LiftDraft::Attrs attrs = attrsOf(d);
    attrs.push_back(typeAttr("T", d.state(0).dtype));
    attrs.push_back(typeAttr("out_codes", out));
    d.giveStored({d.step(ownName(d), {d.stored(0)}, std::move(attrs))});
    return true;
}

bool liftConcatenation(LiftDraft& d)
{
    const DType out = codesOut(d);
    if (out == DType::Invalid || d.outScales(0)->scales.size() != 1 || d.slots() == 0 ||
        !isBound(d.textAttr("fused_activation_function")) ||
        d.textAttr("fused_activation_function").starts_with("RELU"))
        return false;
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        if (codesIn(d, slot) != out)
            return false;
    const StoredScales& to = *d.outScales(0);
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < d.slots(); ++slot) {
        const StoredScales& from = *d.inScales(slot);
        inputs.push_back(d.stored(slot));
        if (from.scales == to.scales && from.zeroPoints == to.zeroPoints)
            continue;
        LiftDraft::Attrs attrs;
        addOperandScales(attrs, "in0", from);
        addOperandScales(attrs, "out", to);
        inputs.back() = d.step(ownName(d), {inputs.back()}, std::move(attrs));
    }
    const auto count = attr::fromInt(std::int64_t(inputs.size()));
    inputs.push_back(d.oneInt(d.intAttr("axis", 0)));
    d.giveStored({d.step("ConcatV2", std::move(inputs),
                         {{"N", count}, typeAttr("T", out), typeAttr("Tidx", DType::Int32)})});
    return true;
}

} // namespace

bool liftTfliteCodes(LiftDraft& draft)
{
    const std::string_view op = draft.node().op();
    if (draft.coded() == CodedOperators::AsPairs)
        return false;
    if (op == "QUANTIZE")
        return liftQuantize(draft);
    if (op == "CONCATENATION")
        return liftConcatenation(draft);
    if (isWide(draft) && op == "BATCH_MATMUL")
        return liftWideProduct(draft);
    if (isWide(draft))
        return giveByCodes(draft, ownName(draft) + "_16X8");
    const auto row = std::ranges::find(codeRows, op, &CodeRow::op);
    return row != codeRows.end() && fits(draft, *row) && giveByCodes(draft, ownName(draft));
}

} // namespace lapidary
