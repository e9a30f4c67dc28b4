// SPDX-License-Identifier: Apache-2.0
#include "transforms/constants/const_node.h"

#include "graph_model/base/mapped_file.h"
#include "graph_model/base/wire.h"
#include "transforms/constants/fresh_bytes.h"
#include "transforms/constants/tensor_head.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

template <class T>
std::string_view asBytes(std::span<const T> values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

Result<ConstBytes> bytesOf(const Node& node, DType dtype)
{
    ASSIGN_OR_RETURN(const auto tensor, node.tensor());
    if (tensor.dtype() != dtype)
        return Error{ErrorCode::InvalidArgument,
                     "is " + dtypeName(tensor.dtype()) + ", not " + dtypeName(dtype)};
    const std::string_view content = tensor.content();
    if (content.size() == std::size_t(tensor.elements()) * dtypeSize(dtype))
        return ConstBytes(content);
    ASSIGN_OR_RETURN(auto expanded, tensor.values());
    return ConstBytes(std::move(expanded));
}

template <class T>
Result<std::vector<T>> valuesOf(const Node& node, DType dtype)
{
    ASSIGN_OR_RETURN(const auto read, bytesOf(node, dtype));
    const std::string_view bytes = read.bytes();
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty())
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

constexpr std::size_t smallContent = 4096; // bytes: smaller contents are cheaper to copy

// Encodes the tensor in its final memory, because weights are large, with the content at an address
// that suits vectors.
AttrBytes filledTensor(DType dtype, const Shape& shape, std::size_t size, const FillBytes& fill)
{
    constexpr std::size_t alignment = 64;
    std::string head = headOfTensor(dtype, shape, size);
    if (size < smallContent) {
        const std::size_t begin = head.size();
        head.resize(begin + size);
        fill(head.data() + begin);
        return head;
    }
    const std::size_t content = (head.size() + alignment - 1) / alignment * alignment;
    const auto buffer = std::make_shared<FreshBytes>(content + size);
    char* const begin = buffer->data() + (content - head.size());
    std::ranges::copy(head, begin);
    fill(buffer->data() + content);
    return {std::string_view(begin, head.size() + size), buffer};
}

bool isFewer(DType dtype, const Shape& shape, std::size_t size)
{
    std::uint64_t whole = dtypeSize(dtype);
    for (const std::int64_t dim : shape.dims)
        if (__builtin_mul_overflow(whole, std::uint64_t(dim), &whole))
            return true;
    return size < whole;
}

// Encodes an AttrValue.tensor with float_val (5) or int_val (7) instead.
std::string encodedSplat(DType dtype, const Shape& shape, std::string_view bytes)
{
    std::string packed;
    if (dtype == DType::Float)
        packed = bytes;
    else
        for (const char byte : bytes)
            appendVarint(packed, std::uint8_t(byte));
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape(shape));
    writer.bytes(dtype == DType::Float ? 5 : 7, packed);
    return attr::fromTensorProto(proto);
}

} // namespace

NodeDraft filledConst(std::string name, DType dtype, const Shape& shape, std::size_t size,
                      const FillBytes& fill)
{
    NodeDraft draft = newNode(std::move(name), "Const");
    draft.setAttr("dtype", attr::fromType(dtype));
    const bool isSplat =
        (dtype == DType::Float || dtype == DType::QUInt8) && isFewer(dtype, shape, size);
    if (!isSplat) {
        draft.setAttr("value", filledTensor(dtype, shape, size, fill));
        return draft;
    }
    std::string bytes(size, '\0');
    fill(bytes.data());
    draft.setAttr("value", encodedSplat(dtype, shape, bytes));
    return draft;
}

NodeDraft constNode(std::string name, DType dtype, const Shape& shape, std::string_view bytes)
{
    return filledConst(std::move(name), dtype, shape, bytes.size(),
                       [&](char* to) { std::copy(bytes.begin(), bytes.end(), to); });
}

NodeDraft floatConst(std::string name, const std::vector<std::int64_t>& dims,
                     std::span<const float> values)
{
    return constNode(std::move(name), DType::Float, {dims, false}, asBytes(values));
}

NodeDraft intConst(std::string name, const std::vector<std::int64_t>& dims,
                   std::span<const std::int32_t> values)
{
    return constNode(std::move(name), DType::Int32, {dims, false}, asBytes(values));
}

NodeDraft floatScalar(std::string name, float value)
{
    return floatConst(std::move(name), {}, {&value, 1});
}

Result<std::vector<float>> floatValues(const Node& node)
{
    return valuesOf<float>(node, DType::Float);
}

Result<ConstBytes> floatBytes(const Node& node)
{
    return bytesOf(node, DType::Float);
}

Result<ConstBytes> storedFloatBytes(const Node& node)
{
    const auto tensor = node.tensor();
    if (!tensor || tensor.value().dtype() != DType::Float || !tensor.value().isSplat())
        return floatBytes(node);
    // If no value is stored, all are zero.
    ASSIGN_OR_RETURN(auto bytes, tensor.value().bytes(0, std::max<std::int64_t>(
                                                             tensor.value().storedElements(), 1)));
    return ConstBytes(std::move(bytes));
}

void releaseValue(const Node& node)
{
    constexpr std::size_t worthwhile = 32 << 10;
    const std::string_view value = node.attr("value").encoded();
    const BufferPtr& holder = node.holderOf(value);
    if (value.size() >= worthwhile && holder)
        releasePages(*holder, value);
}

void dropValue(const NodePtr& node)
{
    const BufferPtr& holder = node->holderOf(node->attr("value").encoded());
    const auto* made = dynamic_cast<const FreshBytes*>(holder.get());
    // The list of buffers of a node that was made alone is shared only by the node and its block.
    constexpr long knowOwners = 2;
    if (made != nullptr && node.use_count() == 1 && node->owner().use_count() == knowOwners &&
        holder.use_count() == 1)
        made->drop();
}

Result<std::vector<std::int32_t>> intValues(const Node& node)
{
    return valuesOf<std::int32_t>(node, DType::Int32);
}

std::vector<std::int64_t> constDims(const Node& node)
{
    const auto tensor = node.tensor();
    return tensor ? tensor.value().shape().dims : std::vector<std::int64_t>();
}

NodeDraft newNode(std::string name, std::string_view op, std::vector<std::string> inputs)
{
    NodeDraft draft;
    draft.name = std::move(name);
    draft.op = op;
    draft.inputs = std::move(inputs);
    return draft;
}

void copyAttr(const Node& from, std::string_view name, NodeDraft& to, std::string_view newName)
{
    if (from.hasAttr(name))
        to.shareAttr(newName.empty() ? name : newName, from.attr(name), from);
}

} // namespace lapidary
