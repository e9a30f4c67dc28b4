// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// The elements that a StridedSlice selects, with one entry for each axis of the input: size[i]
// elements from begin[i] on, in steps of stride[i].
struct StridedBox {
    Dims begin;
    Dims stride;
    Dims size;
    Dims outputDims; // with the new axes, without the shrunk ones
};

// Reads the masks of the node and begin, end and strides from the inputs first..first + 2, for an
// input of shape `dims`.
Result<StridedBox> readStridedBox(const KernelContext& context, std::size_t first,
                                  const Dims& dims);

// Writes `part` into the box of `whole`.
Status writeBox(const KernelContext& context, const Value& part, Value& whole,
                const StridedBox& box);
// Returns the part of input 0 to which a node assigns input 4: inputs 1 to 3 are begin, end and
// strides. Fails if the value has another shape than the slice or another type than the whole.
Result<StridedBox> assignedBox(const KernelContext& context, const Value& whole);

} // namespace lapidary
