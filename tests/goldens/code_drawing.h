// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tflite/tflite_model.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary::goldens::drawn {

using Dims = std::vector<std::int32_t>;

// splitmix64: the same numbers on every machine.
class Chance {
public:
    explicit Chance(std::uint64_t seed)
        : m_state(seed)
    {
    }

    std::uint64_t next();
    std::int32_t within(std::int32_t low, std::int32_t high);
    bool isTrue() { return (next() & 1) != 0; }
    // Returns a random scale from 2^least to 2^(most + 1).
    float scale(int least, int most);

private:
    std::uint64_t m_state;
};

// Builds a .tflite file with one operator whose inputs are constants of random codes.
class Drawing {
public:
    Drawing(std::string_view op, std::uint64_t number);

    Chance& chance() { return m_chance; }
    // The codes are int8 unless one of these functions was called.
    Drawing& ofBoth();
    Drawing& ofUnsigned();
    bool isSigned() const;
    std::int32_t low() const { return isSigned() ? -128 : 0; }
    std::int32_t zero();
    float scale() { return m_chance.scale(-8, -2); }
    Dims dims(std::size_t rank, std::int32_t most);

    // Add an input.
    void codes(const Dims& dims, float scale, std::int32_t zero);
    void codes(const Dims& dims, TfliteScales scales, std::int32_t least, std::int32_t most);
    void ints(const Dims& dims, const std::vector<std::int32_t>& values, TfliteScales scales = {});
    void numbers(const Dims& dims, float most);

    Drawing& options(std::uint8_t table);
    Drawing& option(std::uint16_t field, std::int64_t number,
                    TfliteOption::Type type = TfliteOption::Type::Int);
    Drawing& truth(std::uint16_t field, bool value)
    {
        return option(field, value ? 1 : 0, TfliteOption::Type::Bool);
    }
    Drawing& real(std::uint16_t field, float number);
    // NONE, RELU, RELU_N1_TO_1 or RELU6.
    Drawing& activation(std::uint16_t field);

    // Returns the file.
    std::string output(const Dims& dims, float scale) { return output(dims, scale, zero()); }
    std::string output(const Dims& dims, float scale, std::int32_t zero);
    std::string truths(const Dims& dims);

private:
    void input(const Dims& dims, std::int8_t type, TfliteScales scales, std::string bytes);
    std::string file(const Dims& dims, std::int8_t type, TfliteScales scales);

    Chance m_chance;
    std::int8_t m_type;
    TfliteGraph m_graph;
    TfliteOperator m_operator;
};

} // namespace lapidary::goldens::drawn
