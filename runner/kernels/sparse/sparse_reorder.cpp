// SPDX-License-Identifier: Apache-2.0
// SparseReorder: the entries of a sparse tensor in row-major order of their indices.
#include "runner/kernels/sparse/sparse_tensor.h"

namespace lapidary {
namespace {

Status runSparseReorder(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto tensor, sparseTensor(context, 0));
    return giveEntries(context, tensor, rowMajorOrder(tensor), 0, 1);
}

} // namespace

LAPIDARY_KERNEL(SparseReorder, runSparseReorder);

} // namespace lapidary
