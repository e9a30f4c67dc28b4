// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lapidary {

// The arithmetic of codes that represent real numbers in a range [min, max] (spec: kernels, B1 and
// B2). Every operation is rounded as written, in the type written, because the codes must equal
// TensorFlow's. T is the storage type: uint8_t for quint8, int32_t for qint32.

// The real numbers that the lowest and highest code of a tensor represent.
struct CodeRange {
    float min = 0;
    float max = 0;

    bool operator==(const CodeRange&) const = default;
};

template <class T>
inline constexpr double codeSteps = double(std::uint64_t(1) << (8 * sizeof(T)));
template <class T>
inline constexpr std::int64_t lowestCode = std::int64_t{std::numeric_limits<T>::lowest()};
template <class T>
inline constexpr std::int64_t highestCode = std::int64_t{std::numeric_limits<T>::max()};

// Converts as x86 does: values that do not fit, and NaN, become the lowest number.
inline std::int64_t truncatedToInt64(double value)
{
    constexpr double end = 9223372036854775808.0;
    return value >= -end && value < end ? std::int64_t(value)
                                        : std::numeric_limits<std::int64_t>::lowest();
}

inline std::int32_t truncatedToInt32(float value)
{
    constexpr float end = 2147483648.0F;
    return value >= -end && value < end ? std::int32_t(value)
                                        : std::numeric_limits<std::int32_t>::lowest();
}

// TensorFlow converts a qint32 to other numbers by way of float, which keeps 24 bits of it.
inline std::int64_t throughFloat(std::int32_t code)
{
    return std::int64_t(float(code));
}

inline std::int64_t wrappingSum(std::int64_t a, std::int64_t b)
{
    return std::int64_t(std::uint64_t(a) + std::uint64_t(b));
}

inline std::int64_t wrappingDifference(std::int64_t a, std::int64_t b)
{
    return std::int64_t(std::uint64_t(a) - std::uint64_t(b));
}

inline std::int32_t wrappingSum32(std::int32_t a, std::int32_t b)
{
    return std::int32_t(std::uint32_t(a) + std::uint32_t(b));
}

inline std::int32_t wrappingProduct32(std::int32_t a, std::int32_t b)
{
    return std::int32_t(std::uint32_t(a) * std::uint32_t(b));
}

// Quantizes one number, in double, without clamping it to the codes of T (B1.1):
//   code = round(x * scale) - round(min * scale) + lowest
//   scale = steps / ((max - min) * (steps / (steps - 1)))
template <class T>
std::int64_t unclampedCode(float x, CodeRange range)
{
    if (range.min == range.max)
        return lowestCode<T>;
    constexpr double steps = codeSteps<T>;
    const double scale = steps / (double(range.max - range.min) * (steps / (steps - 1.0)));
    const double code = std::round(double(x) * scale) - std::round(double(range.min) * scale);
    return wrappingSum(truncatedToInt64(code), lowestCode<T>);
}

// Quantizes one number to the nearest code of T (B1.2).
template <class T>
T nearestCode(float x, CodeRange range)
{
    return T(std::clamp(unclampedCode<T>(x, range), lowestCode<T>, highestCode<T>));
}

// Dequantizes one number (B1.3):
//   real = roundedMin + (code - lowest) * step
//   step = (max - min) * (steps / (steps - 1)) / steps
// The step is a double; min is rounded to a multiple of the step's float.
template <class T>
class ExactReal {
public:
    explicit ExactReal(CodeRange range)
        : m_isPoint(range.min == range.max)
        , m_min(range.min)
    {
        constexpr double steps = codeSteps<T>;
        m_step = double(range.max - range.min) * (steps / (steps - 1.0)) / steps;
        const float step(m_step);
        m_roundedMin = double(std::round(range.min / step) * step);
    }

    float operator()(T code) const
    {
        if (m_isPoint)
            return m_min;
        return float(m_roundedMin + double(std::int64_t(code) - lowestCode<T>) * m_step);
    }

private:
    bool m_isPoint;
    float m_min;
    double m_step = 0;
    double m_roundedMin = 0;
};

template <class T>
float exactReal(T code, CodeRange range)
{
    return ExactReal<T>(range)(code);
}

// Requantizes one number: its real value in one range becomes the nearest code of another (B1.6).
template <class From, class To>
To movedCode(From code, CodeRange from, CodeRange to)
{
    return nearestCode<To>(exactReal(code, from), to);
}

// Dequantizes whole tensors, in float (B2.1):
//   real = bias + code * step,  step = (max - min) / (steps - 1)
template <class T>
class Real {
public:
    explicit Real(CodeRange range)
        : m_step(float(double(range.max - range.min) / (codeSteps<T> - 1.0)))
    {
        const float min =
            range.max == range.min ? range.min : std::round(range.min / m_step) * m_step;
        m_bias = min - float(lowestCode<T>) * m_step;
    }

