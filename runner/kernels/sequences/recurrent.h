// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/scratch.h"

#include <cmath>
#include <span>

namespace lapidary {

// A matrix of floats for the recurrent cells; half values are widened when they are read and
// rounded when they are stored.
class FloatMatrix {
public:
    // Copies `value`, which is float or half.
    static Result<FloatMatrix> copyOf(const Value& value, MemoryPool& pool);
    static Result<FloatMatrix> make(std::int64_t count, MemoryPool& pool);

    std::span<float> all() { return m_values.all(); }
    std::span<const float> all() const { return m_values.all(); }
    float& operator[](std::int64_t i) { return m_values[i]; }
    const float& operator[](std::int64_t i) const { return m_values[i]; }

private:
    explicit FloatMatrix(Scratch<float> values)
        : m_values(std::move(values))
    {
    }
    Scratch<float> m_values;
};

// out[rows, columns] += left[rows, inner] * right[inner, columns].
void addProduct(std::span<const float> left, std::span<const float> right, std::int64_t rows,
                std::int64_t inner, std::int64_t columns, std::span<float> out);

// Stores floats as output `i` of `dims`, in the type `dtype` (float or half).
Status setFloats(KernelContext& context, std::size_t i, DType dtype, Dims dims,
                 std::span<const float> values);

inline float sigmoidOf(float x)
{
    return 1.0F / (1.0F + std::exp(-x));
}

// Returns what is wrong if `value` does not have the shape `dims`, with its name; empty otherwise.
std::string shapeFault(std::string_view name, const Value& value, const Dims& dims);

} // namespace lapidary
