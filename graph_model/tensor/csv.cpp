// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/csv.h"

#include <algorithm>
#include <charconv>

namespace lapidary {
namespace {

constexpr std::int64_t pieceSize = 1 << 14;

template <class Number>
void addNumber(Number value, std::string& text)
{
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, end.ptr);
}

void addQuoted(const std::string& value, std::string& text)
{
    text += '"';
    for (const char c : value)
        text.append(c == '"' ? 2 : 1, c);
    text += '"';
}

// Returns the separator after element `i`.
char separator(std::int64_t i, std::int64_t columns)
{
    return (i + 1) % columns == 0 ? '\n' : ',';
}

} // namespace

Result<std::string> encodeCsv(const Tensor& tensor, const Job& job)
{
    const std::vector<std::int64_t>& dims = tensor.shape().dims;
    const std::int64_t columns = std::max<std::int64_t>(dims.empty() ? 1 : dims.back(), 1);
    const DType dtype = withoutReference(tensor.dtype());
    std::string text;
    if (dtype == DType::String) {
        ASSIGN_OR_RETURN(const auto strings, tensor.strings());
        for (std::size_t i = 0; i < strings.size(); ++i) {
            addQuoted(strings[i], text);
            text += separator(std::int64_t(i), columns);
        }
        return text;
    }
    // The shortest digits of a float are fewer than those of the equal double.
    const bool isShort = dtype == DType::Float || dtype == DType::Half || dtype == DType::BFloat16;
    for (std::int64_t begin = 0; begin < tensor.elements(); begin += pieceSize) {
        if (job.cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(const auto piece,
                         tensor.numbers(begin, std::min(begin + pieceSize, tensor.elements())));
        for (std::size_t i = 0; i < piece.size(); ++i) {
            if (isShort)
                addNumber(float(piece[i]), text);
            else
                addNumber(piece[i], text);
            text += separator(begin + std::int64_t(i), columns);
        }
    }
    return text;
}

} // namespace lapidary
