// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/make_tensor.h"

#include "graph_model/base/wire.h"

#include <utility>

namespace lapidary {
namespace {

// Encodes the first fields of a TensorProto: dtype 1, tensor_shape 2.
std::string protoHead(DType dtype, const Shape& shape)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape(shape));
    return proto;
}

Result<Tensor> decoded(std::string proto)
{
    const BufferPtr buffer = makeBuffer(std::move(proto));
    return Tensor::decode(buffer->bytes(), buffer);
}

} // namespace

Result<Tensor> makeTensor(DType dtype, const Shape& shape, std::string_view bytes)
{
    const auto count = elementCount(shape);
    if (!count || std::uint64_t(*count) * dtypeSize(dtype) != bytes.size())
        return Error{ErrorCode::InvalidArgument, std::to_string(bytes.size()) +
                                                     " bytes do not make " + dtypeName(dtype) +
                                                     ' ' + shapeText(shape)};
    std::string proto = protoHead(dtype, shape);
    proto.reserve(proto.size() + bytes.size() + 16);
    WireWriter(proto).bytes(4, bytes); // tensor_content
    return decoded(std::move(proto));
}

Result<Tensor> makeStringTensor(const Shape& shape, std::span<const std::string> strings)
{
    std::string proto = protoHead(DType::String, shape);
    WireWriter writer(proto);
    for (const std::string& text : strings)
        writer.bytes(8, text); // string_val
    return decoded(std::move(proto));
}

} // namespace lapidary
