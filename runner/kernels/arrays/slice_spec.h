// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Describes what a StridedSlice selects, one entry an axis of the input: size[i] steps of stride[i]
// from begin[i] on.
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

} // namespace lapidary
