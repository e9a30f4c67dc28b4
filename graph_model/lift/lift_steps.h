// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <string>
#include <string_view>
#include <vector>

// Short sequences of nodes for many operators.
namespace lapidary::steps {

// Returns x itself if the types are the same, or if the type of x is unknown because its producer
// was not lifted.
std::string cast(LiftDraft& draft, const std::string& x, DType from, DType to);
// Makes a constant of that type.
std::string scalar(LiftDraft& draft, DType dtype, double value);
// Makes op(a, b) of one type.
std::string both(LiftDraft& draft, std::string_view op, const std::string& a, const std::string& b,
                 DType dtype = DType::Float);
std::string one(LiftDraft& draft, std::string_view op, const std::string& x,
                DType dtype = DType::Float);

// Return the sizes of a tensor as a list of int32 or int64, and parts of such a list.
std::string sizes(LiftDraft& draft, const std::string& x, DType dtype,
                  DType ofSizes = DType::Int64);
std::string part(LiftDraft& draft, const std::string& list, std::int64_t first, std::int64_t count,
                 DType dtype = DType::Int64);
std::string sizeAt(LiftDraft& draft, const std::string& x, DType dtype, std::int64_t axis,
                   DType ofSizes = DType::Int64);
std::string concat(LiftDraft& draft, std::vector<std::string> parts, std::int64_t axis,
                   DType dtype);
std::string reshape(LiftDraft& draft, const std::string& x, DType dtype, const std::string& sizes,
                    DType ofSizes = DType::Int64);
std::string expandDims(LiftDraft& draft, const std::string& x, DType dtype, std::int64_t axis);
std::string gather(LiftDraft& draft, const std::string& x, DType dtype, const std::string& places,
                   DType ofPlaces, std::int64_t axis);
std::string select(LiftDraft& draft, const std::string& condition, const std::string& then,
                   const std::string& other, DType dtype);
std::string reduce(LiftDraft& draft, std::string_view op, const std::string& x, DType dtype,
                   const LiftDraft::Ints& axes, bool keeps);
// Returns the names of a node's `count` outputs.
std::vector<std::string> ports(const std::string& made, std::size_t count);

} // namespace lapidary::steps
