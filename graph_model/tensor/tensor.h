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

// A TensorProto, decoded lazily: nothing is copied until values are asked for. Semantics as
// TensorFlow's Tensor::FromProto (spec: tensor_proto, section 3).
class Tensor {
public:
    // Looks at dtype, shape and the layout of the value fields only. `owner` keeps `proto` alive.
    // Fails where TensorFlow's C++ decoder does; the message says why, without naming the node.
    static Result<Tensor> decode(std::string_view proto, BufferPtr owner);

    DType dtype() const { return m_dtype; }
    const Shape& shape() const { return m_shape; }
    std::int64_t elements() const { return m_elements; }

    // The bytes of tensor_content where the tensor is stored that way, else empty: no copy.
    std::string_view content() const { return m_content; }
    // True where fewer values are stored than the shape holds: the last one stands for the rest.
    bool isSplat() const { return m_stored < m_elements; }
    std::int64_t storedElements() const { return m_stored; }

    // All elements as row-major little-endian bytes, bool normalised to 0 and 1. Refuses more than
    // `limit` bytes (splats can ask for terabytes) and files that changed.
    Result<std::string> values(std::uint64_t limit = std::uint64_t(4) << 30) const;
    // The same for elements [begin, end).
    Result<std::string> bytes(std::int64_t begin, std::int64_t end) const;
    // Elements of a string tensor.
    Result<std::vector<std::string>> strings(std::uint64_t limit = 1U << 24) const;
    // Any real dtype as doubles: elements [begin, end); complex gives magnitudes. For statistics
    // and tables; never expands a splat beyond the range.
    Result<std::vector<double>> numbers(std::int64_t begin, std::int64_t end) const;

private:
    // Elements [begin, end) as bytes; the dtype has a size.
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
