// SPDX-License-Identifier: Apache-2.0
#include "graph_model/portable/permute.h"

#include <cstring>

namespace lapidary {
namespace {

// Returns strides in elements of the given tensor, in the order of the result's axes.
std::vector<std::size_t> stridesOf(std::span<const std::int64_t> dims,
                                   std::span<const std::int64_t> order)
{
    std::vector<std::size_t> strides(dims.size(), 1);
    for (std::size_t axis = dims.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * std::size_t(dims[axis]);
    std::vector<std::size_t> ordered;
    for (const std::int64_t axis : order)
        ordered.push_back(strides[std::size_t(axis)]);
    return ordered;
}

template <std::size_t size>
void copyInOrder(const char* from, char* to, std::span<const std::int64_t> dims,
                 std::span<const std::size_t> strides)
{
    std::vector<std::int64_t> index(dims.size(), 0);
    const auto last = dims.size() - 1;
    while (true) {
        std::size_t start = 0;
        for (std::size_t axis = 0; axis < last; ++axis)
            start += std::size_t(index[axis]) * strides[axis];
        for (std::int64_t i = 0; i < dims[last]; ++i, to += size)
            std::memcpy(to, from + (start + std::size_t(i) * strides[last]) * size, size);
        std::size_t axis = last;
        while (axis > 0 && ++index[axis - 1] == dims[axis - 1])
            index[--axis] = 0;
        if (axis == 0)
            return;
    }
}

} // namespace

std::vector<std::int64_t> permutedDims(std::span<const std::int64_t> dims,
                                       std::span<const std::int64_t> order)
{
    std::vector<std::int64_t> result;
    for (const std::int64_t axis : order)
        result.push_back(dims[std::size_t(axis)]);
    return result;
}

std::string permuted(std::string_view bytes, std::span<const std::int64_t> dims,
                     std::span<const std::int64_t> order, std::size_t elementSize)
{
    std::string result(bytes.size(), '\0');
    if (bytes.empty() || dims.empty())
        return std::string(bytes);
    const std::vector<std::int64_t> target = permutedDims(dims, order);
    const std::vector<std::size_t> strides = stridesOf(dims, order);
    switch (elementSize) {
    case 1: copyInOrder<1>(bytes.data(), result.data(), target, strides); break;
    case 2: copyInOrder<2>(bytes.data(), result.data(), target, strides); break;
    case 8: copyInOrder<8>(bytes.data(), result.data(), target, strides); break;
    default: copyInOrder<4>(bytes.data(), result.data(), target, strides); break;
    }
    return result;
}

} // namespace lapidary
