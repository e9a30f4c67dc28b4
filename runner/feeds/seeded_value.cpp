// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/seeded_value.h"

#include "graph_model/base/hash.h"
#include "runner/values/memory_pool.h"

#include <limits>

namespace lapidary {
namespace {

// Returns a uniform number in [0, 1), from the upper 53 bits of an integer.
double unitNumber(SplitMix64& random)
{
    return double(random.next() >> 11) * 0x1p-53;
}

template <class T>
T castTo(double number)
{
    if constexpr (std::numeric_limits<T>::is_integer) {
        // A cast of a value outside the type's range would be undefined.
        if (!(number > double(std::numeric_limits<T>::lowest())))
            return std::numeric_limits<T>::lowest();
        if (!(number < double(std::numeric_limits<T>::max())))
            return std::numeric_limits<T>::max();
        return T(number);
    } else {
        return T(float(number));
    }
}

template <>
double castTo<double>(double number)
{
    return number;
}

template <>
bool castTo<bool>(double number)
{
    return number != 0;
}

template <class T>
void fill(Value& value, std::uint64_t seed, SeededRange range)
{
    SplitMix64 random(seed);
    for (T& element : value.mutableAs<T>())
        element = castTo<T>(range.low + (range.high - range.low) * unitNumber(random));
}

bool fillAs(DType dtype, Value& value, std::uint64_t seed, SeededRange range)
{
    switch (dtype) {
    case DType::Float: fill<float>(value, seed, range); return true;
    case DType::Double: fill<double>(value, seed, range); return true;
    case DType::Half: fill<Half>(value, seed, range); return true;
    case DType::BFloat16: fill<BFloat16>(value, seed, range); return true;
    case DType::Int8:
    case DType::QInt8: fill<std::int8_t>(value, seed, range); return true;
    case DType::UInt8:
    case DType::QUInt8: fill<std::uint8_t>(value, seed, range); return true;
    case DType::Int16:
    case DType::QInt16: fill<std::int16_t>(value, seed, range); return true;
    case DType::UInt16:
    case DType::QUInt16: fill<std::uint16_t>(value, seed, range); return true;
    case DType::Int32:
    case DType::QInt32: fill<std::int32_t>(value, seed, range); return true;
    case DType::UInt32: fill<std::uint32_t>(value, seed, range); return true;
    case DType::Int64: fill<std::int64_t>(value, seed, range); return true;
    case DType::UInt64: fill<std::uint64_t>(value, seed, range); return true;
    case DType::Bool: fill<bool>(value, seed, range); return true;
    default: return false;
    }
}

} // namespace

Result<Value> seededValue(DType dtype, Dims dims, std::uint64_t seed, SeededRange range,
                          MemoryPool& pool)
{
    auto value = Value::make(dtype, std::move(dims), pool);
    if (value && !fillAs(dtype, value.value(), seed, range))
        return Error{ErrorCode::Unsupported, "no random values of type " + dtypeName(dtype) +
                                                 "; feed a file or written values (value:...)"};
    return value;
}

Result<Value> seededWords(Dims dims, std::uint64_t seed, const MemoryPool& pool)
{
    constexpr std::uint64_t mostBytes = 64; // of a text with its std::string
    const auto count = elementCount({dims, false});
    if (!count || std::uint64_t(*count) > pool.limitBytes() / mostBytes)
        return Error{ErrorCode::Unsupported,
                     "texts of shape " + dimsText(dims) + " are more than the memory limit"};
    SplitMix64 random(seed);
    std::vector<std::string> texts(std::size_t(*count), "");
    for (std::string& text : texts)
        for (std::uint64_t words = 1 + random.next() % 4; words > 0; --words) {
            text += text.empty() ? "" : " ";
            for (std::uint64_t letters = 1 + random.next() % 8; letters > 0; --letters)
                text += char('a' + random.next() % 26);
        }
    return Value::ofStrings(std::move(dims), std::move(texts));
}

SeededRange usualRange(DType dtype)
{
    switch (dtype) {
    case DType::Float:
    case DType::Double:
    case DType::Half:
    case DType::BFloat16: return {-1, 1};
    case DType::UInt8:
    case DType::QUInt8: return {0, 256};
    case DType::Int8:
    case DType::QInt8: return {-128, 128};
    default: return {0, 2};
    }
}

} // namespace lapidary
