// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct OnnxLift {
    std::string_view op;
    bool (*lift)(LiftDraft& draft);
};

inline bool liftFrom(std::span<const OnnxLift> table, LiftDraft& draft)
{
    const auto found = std::ranges::find(table, draft.node().op(), &OnnxLift::op);
    return found != table.end() && found->lift(draft);
}

inline bool isFloat(const LiftDraft& draft)
{
    return draft.type(0) == DType::Float;
}

inline bool isRankedFloat(const LiftDraft& draft)
{
    return isFloat(draft) && draft.shape(0).has_value();
}

// Returns a list that newer operators take as an input and older ones have as an attribute; empty
// if there is neither. Nothing if it is computed.
inline std::optional<LiftDraft::Ints> listOf(const LiftDraft& draft, std::size_t slot,
                                             std::string_view attr)
{
    return draft.has(slot) ? draft.ints(slot) : std::optional(draft.intsAttr(attr));
}

// Appends a convolution with the node's attributes and weights of these sizes; the bias may be
// empty. Returns its name; empty if it is not lifted.
std::string convolved(LiftDraft& draft, const std::string& input, const std::string& filter,
                      const std::optional<LiftDraft::Ints>& weights, const std::string& bias);

// Makes the average pool of floats [n, c, ...] with the node's attributes. Returns an empty text if
// it is not lifted.
std::string averagePooled(LiftDraft& draft, const std::string& x);

// Returns the attribute "axis" as a number from 0; nothing if that depends on an unknown rank.
std::optional<std::int64_t> onnxAxis(const LiftDraft& draft, std::int64_t standard);

// Returns whether indices along that axis can be completed by the indices along all other axes.
bool areElementPlaces(const Shape& shape, std::int64_t axis);
// Returns the index of each element of a tensor along one of its axes, int32 of the same shape.
std::string placesAlong(LiftDraft& draft, const std::string& like, DType dtype, std::int64_t axis,
                        std::int64_t rank);
// Returns the indices in input 0 of the elements that an input of indices along one axis names:
// int32
// [..., rank].
std::string elementPlaces(LiftDraft& draft, std::size_t slot, std::int64_t axis, std::int64_t rank);
// Returns an input of indices [..., depth] for the axes of input 0 from `first` on, with negative
// ones converted to non-negative ones.
std::string rowPlaces(LiftDraft& draft, std::size_t slot, std::int64_t first, std::int64_t depth);

// Computes Softmax, or LogSoftmax, over all of these axes at once.
std::string softmaxAlong(LiftDraft& draft, std::string_view op, const std::string& x, DType dtype,
                         const LiftDraft::Ints& axes);
// Makes Softmax or LogSoftmax by the node's attributes and that opset: over one axis, and before
// opset 13 over it and all later ones. Returns an empty text if it is not lifted.
std::string softmaxOf(LiftDraft& draft, std::string_view op, const std::string& x, DType dtype,
                      std::int64_t opset);

} // namespace lapidary
