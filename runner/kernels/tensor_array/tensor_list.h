// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <memory>
#include <string_view>
#include <vector>

namespace lapidary {

// A list of tensors. It is never changed: ops that change a list make a copy that shares the
// elements.
class TensorList final : public Resource {
public:
    DType dtype = DType::Invalid;
    Shape elementShape{.unknownRank = true};
    std::vector<Value> elements; // unset ones are zeros
    std::shared_ptr<void> charge;
    int depth = 1; // of lists in lists; bounded, because they are destroyed by recursion
};
using ListPtr = std::shared_ptr<const TensorList>;

// Returns input 0; fails if it is not a list, or not one of the type that the attribute names.
Result<ListPtr> listInput(const KernelContext& context, std::string_view dtypeAttr = {});
// Reads a shape from input `i`: a vector with -1 for unknown sizes, or a scalar -1.
Result<Shape> elementShapeInput(const KernelContext& context, std::size_t i);
Status giveList(KernelContext& context, std::size_t output, std::shared_ptr<TensorList> list);
std::shared_ptr<TensorList> copyOfList(const TensorList& list);
// Called before a list of `count` elements is made, so that making it cannot exhaust memory.
Status checkListCount(const KernelContext& context, std::int64_t count);
// Returns the element itself; if it is not set, zeros of the shape that the list, the node and the
// other elements have.
Result<Value> listElement(KernelContext& context, const TensorList& list, std::int64_t index,
                          const Shape& wanted);
// Fails if the item's type or shape does not fit the list.
Status checkListItem(const KernelContext& context, const TensorList& list, const Value& item);
void putListItem(TensorList& list, std::size_t index, const Value& item);

} // namespace lapidary
