// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_rows.h"

#include "graph_model/lift/lift_steps.h"

#include <algorithm>
#include <numbers>

namespace lapidary {
namespace {

std::string_view takeWord(std::string_view& words)
{
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    return word;
}

} // namespace

const LiftRow* findRow(std::span<const LiftRow> rows, std::string_view op)
{
    const auto found = std::ranges::find(rows, op, &LiftRow::op);
    return found == rows.end() ? nullptr : &*found;
}

std::string liftByRow(LiftDraft& draft, const LiftRow& row)
{
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < draft.slots(); ++slot)
        if (draft.has(slot))
            inputs.push_back(draft.in(slot));
    LiftDraft::Attrs attrs;
    for (std::string_view rest = row.types; !rest.empty();) {
        const std::string_view word = takeWord(rest);
        const std::size_t colon = word.find(':');
        const auto slot = std::size_t(word[colon + 1] - '0');
        attrs.push_back(typeAttr(std::string(word.substr(0, colon)), draft.type(slot)));
    }
    for (std::string_view rest = row.attrs; !rest.empty();) {
        const std::string_view word = takeWord(rest);
        const std::size_t equals = word.find('=');
        const AttrValue value =
            draft.node().attr(equals == word.npos ? word : word.substr(equals + 1));
        if (value.kind() != AttrKind::None)
            attrs.emplace_back(word.substr(0, equals), std::string(value.encoded()));
    }
    return draft.step(row.tensorFlow, std::move(inputs), std::move(attrs));
}

std::string transposed(LiftDraft& draft, const std::string& tensor, DType dtype,
                       const LiftDraft::Ints& order)
{
    return draft.step("Transpose", {tensor, draft.intList(order)},
                      {typeAttr("T", dtype), typeAttr("Tperm", DType::Int32)});
}

const LiftDraft::Attrs& floats()
{
    static const LiftDraft::Attrs attrs{typeAttr("T", DType::Float)};
    return attrs;
}

std::string geluOf(LiftDraft& d, const std::string& x, bool isApproximate)
{
    std::string bent;
    if (isApproximate) {
        const std::string cube = steps::both(d, "Mul", d.step("Square", {x}, floats()), x);
        const std::string part = steps::both(d, "Mul", cube, d.oneFloat(0.044715F));
        const std::string sum = steps::both(d, "AddV2", x, part);
        const float root = 0.7978845608F; // sqrt(2 / pi)
        bent = d.step("Tanh", {steps::both(d, "Mul", sum, d.oneFloat(root))}, floats());
    } else {
        const float root = float(1 / std::numbers::sqrt2);
        bent = d.step("Erf", {steps::both(d, "Mul", x, d.oneFloat(root))}, floats());
    }
    const std::string one = steps::both(d, "AddV2", bent, d.oneFloat(1));
    const std::string half = steps::both(d, "Mul", x, d.oneFloat(0.5F));
    return steps::both(d, "Mul", half, one);
}

std::string spreadFilter(LiftDraft& d, const std::string& filter, const LiftDraft::Ints& dims,
                         const LiftDraft::Ints& dilation)
{
    using Ints = LiftDraft::Ints;
    constexpr std::int64_t most = 4096; // elements of an axis, and of dilations
    Ints sizes = dims;
    std::string made = filter;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::int64_t by = dilation[axis];
        if (by == 1 || sizes[axis] == 1)
            continue;
        if (by < 1 || by > most || sizes[axis] > most / by)
            return {};
        const std::int64_t before = axis == 0 ? 1 : sizes[0];
        made = reshaped(d, made, DType::Float, {before, sizes[axis], 1, -1});
        made = d.step("Pad", {made, d.intMatrix({4, 2}, {0, 0, 0, 0, 0, by - 1, 0, 0})},
                      {typeAttr("T", DType::Float), typeAttr("Tpaddings", DType::Int32)});
        Ints whole = sizes;
        whole[axis] *= by;
        made = reshaped(d, made, DType::Float, whole);
        sizes[axis] = (sizes[axis] - 1) * by + 1;
        const std::string first = d.intList({0, 0, 0, 0});
        made = d.step("Slice", {made, first, d.intList(sizes)},
                      {typeAttr("T", DType::Float), typeAttr("Index", DType::Int32)});
    }
    return made;
}

std::string dequantized(LiftDraft& draft, const std::string& codes, DType dtype,
                        const StoredScales& scales)
{
    LiftDraft::Attrs attrs{typeAttr("T", dtype)};
    addOperandScales(attrs, "in0", scales);
    return draft.step("_Tflite_DEQUANTIZE", {codes}, std::move(attrs));
}

std::string channelsLast(LiftDraft& draft, const std::string& tensor, DType dtype)
{
    return transposed(draft, tensor, dtype, {0, 2, 3, 1});
}

std::string channelsSecond(LiftDraft& draft, const std::string& tensor, DType dtype)
{
    return transposed(draft, tensor, dtype, {0, 3, 1, 2});
}

std::string reshaped(LiftDraft& draft, const std::string& tensor, DType dtype,
                     const LiftDraft::Ints& dims)
{
    return draft.step("Reshape", {tensor, draft.intList(dims)},
                      {typeAttr("T", dtype), typeAttr("Tshape", DType::Int32)});
}

} // namespace lapidary
