// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/kernels/arrays/moved.h"

namespace lapidary {
namespace {

std::int64_t flatPlace(const Dims& dims, const Dims& index)
{
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < dims.size(); ++i)
        flat = flat * dims[i] + index[i];
    return flat;
}

std::string elementAt(const Value& value, std::int64_t flat)
{
    if (value.dtype() == DType::String)
        return value.strings()[std::size_t(flat)];
    const std::size_t size = dtypeSize(value.dtype());
    return std::string(value.bytes().substr(std::size_t(flat) * size, size));
}

bool advance(Dims& index, const Dims& dims)
{
    for (std::size_t i = dims.size(); i-- > 0;) {
        if (++index[i] < dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

} // namespace

Value vectorOf(const Ints& numbers)
{
    return valueOf<std::int32_t>({std::int64_t(numbers.size())}, numbers);
}

Value pairsOf(const Ints& numbers)
{
    return valueOf<std::int32_t>({std::int64_t(numbers.size() / 2), 2}, numbers);
}

Value distinctValue(DType dtype, Dims dims)
{
    Value value = emptyValue(dtype, std::move(dims));
    for (std::int64_t i = 0; i < value.elements(); ++i) {
        if (dtype == DType::String) {
            value.mutableStrings()[std::size_t(i)] = "element " + std::to_string(i);
            continue;
        }
        const std::size_t size = dtypeSize(dtype);
        for (std::size_t k = 0; k < size; ++k) {
            const auto mixed = std::uint64_t(i + 1) * 0x9E3779B97F4A7C15ULL;
            value.mutableAs<std::uint8_t>().data()[std::size_t(i) * size + k] =
                std::uint8_t(mixed >> (8 * (k % 8)));
        }
    }
    return value;
}

std::string wrongMove(const Value& input, const Result<Value>& output, const Dims& dims,
                      const SourceOf& source, const Value& filling)
{
    if (!output)
        return output.error().message;
    if (output->dims() != dims || output->dtype() != input.dtype())
        return "is " + dtypeName(output->dtype()) + dimsText(output->dims());
    if (output->elements() == 0)
        return "";
    const std::string zero(dtypeSize(input.dtype()), '\0');
    Dims index(dims.size());
    do {
        const auto from = source(index);
        std::string expected = filling.isSet() ? elementAt(filling, 0) : zero;
        if (from)
            expected = elementAt(input, flatPlace(input.dims(), *from));
        if (elementAt(*output, flatPlace(dims, index)) != expected)
            return "wrong at " + dimsText(index);
    } while (advance(index, dims));
    return "";
}

} // namespace lapidary
