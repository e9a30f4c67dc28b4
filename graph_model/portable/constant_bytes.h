// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lapidary {

// The values of a constant, row-major and little-endian. They are in a buffer, or computed from one
// whenever they are read, so that the reordered weights of a network need not all be in memory.
// Below `leastDeferred` bytes they are always in a buffer.
class ConstantBytes {
public:
    static constexpr std::size_t leastDeferred = 1U << 16;

    ConstantBytes() = default;
    // `bytes` are kept alive by `holder`.
    ConstantBytes(std::string_view bytes, BufferPtr holder);
    ConstantBytes(std::string bytes);

    std::size_t size() const { return m_size; }
    bool empty() const { return m_source.empty(); }
    bool isStored() const { return m_steps.empty(); }
    // Only valid for stored values.
    std::string_view view() const { return m_source; }
    // Returns the same values in stored form. O(size) if they are computed.
    ConstantBytes read() const;

    // Returns the elements of a tensor of these sizes with its axes in another order: axis i of the
    // result is axis order[i].
    ConstantBytes reordered(std::vector<std::int64_t> dims, std::vector<std::int64_t> order,
                            std::size_t elementSize) const;
    // Returns floats multiplied by a factor for each channel: element i belongs to channel i / run
    // % factors.size().
    ConstantBytes scaled(std::vector<double> factors, std::size_t run) const;
    // Returns floats converted to halves.
    ConstantBytes halved() const;
    // Returns floats quantized to integers of 8 bits within [-limit, limit]: value / scale, with a
    // scale for each channel as above.
    ConstantBytes coded(std::vector<float> scales, std::size_t run, float limit) const;

    // Fails if the file with the values changed since it was opened.
    Status intact() const { return m_holder ? m_holder->intact() : Status(Done{}); }
    // Releases the pages of a mapped file, if the bytes will not be read soon.
    void release() const;

    // O(size), unless both are made from the same bytes in the same way.
    bool operator==(const ConstantBytes& other) const;
    // Equal values have the same hash if they are stored, or made from the same bytes.
    std::size_t hash() const;

private:
    struct Reorder {
        std::vector<std::int64_t> dims;
        std::vector<std::int64_t> order;
        std::size_t elementSize = 1;
        bool operator==(const Reorder&) const = default;
    };
    struct Scale {
        std::vector<double> factors;
        std::size_t run = 1;
        bool operator==(const Scale&) const = default;
    };
    struct Halve {
        bool operator==(const Halve&) const = default;
    };
    struct Code {
        std::vector<float> scales;
        std::size_t run = 1;
        float limit = 127;
        bool operator==(const Code&) const = default;
    };
    using Step = std::variant<Reorder, Scale, Halve, Code>;

    static std::string applied(const Step& step, std::string_view bytes);
    // `size`: that of the result of the step.
    ConstantBytes after(Step step, std::size_t size) const;

    std::string_view m_source;
    std::size_t m_size = 0; // in bytes, after the steps
    BufferPtr m_holder;
    std::vector<Step> m_steps;
};

} // namespace lapidary
