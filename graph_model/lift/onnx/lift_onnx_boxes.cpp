// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <limits>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::int64_t mostPairs = 256; // of a picture and a class; each becomes some nodes

std::string sliceOf(LiftDraft& d, const std::string& x, const Ints& first, const Ints& sizes)
{
    const std::string begin = d.intList(first);
    return d.step("Slice", {x, begin, d.intList(sizes)},
                  {typeAttr("T", DType::Float), typeAttr("Index", DType::Int32)});
}

// Corners of boxes [n, 4] that are given by center and size.
std::string corners(LiftDraft& d, const std::string& boxes)
{
    const std::string center = sliceOf(d, boxes, {0, 0}, {-1, 2});
    const std::string half =
        steps::both(d, "Mul", sliceOf(d, boxes, {0, 2}, {-1, 2}), d.oneFloat(0.5F));
    const std::string low = steps::both(d, "Sub", center, half);
    return steps::concat(d, {low, steps::both(d, "AddV2", center, half)}, 1, DType::Float);
}

struct Limits {
    std::string most;
    std::string overlap;
    std::string least;
};

Limits limitsOf(LiftDraft& d)
{
    const auto number = [&](std::size_t slot, float standard) {
        return d.has(slot) ? reshaped(d, d.in(slot), DType::Float, {}) : d.oneFloat(standard);
    };
    Limits limits;
    limits.most = d.has(2)
                      ? steps::cast(d, reshaped(d, d.in(2), d.type(2), {}), d.type(2), DType::Int32)
                      : d.oneInt(0);
    limits.overlap = number(3, 0);
    limits.least = number(4, std::numeric_limits<float>::lowest());
    return limits;
}

// Rows [picture, class, place] of what stays of one class in one picture.
std::string staying(LiftDraft& d, const std::string& boxes, const std::string& scores,
                    const Limits& limits, std::int64_t picture, std::int64_t kind)
{
    const std::string places =
        d.step("NonMaxSuppressionV3", {boxes, scores, limits.most, limits.overlap, limits.least},
               {typeAttr("T", DType::Float)});
    const std::string wide = steps::cast(d, places, DType::Int32, DType::Int64);
    const std::string column = reshaped(d, wide, DType::Int64, {-1, 1});
    const auto same = [&](std::int64_t number) {
        const std::string zeros = steps::one(d, "ZerosLike", column, DType::Int64);
        return steps::both(d, "AddV2", zeros, d.oneInt64(number), DType::Int64);
    };
    const std::string first = same(picture);
    return steps::concat(d, {first, same(kind), column}, 1, DType::Int64);
}

} // namespace

bool liftOnnxBoxes(LiftDraft& d)
{
    if (d.node().op() != "NonMaxSuppression")
        return false;
    const auto shape = d.shape(1); // [pictures, classes, boxes]
    if (!shape || shape->dims.size() != 3 || shape->dims[0] < 1 || shape->dims[1] < 1 ||
        shape->dims[0] > mostPairs || shape->dims[1] > mostPairs / shape->dims[0])
        return false;
    const Limits limits = limitsOf(d);
    std::vector<std::string> rows;
    for (std::int64_t picture = 0; picture < shape->dims[0]; ++picture) {
        std::string boxes =
            reshaped(d, sliceOf(d, d.in(0), {picture, 0, 0}, {1, -1, 4}), DType::Float, {-1, 4});
        if (d.intAttr("center_point_box", 0) != 0)
            boxes = corners(d, boxes);
        for (std::int64_t kind = 0; kind < shape->dims[1]; ++kind) {
            const std::string scores = reshaped(
                d, sliceOf(d, d.in(1), {picture, kind, 0}, {1, 1, -1}), DType::Float, {-1});
            rows.push_back(staying(d, boxes, scores, limits, picture, kind));
        }
    }
    d.give({rows.size() == 1 ? rows.front() : steps::concat(d, std::move(rows), 0, DType::Int64)});
    return true;
}

} // namespace lapidary