    float operator()(T code) const { return m_bias + float(code) * m_step; }

    float step() const { return m_step; }
    float bias() const { return m_bias; }

private:
    float m_step;
    float m_bias;
};

// Quantizes whole tensors, in float (B2.2):
//   code = round(x * scale) - (round(min * scale) - lowest),  scale = (steps - 1) / (max - min)
// The highest qint32 is 2147483520, the largest float below 2^31.
template <class T>
class Code {
public:
    explicit Code(CodeRange range)
        : m_scale(range.max == range.min
                      ? 0.0F
                      : float((codeSteps<T> - 1.0) / double(range.max - range.min)))
        , m_offset(std::round(range.min * m_scale) - float(lowestCode<T>))
    {
    }

    T operator()(float x) const
    {
        constexpr float low = float(lowestCode<T>);
        constexpr float high = sizeof(T) == 4 ? 2147483520.0F : float(highestCode<T>);
        float code = std::round(x * m_scale) - m_offset;
        code = code < low ? low : code; // NaN stays, and is converted as on x86
        code = code > high ? high : code;
        return T(truncatedToInt32(code));
    }

    float scale() const { return m_scale; }
    float offset() const { return m_offset; }

private:
    float m_scale;
    float m_offset;
};

// Returns the real distance of neighboring codes (B1.4).
template <class T>
float oneLevel(CodeRange range)
{
    return (range.max - range.min) / float(highestCode<T> - lowestCode<T>);
}

// Returns the range of an int32 sum of products of codes (B1.5).
template <class A, class B>
CodeRange productRange(CodeRange a, CodeRange b)
{
    const float level = oneLevel<A>(a) * oneLevel<B>(b);
    return {level * float(lowestCode<std::int32_t>), level * float(highestCode<std::int32_t>)};
}

// Requantizes qint32 to quint8 in whole numbers (B2.3).
class SumRequantizer {
public:
    SumRequantizer(CodeRange from, CodeRange to)
    {
        const float in = from.max - from.min;
        const float out = to.max - to.min;
        const float inverse = out == 0 ? 0.0F : float(255.0 / double(out));
        const auto middle = float(double(from.min + from.max) / 2.0);
        const std::int64_t offset = truncatedToInt64(double(middle * inverse * 65536.0F));
        std::int64_t outOffset = 0;
        if (out != 0) {
            m_scale = truncatedToInt64(255.0 * 65536.0 * double(in) / double(out));
            outOffset = truncatedToInt64(65536.0 * (double(to.min) * 255.0) / double(out));
        }
        m_offset = wrappingSum(wrappingDifference(offset, outOffset), 32768);
    }

    std::uint8_t operator()(std::int32_t code) const
    {
        const auto scaled =
            std::int64_t(std::uint64_t(throughFloat(code)) * std::uint64_t(m_scale));
        const std::int64_t fixed = wrappingSum(scaled >> 32, m_offset);
        return std::uint8_t(std::clamp<std::int64_t>(fixed >> 16, 0, 255));
    }

    std::int64_t scale() const { return m_scale; }
    std::int64_t offset() const { return m_offset; }

private:
    std::int64_t m_scale = 0;
    std::int64_t m_offset = 0;
};

// Requantizes quint8 to qint32, linearly between the first two codes (B2.4).
class Widen {
public:
    Widen(CodeRange from, CodeRange to)
        : m_first(unclampedCode<std::int32_t>(exactReal<std::uint8_t>(0, from), to))
        , m_step(std::int32_t(wrappingDifference(
              unclampedCode<std::int32_t>(exactReal<std::uint8_t>(1, from), to), m_first)))
    {
    }

    std::int32_t operator()(std::uint8_t code) const
    {
        const std::int64_t wide = wrappingSum(m_first, std::int64_t(code) * m_step);
        return std::int32_t(std::clamp(wide, lowestCode<std::int32_t>, highestCode<std::int32_t>));
    }

private:
    std::int64_t m_first;
    std::int32_t m_step;
};

// Calls use(T()) with the storage type of quint8, qint8, quint16, qint16 or qint32. Returns false
// for other dtypes.
template <class Use>
bool dispatchCodes(DType dtype, const Use& use)
{
    switch (dtype) { // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
    case DType::QUInt8: use(std::uint8_t()); return true;
    case DType::QInt8: use(std::int8_t()); return true;
    case DType::QUInt16: use(std::uint16_t()); return true;
    case DType::QInt16: use(std::int16_t()); return true;
    case DType::QInt32: use(std::int32_t()); return true;
    default: return false;
    }
}

} // namespace lapidary
