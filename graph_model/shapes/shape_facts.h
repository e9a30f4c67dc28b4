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
// TensorFlow's own limit: a longer shape cannot be run.
inline constexpr std::size_t maxRank = 254;
// Larger tensors never say a shape, an axis or a size; their values are not followed.
inline constexpr std::int64_t maxKnownElements = 1024;

// The values of a small tensor, as far as they follow from the graph. `items` for integers and
// bools, `unknownItem` for an unknown one; `floats` if everything is known and the dtype is half,
// float or double (each of which a double represents exactly).
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

// All that is known of one tensor.
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
// The rank is known and every size; one below 0, as a file may have it, is not.
bool isFullyKnown(const Shape& shape);

// Returns the common part of two shapes of one tensor: unequal sizes become unknown, unequal ranks
// leave nothing.
Shape commonShape(const Shape& a, const Shape& b);
// True where every size that `b` knows is the same in `a`.
bool refines(const Shape& a, const Shape& b);
// Returns whether some tensor could have both shapes.
bool areCompatible(const Shape& a, const Shape& b);
// Returns the combination of both shapes, which must be compatible.
Shape mergedShape(const Shape& a, const Shape& b);

} // namespace lapidary
