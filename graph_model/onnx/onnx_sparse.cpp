// SPDX-License-Identifier: Apache-2.0
#include "graph_model/onnx/onnx_sparse.h"

#include "graph_model/tensor/shape.h"

#include <cstring>
#include <optional>

namespace lapidary {
namespace {

Error faultOf(const OnnxSparseTensor& sparse, const std::string& what)
{
    return {ErrorCode::BadFile, "the sparse constant " + sparse.values.name + " " + what};
}

// Reads the indices of the values.
class Places {
public:
    Places(const OnnxSparseTensor& sparse, std::uint64_t elements)
        : m_sparse(sparse)
        , m_elements(elements)
        , m_axes(sparse.indices.dims.size() == 2 ? sparse.dims.size() : 0)
    {
    }

    // Returns whether there is one index for each of `count` values.
    bool fit(std::uint64_t count) const
    {
        const OnnxTensor& indices = m_sparse.indices;
        const auto size = std::int64_t(count);
        const bool fits = m_axes == 0 ? indices.dims == std::vector{size}
                                      : indices.dims == std::vector{size, std::int64_t(m_axes)};
        return fits && indices.dtype == DType::Int64 && indices.externalFile.empty();
    }

    // Returns nothing if the index is outside of a tensor of `elements` elements.
    std::optional<std::uint64_t> operator[](std::uint64_t i) const
    {
        if (m_axes == 0)
            return within(number(i), m_elements);
        std::uint64_t place = 0;
        for (std::size_t axis = 0; axis < m_axes; ++axis) {
            const auto size = std::uint64_t(m_sparse.dims[axis]);
            const auto at = within(number(i * m_axes + axis), size);
            if (!at)
                return {};
            place = place * size + *at;
        }
        return place;
    }

private:
    static std::optional<std::uint64_t> within(std::int64_t place, std::uint64_t size)
    {
        return place >= 0 && std::uint64_t(place) < size ? std::optional(std::uint64_t(place))
                                                         : std::nullopt;
    }
    std::int64_t number(std::uint64_t i) const
    {
        std::int64_t number = 0;
        std::memcpy(&number, m_sparse.indices.bytes.view().data() + i * sizeof(number),
                    sizeof(number));
        return number;
    }

    const OnnxSparseTensor& m_sparse;
    std::uint64_t m_elements;
    std::size_t m_axes; // 0: flat indices
};

} // namespace

Result<OnnxTensor> denseTensorOf(const OnnxSparseTensor& sparse, std::uint64_t mostBytes)
{
    const OnnxTensor& values = sparse.values;
    const std::size_t size = dtypeSize(values.dtype);
    if (size == 0 || values.dims.size() != 1 || !values.externalFile.empty())
        return faultOf(sparse, "has values that are not a list of numbers in this file");
    if (sparse.dims.empty() || sparse.dims.size() > mostOnnxAxes)
        return faultOf(sparse, "has " + std::to_string(sparse.dims.size()) + " axes");
    const auto elements = elementCount({sparse.dims, false});
    if (!elements || std::uint64_t(*elements) > mostBytes / size)
        return faultOf(sparse, "is too large");
    const auto count = std::uint64_t(values.dims[0]);
    const Places places(sparse, std::uint64_t(*elements));
    if (!places.fit(count))
        return faultOf(sparse, "has indices that do not fit its values");
    std::string bytes(std::size_t(*elements) * size, '\0');
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto place = places[i];
        if (!place)
            return faultOf(sparse, "has an index outside of it");
        std::memcpy(bytes.data() + *place * size, values.bytes.view().data() + i * size, size);
    }
    OnnxTensor tensor;
    tensor.name = values.name;
    tensor.dtype = values.dtype;
    tensor.dims = sparse.dims;
    tensor.bytes = ConstantBytes(std::move(bytes));
    return tensor;
}

} // namespace lapidary
