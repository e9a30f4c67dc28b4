// SPDX-License-Identifier: Apache-2.0
#include "graph_model/summary/tensor_values_text.h"

#include "graph_model/base/clamped_cast.h"
#include "graph_model/base/text.h"
#include "graph_model/summary/number_text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::int64_t shownElements = 3;

template <class Number>
std::string integerText(const char* bytes)
{
    Number value{};
    std::memcpy(&value, bytes, sizeof value);
    return std::to_string(value);
}

std::string elementText(DType dtype, const char* bytes, double number)
{
    switch (dtype) {
    case DType::Float:
    case DType::Half: return floatText(float(number));
    case DType::Double: return doubleText(number);
    case DType::Bool: return *bytes == 0 ? "0" : "1";
    case DType::UInt8:
    case DType::QUInt8: return integerText<std::uint8_t>(bytes);
    case DType::Int8:
    case DType::QInt8: return integerText<std::int8_t>(bytes);
    case DType::Int16:
    case DType::QInt16: return integerText<std::int16_t>(bytes);
    case DType::UInt16:
    case DType::QUInt16: return integerText<std::uint16_t>(bytes);
    case DType::Int32: return integerText<std::int32_t>(bytes);
    case DType::UInt32: return integerText<std::uint32_t>(bytes);
    case DType::Int64: return integerText<std::int64_t>(bytes);
    case DType::UInt64: return integerText<std::uint64_t>(bytes);
    default: return "?";
    }
}

// Returns the bytes of the first `count` elements without expanding a splat of any size. A large
// one is read as doubles, which are exact except for integers above 2^53.
Result<std::string> firstBytes(const Tensor& tensor, std::int64_t count,
                               const std::vector<double>& numbers)
{
    constexpr std::int64_t smallEnough = std::int64_t(1) << 20;
    const std::size_t size = dtypeSize(tensor.dtype());
    const std::size_t wanted = size * std::size_t(count);
    if (tensor.content().size() >= wanted)
        return std::string(tensor.content().substr(0, wanted));
    if (tensor.elements() <= smallEnough)
        return tensor.values();
    std::string bytes;
    for (const double number : numbers) {
        const std::uint64_t whole = number < 0 ? std::uint64_t(clampedTo<std::int64_t>(number))
                                               : clampedTo<std::uint64_t>(number);
        bytes.append(reinterpret_cast<const char*>(&whole), std::min(size, sizeof whole));
    }
    return bytes;
}

// Returns whether the original prints values of the dtype; otherwise it prints question marks
// without brackets.
bool isPrintable(DType dtype)
{
    constexpr std::array printable{
        DType::Float,  DType::Double, DType::Half,    DType::Int32,  DType::UInt8, DType::Int16,
        DType::Int8,   DType::String, DType::Int64,   DType::Bool,   DType::QInt8, DType::QUInt8,
        DType::QInt16, DType::UInt16, DType::QUInt16, DType::UInt32, DType::UInt64};
    return std::ranges::find(printable, dtype) != printable.end();
}

// Returns the first `count` elements as text, one string each.
std::vector<std::string> firstElements(const Tensor& tensor, std::int64_t count)
{
    std::vector<std::string> texts;
    if (tensor.dtype() == DType::String) {
        const auto strings = tensor.strings();
        for (std::size_t i = 0; strings && i < std::size_t(count); ++i)
            texts.push_back(escapedBytes(strings.value()[i]));
    } else if (const auto numbers = tensor.numbers(0, count)) {
        const std::size_t size = dtypeSize(tensor.dtype());
        const auto bytes = firstBytes(tensor, count, *numbers);
        for (std::size_t i = 0; bytes && i < std::size_t(count); ++i)
            texts.push_back(
                elementText(tensor.dtype(), bytes.value().data() + i * size, (*numbers)[i]));
    }
    texts.resize(std::size_t(count), "?");
    return texts;
}

// Returns for each level of nesting, innermost first, the number of elements in a pair of brackets.
std::vector<std::int64_t> bracketSizes(const Tensor& tensor)
{
    std::vector<std::int64_t> sizes;
    if (!isPrintable(tensor.dtype()))
        return sizes;
    const Shape& shape = tensor.shape();
    std::int64_t size = 1;
    for (std::size_t i = shape.dims.size(); i > 1; --i) {
        size *= shape.dims[i - 1];
        sizes.push_back(size);
    }
    return sizes;
}

} // namespace

std::string tensorValuesText(const Tensor& tensor)
{
    const std::int64_t shown = std::min(shownElements, tensor.elements());
    if (shown == 0)
        return {};
    const std::vector<std::string> elements = firstElements(tensor, shown);
    const std::vector<std::int64_t> brackets = bracketSizes(tensor);
    std::string text;
    std::size_t open = 0;
    for (std::int64_t i = 0; i < shown; ++i) {
        const bool startsRow = brackets.empty() ? i == 0 : open < brackets.size();
        for (; open < brackets.size(); ++open)
            text += '[';
        text += (startsRow ? "" : " ") + elements[std::size_t(i)];
        for (const std::int64_t size : brackets) {
            if ((i + 1) % size != 0)
                break;
            text += ']';
            --open;
        }
    }
    // Inside the brackets, only an unfinished row is marked as incomplete.
    if (!brackets.empty() && shown % brackets.front() != 0)
        text += "...";
    text.append(open, ']');
    return text + (shown < tensor.elements() ? "..." : "");
}

} // namespace lapidary
