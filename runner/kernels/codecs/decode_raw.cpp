// SPDX-License-Identifier: Apache-2.0
// DecodeRaw: the bytes of strings as numbers, one row per string; all strings are of one length.
// DecodePaddedRaw: the same for strings of any length, cut or filled up with zeros to fixed_length.
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

// Returns the size of one component of a number: complex numbers have two.
std::size_t componentSize(DType dtype)
{
    const bool isComplex = dtype == DType::Complex64 || dtype == DType::Complex128;
    return dtypeSize(dtype) / (isComplex ? 2 : 1);
}

void swapBytes(std::span<std::uint8_t> bytes, std::size_t size)
{
    for (std::size_t at = 0; at + size <= bytes.size(); at += size)
        std::reverse(bytes.begin() + std::ptrdiff_t(at), bytes.begin() + std::ptrdiff_t(at + size));
}

Status runDecodeRaw(KernelContext& context)
{
    const Value& input = context.input(0);
    const DType dtype = context.typeAttr("out_type");
    const std::size_t size = dtypeSize(dtype);
    if (size == 0)
        return context.error("cannot decode " + dtypeName(dtype));
    const auto strings = input.strings();
    const std::size_t length = strings.empty() ? 0 : strings[0].size();
    for (std::size_t i = 0; i < strings.size(); ++i)
        if (strings[i].size() != length)
            return context.error("element " + std::to_string(i) + " has " +
                                 std::to_string(strings[i].size()) + " bytes, the first has " +
                                 std::to_string(length));
    if (length % size != 0)
        return context.error("strings of " + std::to_string(length) +
                             " bytes do not hold whole elements of " + dtypeName(dtype));
    Dims dims = input.dims();
    dims.push_back(std::int64_t(length / size));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, dtype, std::move(dims)));
    auto* to = out.mutableAs<std::uint8_t>().data();
    const std::span<std::uint8_t> bytes(to, out.byteCount());
    for (const std::string& string : strings) {
        to = std::copy_n(string.data(), length, to);
    }
    const bool isLittle = context.boolAttr("little_endian", true);
    if (isLittle != (std::endian::native == std::endian::little))
        swapBytes(bytes, componentSize(dtype));
    if (dtype == DType::Bool)
        std::ranges::transform(bytes, bytes.begin(), [](std::uint8_t x) { return x != 0; });
    return Done{};
}

Status runDecodePaddedRaw(KernelContext& context)
{
    const Value& input = context.input(0);
    const DType dtype = context.typeAttr("out_type");
    const auto size = std::int64_t(dtypeSize(dtype));
    const std::int64_t length = context.input(1).as<std::int32_t>()[0];
    if (size == 0)
        return context.error("cannot decode " + dtypeName(dtype));
    if (length <= 0 || length % size != 0)
        return context.error("fixed_length must be positive and a multiple of the " +
                             std::to_string(size) + " bytes of " + dtypeName(dtype) +
                             ", but it is " + std::to_string(length));
    Dims dims = input.dims();
    dims.push_back(length / size);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, dtype, std::move(dims)));
    auto* to = out.mutableAs<std::uint8_t>().data();
    const std::span<std::uint8_t> bytes(to, out.byteCount());
    std::ranges::fill(bytes, std::uint8_t(0));
    for (const std::string& string : input.strings()) {
        std::copy_n(string.data(), std::min(string.size(), std::size_t(length)), to);
        to += length;
    }
    if (context.boolAttr("little_endian", true) != (std::endian::native == std::endian::little))
        swapBytes(bytes, componentSize(dtype));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(DecodeRaw, runDecodeRaw);
LAPIDARY_KERNEL(DecodePaddedRaw, runDecodePaddedRaw, .ranks = {Rank::Any, Rank::Scalar});

} // namespace lapidary
