// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <compare>
#include <span>
#include <string_view>
#include <vector>

namespace lapidary {

// A sparse tensor among a kernel's inputs: a matrix of int64 indices, a vector of values and the
// dense shape. The indices may be outside of the shape and in any order, unless a kernel checks
// them.
struct SparseTensor {
    const Value* indices = nullptr;
    const Value* values = nullptr;
    Dims shape = {};

    std::int64_t count() const { return values->elements(); }
    std::size_t rank() const { return shape.size(); }
    std::span<const std::int64_t> index(std::int64_t i) const
    {
        return indices->as<std::int64_t>().subspan(std::size_t(i) * rank(), rank());
    }
};

// Returns the sparse tensor whose parts are these inputs. Fails if their sizes do not fit each
// other; the error names the inputs.
Result<SparseTensor> sparseTensor(const KernelContext& context, std::size_t indices,
                                  std::size_t values, std::size_t shape);
// Returns the sparse tensor of three consecutive inputs.
Result<SparseTensor> sparseTensor(const KernelContext& context, std::size_t first);

// Fails if an index is outside of the shape; the error names the first one.
Status checkInside(const KernelContext& context, const SparseTensor& tensor);

// Compares two indices; the first element that differs decides.
std::strong_ordering compareIndices(std::span<const std::int64_t> a,
                                    std::span<const std::int64_t> b);

// Returns the numbers 0 to count - 1 in the order of the indices of the tensor; equal ones keep
// their order. Throws RunStopped if the run is cancelled.
std::vector<std::int64_t> rowMajorOrder(const SparseTensor& tensor);

// Sets the outputs `indices` and `indices + step` to the indices and values of the given entries.
Status giveEntries(KernelContext& context, const SparseTensor& tensor,
                   std::span<const std::int64_t> entries, std::size_t indices, std::size_t step);
Status giveShape(KernelContext& context, std::size_t output, const Dims& shape);

} // namespace lapidary
