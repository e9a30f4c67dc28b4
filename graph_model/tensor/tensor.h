// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A TensorProto, decoded lazily: nothing is copied until values are needed. The semantics are those
// of TensorFlow's Tensor::FromProto: if the value field holds fewer values than the shape, the last
// one fills the rest; tensor_content takes precedence over it.
class Tensor {
public:
    // Examines only dtype, shape and the layout of the value fields. `owner` keeps `proto` alive.
    // Fails if TensorFlow's C++ decoder does; the message gives the reason, without naming the
    // node.
    static Result<Tensor> decode(std::string_view proto, BufferPtr owner);

    DType dtype() const { return m_dtype; }
    const Shape& shape() const { return m_shape; }
    std::int64_t elements() const { return m_elements; }

    // Returns the bytes of tensor_content without a copy if the tensor is stored that way,
    // otherwise an empty view.
    std::string_view content() const { return m_content; }
    // Returns whether fewer values are stored than the shape holds; the last one fills the rest.
    bool isSplat() const { return m_stored < m_elements; }
    std::int64_t storedElements() const { return m_stored; }

    // Returns all elements as row-major little-endian bytes, bool normalized to 0 and 1. Errors:
    // more than `limit` bytes (splats can have terabytes), and files that have changed.
    Result<std::string> values(std::uint64_t limit = std::uint64_t(4) << 30) const;
    // Same for elements [begin, end).
    Result<std::string> bytes(std::int64_t begin, std::int64_t end) const;
    // Returns the elements of a string tensor.
    Result<std::vector<std::string>> strings(std::uint64_t limit = 1U << 24) const;
    // Returns elements [begin, end) of any real dtype as doubles, and magnitudes for complex ones.
    // For statistics and tables; never expands a splat beyond the range.
    Result<std::vector<double>> numbers(std::int64_t begin, std::int64_t end) const;

private:
    // Returns elements [begin, end) as bytes. dtypeSize() must not be 0.
    std::string elementBytes(std::int64_t begin, std::int64_t end) const;

    BufferPtr m_owner;
    std::string_view m_proto;
    std::string_view m_content;
    Shape m_shape;
    std::int64_t m_elements = 0;
    std::int64_t m_stored = 0;
    DType m_dtype = DType::Invalid;
};

} // namespace lapidary
