// SPDX-License-Identifier: Apache-2.0
// Substr: len characters from pos on, with broadcasting. StringLength, StringLower, StringUpper.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>

namespace lapidary {
namespace {

std::size_t characterCount(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); at = nextCharacter(text, at))
        ++count;
    return count;
}

// Returns the byte at which character `index` begins.
std::size_t byteOf(std::string_view text, std::size_t index)
{
    std::size_t at = 0;
    for (; index > 0 && at < text.size(); --index)
        at = nextCharacter(text, at);
    return at;
}

Result<std::string> substring(const KernelContext& context, const std::string& text,
                              std::int64_t from, std::int64_t length, bool isUtf8)
{
    const auto size = std::int64_t(isUtf8 ? characterCount(text) : text.size());
    if (from > size || from < -size)
        return context.error("position " + std::to_string(from) + " is outside of a string of " +
                             std::to_string(size) + " characters");
    const std::int64_t begin = from < 0 ? from + size : from;
    const std::int64_t end = length < 0 || length > size - begin ? size : begin + length;
    if (!isUtf8)
        return text.substr(std::size_t(begin), std::size_t(end - begin));
    const std::size_t first = byteOf(text, std::size_t(begin));
    return text.substr(first, byteOf(text, std::size_t(end)) - first);
}

// Returns the index in an operand of shape `dims` for the flat index `i` of the result.
std::size_t broadcastIndex(std::size_t i, const Dims& result, const Dims& dims)
{
    std::size_t index = 0;
    std::size_t stride = 1;
    for (std::size_t k = 0; k < result.size(); ++k) {
        const auto size = std::size_t(result[result.size() - 1 - k]);
        const std::size_t at = i % size;
        i /= size;
        if (k >= dims.size())
            continue;
        const auto own = std::size_t(dims[dims.size() - 1 - k]);
        index += (own == 1 ? 0 : at) * stride;
        stride *= own;
    }
    return index;
}

// Returns the shape of the result. Each operand's sizes must be the same or 1.
Result<Dims> commonShape(const KernelContext& context, const Dims& a, const Dims& b)
{
    Dims dims(std::max(a.size(), b.size()), 1);
    for (std::size_t k = 0; k < dims.size(); ++k) {
        const std::int64_t x = k < a.size() ? a[a.size() - 1 - k] : 1;
        const std::int64_t y = k < b.size() ? b[b.size() - 1 - k] : 1;
        if (x != y && x != 1 && y != 1)
            return context.error("shapes " + dimsText(a) + " and " + dimsText(b) + " do not fit");
        dims[dims.size() - 1 - k] = x == 1 ? y : x;
    }
    return dims;
}

Status runSubstr(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& from = context.input(1);
    const Value& length = context.input(2);
    if (from.dims() != length.dims())
        return context.error("pos " + dimsText(from.dims()) + " and len " +
                             dimsText(length.dims()) + " must have one shape");
    ASSIGN_OR_RETURN(const auto dims, commonShape(context, x.dims(), from.dims()));
    const bool isUtf8 = context.stringAttr("unit", "BYTE") == "UTF8_CHAR";
    const std::vector<std::int64_t> begins = from.integers();
    const std::vector<std::int64_t> lengths = length.integers();
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::String, dims));
    const auto out = made.mutableStrings();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t at = broadcastIndex(i, dims, from.dims());
        ASSIGN_OR_RETURN(auto text,
                         substring(context, x.strings()[broadcastIndex(i, dims, x.dims())],
                                   begins[at], lengths[at], isUtf8));
        out[i] = std::move(text);
    }
    return Done{};
}

Status runLength(KernelContext& context)
{
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int32, x.dims()));
    const bool isUtf8 = context.stringAttr("unit", "BYTE") == "UTF8_CHAR";
    std::ranges::transform(x.strings(), made.mutableAs<std::int32_t>().begin(),
                           [&](const std::string& text) {
                               return std::int32_t(isUtf8 ? characterCount(text) : text.size());
                           });
    return Done{};
}

// Converts letters of ASCII; with encoding utf-8 also those of Latin-1.
template <bool upper>
std::string inCase(const std::string& text, bool isUtf8)
{
    std::string out = text;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto c = static_cast<unsigned char>(out[i]);
        if (upper ? (c >= 'a' && c <= 'z') : (c >= 'A' && c <= 'Z')) {
            out[i] = char(c ^ 0x20U);
        } else if (isUtf8 && c == 0xC3 && i + 1 < out.size()) {
            const auto next = static_cast<unsigned char>(out[++i]);
            const bool isSmall = next >= 0xA0 && next <= 0xBE && next != 0xB7;
            const bool isCapital = next >= 0x80 && next <= 0x9E && next != 0x97;
            if (upper ? isSmall : isCapital)
                out[i] = char(next ^ 0x20U);
        }
    }
    return out;
}

template <bool upper>
Status runCase(KernelContext& context)
{
    const std::string_view encoding = context.stringAttr("encoding");
    if (!encoding.empty() && encoding != "utf-8")
        return context.error("its encoding must be empty or utf-8, not '" + std::string(encoding) +
                             "'");
    return mapStrings(
        context, [&](const std::string& text) { return inCase<upper>(text, !encoding.empty()); });
}

} // namespace

LAPIDARY_KERNEL(Substr, runSubstr);
LAPIDARY_KERNEL(StringLength, runLength);
LAPIDARY_KERNEL(StringLower, runCase<false>);
LAPIDARY_KERNEL(StringUpper, runCase<true>);

} // namespace lapidary
