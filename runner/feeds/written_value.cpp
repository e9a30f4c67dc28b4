// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/written_value.h"

#include "graph_model/tensor/narrow_float.h"
#include "runner/feeds/input_text.h"
#include "runner/values/memory_pool.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>
#include <vector>

namespace lapidary {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, std::string_view separators)
{
    Words words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (end > 0)
            words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

Error wrong(const FeedTarget& target, const std::string& why)
{
    return {ErrorCode::InvalidArgument, inputText(target) + ": " + why};
}

// Returns the sizes for `count` elements. A single one is repeated, so that it fits every known
// shape.
Result<Dims> dimsFor(const FeedTarget& target, std::int64_t count)
{
    if (target.shape.unknownRank)
        return count == 1 ? Dims{} : Dims{count};
    Dims dims = target.shape.dims;
    if (std::any_of(dims.begin() + (dims.empty() ? 0 : 1), dims.end(),
                    [](std::int64_t size) { return size < 0; }))
        return Error{ErrorCode::InvalidArgument,
                     inputText(target) + " takes " + shapeText(target.shape) +
                         ", and nothing says which sizes it has",
                     ErrorReason::MissingSize, target.tensor};
    if (!dims.empty() && dims[0] < 0) {
        const auto row = elementCount({{dims.begin() + 1, dims.end()}, false});
        dims[0] = count > 1 && row && *row > 0 ? count / *row : 1;
    }
    const auto wanted = elementCount({dims, false});
    if (count != 1 && wanted != count)
        return wrong(target, "its shape " + shapeText(target.shape) + " does not hold " +
                                 std::to_string(count) + " values");
    return dims;
}

template <class T>
bool parse(std::string_view word, T& number)
{
    if constexpr (std::is_same_v<T, bool>) {
        number = word == "true" || word == "1";
        return number || word == "false" || word == "0";
    } else if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
        if (word.starts_with('+'))
            word.remove_prefix(1);
        const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
        return read.ec == std::errc() && read.ptr == word.data() + word.size();
    } else {
        float real = 0;
        const bool isGood = parse(word, real);
        number = T(real);
        return isGood;
    }
}

template <class T>
Result<Value> numbersOf(const FeedTarget& target, DType dtype, const Words& words, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(auto dims, dimsFor(target, std::int64_t(words.size())));
    auto value = Value::make(dtype, std::move(dims), pool);
    RETURN_IF_ERROR(value);
    const std::span<T> elements = value->template mutableAs<T>();
    std::vector<T> numbers;
    for (const std::string_view word : words) {
        T number{};
        if (!parse(word, number))
            return wrong(target,
                         "\"" + std::string(word) + "\" is not a valid " + dtypeName(dtype));
        numbers.push_back(number);
    }
    for (std::size_t i = 0; i < elements.size(); ++i)
        elements[i] = numbers.size() == 1 ? numbers.front() : numbers[i];
    return value;
}

Result<Value> stringsOf(const FeedTarget& target, std::string_view text)
{
    const Words lines = split(text, "\n");
    std::vector<std::string> strings(lines.begin(), lines.end());
    if (strings.empty())
        strings.emplace_back();
    ASSIGN_OR_RETURN(auto dims, dimsFor(target, std::int64_t(strings.size())));
    const auto count = elementCount({dims, false});
    strings.resize(std::size_t(count.value_or(1)), std::string(strings.front()));
    return Value::ofStrings(std::move(dims), std::move(strings));
}

} // namespace

Result<Value> writtenValue(const FeedTarget& target, std::string_view text, MemoryPool& pool)
{
    const DType dtype = target.dtype == DType::Invalid ? DType::Float : target.dtype;
    if (dtype == DType::String)
        return stringsOf(target, text);
    const Words words = split(text, ", \t\n;[]");
    if (words.empty())
        return wrong(target, "no value is written");
    switch (dtype) {
    case DType::Float: return numbersOf<float>(target, dtype, words, pool);
    case DType::Double: return numbersOf<double>(target, dtype, words, pool);
    case DType::Half: return numbersOf<Half>(target, dtype, words, pool);
    case DType::BFloat16: return numbersOf<BFloat16>(target, dtype, words, pool);
    case DType::Bool: return numbersOf<bool>(target, dtype, words, pool);
    case DType::Int8:
    case DType::QInt8: return numbersOf<std::int8_t>(target, dtype, words, pool);
    case DType::UInt8:
    case DType::QUInt8: return numbersOf<std::uint8_t>(target, dtype, words, pool);
    case DType::Int16:
    case DType::QInt16: return numbersOf<std::int16_t>(target, dtype, words, pool);
    case DType::UInt16:
    case DType::QUInt16: return numbersOf<std::uint16_t>(target, dtype, words, pool);
    case DType::Int32:
    case DType::QInt32: return numbersOf<std::int32_t>(target, dtype, words, pool);
    case DType::UInt32: return numbersOf<std::uint32_t>(target, dtype, words, pool);
    case DType::Int64: return numbersOf<std::int64_t>(target, dtype, words, pool);
    case DType::UInt64: return numbersOf<std::uint64_t>(target, dtype, words, pool);
    default: break;
    }
    return wrong(target, "values of type " + dtypeName(dtype) + " cannot be written; use a file");
}

} // namespace lapidary
