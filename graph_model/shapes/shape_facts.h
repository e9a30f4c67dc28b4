// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace lapidary {

inline constexpr std::int64_t unknownDim = -1;
inline constexpr std::int64_t unknownItem = std::numeric_limits<std::int64_t>::min();
// TensorFlow's limit: a tensor of a higher rank cannot be run.
inline constexpr std::size_t maxRank = 254;
// Larger tensors are never used as a shape, an axis or a size; their values are not followed.
inline constexpr std::int64_t maxKnownElements = 1024;

// The values of a small tensor, as far as they follow from the graph. `items` is for integers and
// bools, with `unknownItem` for an unknown one; `floats` is set if everything is known and the
// dtype is half, float or double (each of which a double represents exactly).
struct KnownValues {
    std::vector<std::int64_t> items;
    std::optional<std::vector<double>> floats;

    bool isComplete() const;
};
using KnownValuesPtr = std::shared_ptr<const KnownValues>;

// The target of a resource, reference or TensorArray handle.
struct HandleFacts {
    Shape shape{{}, true};        // of the variable
    NodeId array;                 // the TensorArrayV3 node; invalid for others
    DType dtype = DType::Invalid; // of the variable; Invalid: not known
};
using HandleFactsPtr = std::shared_ptr<const HandleFacts>;

// Everything known about one tensor.
struct TensorState {
    Shape shape{{}, true};
    KnownValuesPtr known;
    HandleFactsPtr handle;
    DType dtype = DType::Invalid;
};

inline Shape unknownShape()
{
    return {{}, true};
}
inline Shape unknownDims(std::size_t rank)
{
    return {std::vector<std::int64_t>(rank, unknownDim), false};
}
// Returns whether the rank and every size are known; a size below 0, which a file may contain, is
// not.
bool isFullyKnown(const Shape& shape);

// Returns the common part of two shapes of one tensor: unequal sizes become unknown, unequal ranks
// give an unknown shape.
Shape commonShape(const Shape& a, const Shape& b);
// Returns whether all sizes known in `b` are the same in `a`.
bool refines(const Shape& a, const Shape& b);
// Returns whether a tensor could have both shapes.
bool areCompatible(const Shape& a, const Shape& b);
// Returns the combination of both shapes, which must be compatible.
Shape mergedShape(const Shape& a, const Shape& b);

} // namespace lapidary
