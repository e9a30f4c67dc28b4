// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>
#include <cstring>

namespace lapidary {

bool fitsShape(const Dims& dims, const Shape& partial)
{
    if (partial.unknownRank)
        return true;
    if (partial.dims.size() != dims.size())
        return false;
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (partial.dims[i] >= 0 && partial.dims[i] != dims[i])
            return false;
    return true;
}

std::optional<Shape> mergeShapes(const Shape& a, const Shape& b)
{
    if (a.unknownRank)
        return b;
    if (b.unknownRank)
        return a;
    if (a.dims.size() != b.dims.size())
        return std::nullopt;
    Shape merged = a;
    for (std::size_t i = 0; i < merged.dims.size(); ++i) {
        if (merged.dims[i] < 0)
            merged.dims[i] = b.dims[i];
        else if (b.dims[i] >= 0 && b.dims[i] != merged.dims[i])
            return std::nullopt;
    }
    return merged;
}

bool isFullyDefined(const Shape& shape)
{
    return !shape.unknownRank && std::ranges::none_of(shape.dims, [](auto d) { return d < 0; });
}

Result<Value> zerosOf(KernelContext& context, DType dtype, const Dims& dims)
{
    if (dtypeSize(dtype) == 0)
        return context.error("there are no zeros of type " + dtypeName(dtype));
    auto zeros = context.allocate(dtype, dims);
    if (zeros && zeros.value().byteCount() > 0)
        std::memset(zeros.value().mutableAs<char>().data(), 0, zeros.value().byteCount());
    return zeros;
}

Status joinValues(KernelContext& context, std::size_t i, DType dtype, Dims dims,
                  std::span<const Value> parts)
{
    if (dtype != DType::String && dtype != DType::Variant && dtypeSize(dtype) == 0)
        return context.error("values of type " + dtypeName(dtype) + " cannot be joined");
    ASSIGN_OR_RETURN(auto made, context.makeOutput(i, dtype, std::move(dims)));
    Value out = std::move(made);
    std::size_t at = 0;
    for (const Value& part : parts) {
        if (dtype == DType::String) {
            std::ranges::copy(part.strings(), out.mutableStrings().begin() + std::ptrdiff_t(at));
            at += part.strings().size();
        } else if (dtype == DType::Variant) {
            std::ranges::copy(part.variants(), out.mutableVariants().begin() + std::ptrdiff_t(at));
            at += part.variants().size();
        } else if (part.byteCount() > 0) {
            std::memcpy(out.mutableAs<char>().data() + at, part.bytes().data(), part.byteCount());
            at += part.byteCount();
        }
    }
    return Done{};
}

Result<Value> copyRows(KernelContext& context, const Value& from, std::int64_t begin,
                       std::int64_t count, Dims dims)
{
    auto made = context.allocate(from.dtype(), std::move(dims));
    if (!made || from.elements() == 0 || count == 0)
        return made;
    const auto row = std::size_t(from.elements() / from.dim(0));
    if (from.dtype() == DType::String) {
        std::ranges::copy(
            from.strings().subspan(row * std::size_t(begin), row * std::size_t(count)),
            made.value().mutableStrings().begin());
        return made;
    }
    if (from.dtype() == DType::Variant)
        std::ranges::copy(
            from.variants().subspan(row * std::size_t(begin), row * std::size_t(count)),
            made.value().mutableVariants().begin());
    const std::size_t bytes = row * dtypeSize(from.dtype());
    if (bytes > 0)
        std::memcpy(made.value().mutableAs<char>().data(),
                    from.bytes().data() + bytes * std::size_t(begin), bytes * std::size_t(count));
    return made;
}

} // namespace lapidary
