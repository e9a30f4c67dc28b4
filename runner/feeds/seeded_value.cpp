#include "runner/feeds/seeded_value.h"

#include "runner/values/memory_pool.h"

#include <limits>

namespace lapidary {
namespace {

class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed)
        : m_state(seed)
    {
    }
    double next()
    {
        m_state += 0x9e3779b97f4a7c15U;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        z ^= z >> 31;
        return double(z >> 11) * 0x1p-53;
    }

private:
    std::uint64_t m_state;
};

template <class T>
T castTo(double number)
{
    if constexpr (std::numeric_limits<T>::is_integer) {
        // Beyond the type's range a cast would be undefined.
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
    SplitMix random(seed);
    for (T& element : value.mutableAs<T>())
        element = castTo<T>(range.low + (range.high - range.low) * random.next());
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
        return Error{ErrorCode::Unsupported,
                     "no random values of type " + dtypeName(dtype) + "; feed them from a file"};
    return value;
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
