// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/lower/lowering.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// Makes the error with which a rule refuses a node.
inline Error unsuited(std::string reason)
{
    return {ErrorCode::Unsupported, std::move(reason)};
}

// Appends the operations that one node becomes.
class LowerSteps {
public:
    using Dims = std::vector<std::int64_t>;

    explicit LowerSteps(LowerNode& node)
        : m_node(node)
    {
    }

    // Appends an operation that makes an intermediate tensor of these sizes; returns the tensor.
    TensorIndex made(PortableKind kind, std::vector<TensorIndex> inputs, Dims dims,
                     DType dtype = DType::Float)
    {
        const TensorIndex output = m_node.between(portableKindName(kind), dtype, std::move(dims));
        m_node.emit(kind, std::move(inputs), {output});
        return output;
    }
    // Reduces axes, which stay with size 1 or are removed.
    TensorIndex reduced(PortableKind kind, TensorIndex x, Dims axes, bool keepsAxes, Dims dims)
    {
        const TensorIndex output =
            m_node.between(portableKindName(kind), DType::Float, std::move(dims));
        PortableOperation& operation = m_node.emit(kind, {x}, {output});
        operation.parameters.axes = std::move(axes);
        operation.parameters.keepsAxes = keepsAxes;
        return output;
    }
    TensorIndex number(float value) { return m_node.constant("number", {}, {value}); }
    TensorIndex int32s(Dims dims, const std::vector<std::int64_t>& values)
    {
        const std::vector<std::int32_t> narrow(values.begin(), values.end());
        return m_node.constantOf(
            "numbers", DType::Int32, std::move(dims),
            {reinterpret_cast<const char*>(narrow.data()), narrow.size() * sizeof(std::int32_t)});
    }

private:
    LowerNode& m_node;
};

} // namespace lapidary
