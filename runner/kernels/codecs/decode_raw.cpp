// DecodeRaw: the bytes of strings as numbers, one row a string; all strings are of one length.
#include "runner/kernels/codecs/kernels.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

// Of one component of a number: complex numbers are two.
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

Status run(KernelContext& context)
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
    auto out = context.makeOutput(0, dtype, std::move(dims));
    if (!out)
        return out.error();
    auto* to = out.value().mutableAs<std::uint8_t>().data();
    const std::span<std::uint8_t> bytes(to, out.value().byteCount());
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

} // namespace

const Kernel kernels::decodeRaw{.op = "DecodeRaw", .run = run};

} // namespace lapidary
