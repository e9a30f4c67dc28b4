// SPDX-License-Identifier: Apache-2.0
#include "runner/values/value.h"

#include "runner/values/memory_pool.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

// The elements of a variant tensor, and their charge against the memory limit.
struct Variants {
    std::shared_ptr<void> charge;
    std::vector<ResourcePtr> elements;
};

// Returns the product of the dims; nothing if they are many, negative or too large.
std::optional<std::int64_t> plainCount(const Dims& dims)
{
    constexpr std::size_t usualRank = 8;
    std::int64_t count = 1;
    bool isPlain = dims.size() <= usualRank;
    for (const std::int64_t dim : dims)
        isPlain = isPlain && dim >= 0 && !__builtin_mul_overflow(count, dim, &count);
    return isPlain ? std::optional(count) : std::nullopt;
}

// Returns the product of `size` and the dims above 0; nothing if it is too large.
std::optional<std::int64_t> widthOf(std::int64_t size, const Dims& dims)
{
    std::int64_t bytes = std::max<std::int64_t>(size, 1);
    for (const std::int64_t dim : dims)
        if (dim > 0 && __builtin_mul_overflow(bytes, dim, &bytes))
            return std::nullopt;
    return bytes;
}

Result<std::int64_t> elementsOf(DType dtype, const Dims& dims)
{
    const auto plain = plainCount(dims);
    const std::string fault = plain ? std::string() : fullShapeFault({dims, false});
    if (!fault.empty())
        return Error{ErrorCode::InvalidArgument, fault};
    const std::int64_t count = plain ? *plain : *elementCount({dims, false});
    if (!widthOf(std::int64_t(dtypeSize(dtype)), dims))
        return Error{ErrorCode::Unsupported,
                     "a tensor of shape " + dimsText(dims) + " is larger than any memory"};
    return count;
}

} // namespace

std::string dimsText(const Dims& dims)
{
    return shapeText({dims, false});
}

Result<Value> Value::make(DType dtype, Dims dims, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(const auto count, elementsOf(dtype, dims));
    Value value;
    value.m_dtype = dtype;
    value.m_dims = std::move(dims);
    value.m_elements = count;
    value.m_elementSize = std::uint8_t(dtypeSize(dtype));
    if (dtype == DType::String) {
        constexpr std::int64_t mostStrings = std::int64_t(1) << 26;
        if (value.m_elements > mostStrings)
            return Error{ErrorCode::Unsupported,
                         "a string tensor of shape " + dimsText(value.m_dims) + " is too large"};
        value.m_owner = std::make_shared<Strings>(std::size_t(value.m_elements));
        return value;
    }
    if (dtype == DType::Variant) {
        const auto elements = std::size_t(value.m_elements);
        if (elements > pool.limitBytes() / sizeof(ResourcePtr))
            return Error{ErrorCode::Unsupported, "a variant tensor of shape " +
                                                     dimsText(value.m_dims) +
                                                     " is larger than the memory limit"};
        ASSIGN_OR_RETURN(auto charge, pool.allocate(elements * sizeof(ResourcePtr)));
        value.m_owner = std::make_shared<Variants>(
            Variants{std::move(charge), std::vector<ResourcePtr>(elements)});
        return value;
    }
    ASSIGN_OR_RETURN(auto block, pool.allocate(value.byteCount()));
    value.m_owner = std::move(block);
    value.m_bytes = static_cast<std::byte*>(value.m_owner.get());
    return value;
}

Value Value::ofStrings(Dims dims, std::vector<std::string> strings)
{
    Value value;
    value.m_dtype = DType::String;
    value.m_dims = std::move(dims);
    value.m_elements = std::int64_t(strings.size());
    value.m_owner = std::make_shared<Strings>(std::move(strings));
    return value;
}

Value Value::ofResource(DType dtype, ResourcePtr resource)
{
    Value value;
    value.m_dtype = dtype;
    value.m_elements = 1;
    value.m_resource = std::move(resource);
    return value;
}

Result<Value> Value::ofTensor(const Tensor& tensor, const BufferPtr& owner, MemoryPool& pool)
{
    if (tensor.dtype() == DType::String) {
        ASSIGN_OR_RETURN(auto strings, tensor.strings());
        return ofStrings(tensor.shape().dims, std::move(strings));
    }
    const std::string_view content = tensor.content();
    const std::size_t size = dtypeSize(tensor.dtype());
    const bool aligned = size > 0 && reinterpret_cast<std::uintptr_t>(content.data()) % size == 0;
    if (!content.empty() && aligned && tensor.dtype() != DType::Bool) {
        Value value;
        value.m_dtype = tensor.dtype();
        value.m_dims = tensor.shape().dims;
        value.m_elements = tensor.elements();
        value.m_elementSize = std::uint8_t(size);
        value.m_owner = std::make_shared<BufferPtr>(owner);
        value.m_isFileBytes = true;
        value.m_bytes = reinterpret_cast<std::byte*>(const_cast<char*>(content.data()));
        return value;
    }
    auto value = make(tensor.dtype(), tensor.shape().dims, pool);
    if (!value || value.value().elements() == 0)
        return value;
    ASSIGN_OR_RETURN(auto bytes, tensor.values(pool.limitBytes()));
    std::memcpy(value.value().m_bytes, bytes.data(), bytes.size());
    return value;
}

std::span<const std::string> Value::strings() const
{
    if (m_dtype != DType::String || m_owner == nullptr)
        return {};
    return *static_cast<const Strings*>(m_owner.get());
}

std::span<std::string> Value::mutableStrings()
{
    if (m_dtype != DType::String || m_owner == nullptr)
        return {};
    return *static_cast<Strings*>(m_owner.get());
}

std::span<const ResourcePtr> Value::variants() const
{
    if (m_dtype != DType::Variant)
        return {};
    if (m_owner == nullptr)
        return {&m_resource, 1};
    return static_cast<const Variants*>(m_owner.get())->elements;
}

std::span<ResourcePtr> Value::mutableVariants()
{
    if (m_dtype != DType::Variant || m_owner == nullptr)
        return {};
    return static_cast<Variants*>(m_owner.get())->elements;
}

bool Value::isWithin(std::uint64_t bytes) const
{
    const auto width = widthOf(m_elementSize, m_dims);
    return width && std::uint64_t(*width) <= bytes;
}

Value Value::reshaped(Dims dims) const
{
    Value value = *this;
    value.m_dims = std::move(dims);
    return value;
}

Value Value::reinterpreted(DType dtype, Dims dims) const
{
    Value value = *this;
    value.m_dtype = dtype;
    value.m_dims = std::move(dims);
    value.m_elements = 1;
    for (const std::int64_t dim : value.m_dims)
        value.m_elements *= dim;
    value.m_elementSize = std::uint8_t(dtypeSize(dtype));
    return value;
}

std::vector<std::int64_t> Value::integers() const
{
    std::vector<std::int64_t> out;
    if (m_dtype == DType::Int64)
        out.assign(as<std::int64_t>().begin(), as<std::int64_t>().end());
    else if (m_dtype == DType::Int32)
        out.assign(as<std::int32_t>().begin(), as<std::int32_t>().end());
    return out;
}

void copyFileBytes(std::string_view bytes, Value& to)
{
    const std::span<char> own(to.mutableAs<char>().data(), to.byteCount());
    const std::string_view all = bytes.substr(0, std::min(bytes.size(), own.size()));
    if (to.dtype() == DType::Bool)
        std::ranges::transform(all, own.begin(), [](char byte) { return char(byte != 0); });
    else
        std::ranges::copy(all, own.begin());
}

} // namespace lapidary
