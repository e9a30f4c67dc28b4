// SPDX-License-Identifier: Apache-2.0
#include "runner/values/value_tensor.h"

#include "graph_model/tensor/make_tensor.h"

namespace lapidary {

Result<Tensor> tensorOf(const Value& value)
{
    const Shape shape{value.dims(), false};
    if (value.dtype() == DType::String)
        return makeStringTensor(shape, value.strings());
    if (dtypeSize(value.dtype()) == 0)
        return Error{ErrorCode::Unsupported,
                     std::string("holds a ") + dtypeName(value.dtype()) + ", which has no numbers"};
    return makeTensor(value.dtype(), shape, value.bytes());
}

} // namespace lapidary
