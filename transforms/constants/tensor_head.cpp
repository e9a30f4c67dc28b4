// SPDX-License-Identifier: Apache-2.0
#include "transforms/constants/tensor_head.h"

#include "graph_model/base/wire.h"

namespace lapidary {

// The fields of AttrValue: tensor 8. Of TensorProto: dtype 1, tensor_shape 2, tensor_content 4.
std::string headOfTensor(DType dtype, const Shape& shape, std::size_t contentSize)
{
    const std::string dims = encodeShape(shape);
    const std::uint64_t length = 1 + varintSize(std::uint64_t(dtype)) +
                                 bytesFieldSize(dims.size()) + bytesFieldSize(contentSize);
    std::string head;
    head += char(0x42); // field 8, length-delimited
    appendVarint(head, length);
    WireWriter writer(head);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, dims);
    head += char(0x22); // field 4, length-delimited
    appendVarint(head, contentSize);
    return head;
}

} // namespace lapidary
