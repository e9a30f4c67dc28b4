// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/code_drawing.h"

#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace lapidary::goldens::drawn {
namespace {

constexpr std::int8_t floatType = 0;
constexpr std::int8_t int32Type = 2;
constexpr std::int8_t uint8Type = 3;
constexpr std::int8_t boolType = 6;
constexpr std::int8_t int8Type = 9;

std::size_t sizeOf(const Dims& dims)
{
    return std::size_t(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies()));
}

template <class T>
std::string bytesOf(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

} // namespace

std::uint64_t Chance::next()
{
    std::uint64_t z = m_state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

std::int32_t Chance::within(std::int32_t low, std::int32_t high)
{
    return low + std::int32_t(next() % std::uint64_t(high - low + 1));
}

float Chance::scale(int least, int most)
{
    constexpr int bits = 12;
    const std::int32_t fraction = within(1 << bits, (2 << bits) - 1);
    return std::ldexp(float(fraction), within(least, most) - bits);
}

Drawing::Drawing(std::string_view op, std::uint64_t number)
    : m_chance(number)
    , m_type(int8Type)
{
    for (const char letter : op)
        m_chance = Chance(m_chance.next() ^ std::uint64_t(letter));
    while (tfliteOperatorName(m_operator.code) != op)
        ++m_operator.code;
}

Drawing& Drawing::ofBoth()
{
    m_type = m_chance.isTrue() ? int8Type : uint8Type;
    return *this;
}

Drawing& Drawing::ofUnsigned()
{
    m_type = uint8Type;
    return *this;
}

bool Drawing::isSigned() const
{
    return m_type == int8Type;
}

std::int32_t Drawing::zero()
{
    constexpr std::int32_t codes = 256;
    switch (m_chance.within(0, 5)) {
    case 0: return low();
    case 1: return low() + codes - 1;
    case 2: return low() + codes / 2;
    default: return m_chance.within(low(), low() + codes - 1);
    }
}

Dims Drawing::dims(std::size_t rank, std::int32_t most)
{
    Dims dims(rank);
    std::ranges::generate(dims, [&] { return m_chance.within(1, most); });
    return dims;
}

void Drawing::codes(const Dims& dims, float scale, std::int32_t zero)
{
    codes(dims, {{scale}, {zero}, 0}, low(), low() + 255);
}

void Drawing::codes(const Dims& dims, TfliteScales scales, std::int32_t least, std::int32_t most)
{
    std::string bytes(sizeOf(dims), '\0');
    std::ranges::generate(bytes, [&] { return char(m_chance.within(least, most)); });
    input(dims, m_type, std::move(scales), std::move(bytes));
}

void Drawing::ints(const Dims& dims, const std::vector<std::int32_t>& values, TfliteScales scales)
{
    input(dims, int32Type, std::move(scales), bytesOf(values));
}

void Drawing::numbers(const Dims& dims, float most)
{
    constexpr std::int32_t steps = 4096;
    std::vector<float> values(sizeOf(dims));
    std::ranges::generate(
        values, [&] { return most * float(m_chance.within(-steps, steps)) / float(steps); });
    input(dims, floatType, {}, bytesOf(values));
}

void Drawing::input(const Dims& dims, std::int8_t type, TfliteScales scales, std::string bytes)
{
    TfliteTensor made{.name = "x" + std::to_string(m_graph.tensors.size()),
                      .type = type,
                      .shape = dims,
                      .quantized = std::move(scales),
                      .isConstant = true};
    made.bytes = ConstantBytes(std::move(bytes));
    m_operator.inputs.push_back(std::int32_t(m_graph.tensors.size()));
    m_graph.tensors.push_back(std::move(made));
}

Drawing& Drawing::options(std::uint8_t table)
{
    m_operator.optionsType = table;
    return *this;
}

Drawing& Drawing::option(std::uint16_t field, std::int64_t number, TfliteOption::Type type)
{
    m_operator.options.push_back({.field = field, .type = type, .number = number});
    return *this;
}

Drawing& Drawing::real(std::uint16_t field, float number)
{
    m_operator.options.push_back(
        {.field = field, .type = TfliteOption::Type::Float, .real = number});
    return *this;
}

Drawing& Drawing::activation(std::uint16_t field)
{
    return option(field, m_chance.within(0, 3), TfliteOption::Type::Byte);
}

std::string Drawing::output(const Dims& dims, float scale, std::int32_t zero)
{
    return file(dims, m_type, {{scale}, {zero}, 0});
}

std::string Drawing::truths(const Dims& dims)
{
    return file(dims, boolType, {});
}

std::string Drawing::file(const Dims& dims, std::int8_t type, TfliteScales scales)
{
    const auto place = std::int32_t(m_graph.tensors.size());
    m_graph.tensors.push_back(
        {.name = "y", .type = type, .shape = dims, .quantized = std::move(scales)});
    m_graph.name = "main";
    m_graph.outputs = m_operator.outputs = {place};
    m_graph.operators = {m_operator};
    TfliteModel model;
    model.graphs.push_back(m_graph);
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    return *encoded->bytes();
}

} // namespace lapidary::goldens::drawn
