// SPDX-License-Identifier: Apache-2.0
#include "transforms/diff/tensor_change.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace lapidary {
namespace {

bool isComplex(DType dtype)
{
    return dtype == DType::Complex64 || dtype == DType::Complex128;
}

double realAt(DType dtype, const char* at)
{
    if (dtype == DType::Complex64) {
        float value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    double value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// Compares elements [begin, end) of both sides.
class Piece {
public:
    static Result<Piece> read(const Tensor& before, const Tensor& after, std::int64_t begin,
                              std::int64_t end)
    {
        Piece piece;
        piece.m_dtype = before.dtype();
        piece.m_size = dtypeSize(before.dtype());
        ASSIGN_OR_RETURN(auto x, before.bytes(begin, end));
        ASSIGN_OR_RETURN(auto y, after.bytes(begin, end));
        piece.m_x = std::move(x);
        piece.m_y = std::move(y);
        if (piece.m_x == piece.m_y || isComplex(piece.m_dtype))
            return piece;
        auto numbersBefore = before.numbers(begin, end);
        auto numbersAfter = after.numbers(begin, end);
        if (!numbersBefore || !numbersAfter)
            return !numbersBefore ? numbersBefore.error() : numbersAfter.error();
        piece.m_before = std::move(numbersBefore).value();
        piece.m_after = std::move(numbersAfter).value();
        return piece;
    }

    bool isSame() const { return m_x == m_y; }
    bool isChanged(std::size_t i) const
    {
        return std::memcmp(m_x.data() + i * m_size, m_y.data() + i * m_size, m_size) != 0;
    }
    double difference(std::size_t i) const
    {
        if (!isComplex(m_dtype))
            return std::abs(m_after[i] - m_before[i]);
        const std::size_t half = m_size / 2;
        const char* x = m_x.data() + i * m_size;
        const char* y = m_y.data() + i * m_size;
        return std::hypot(realAt(m_dtype, y) - realAt(m_dtype, x),
                          realAt(m_dtype, y + half) - realAt(m_dtype, x + half));
    }
    double magnitude(std::size_t i) const
    {
        if (!isComplex(m_dtype))
            return std::abs(m_before[i]);
        const char* x = m_x.data() + i * m_size;
        return std::hypot(realAt(m_dtype, x), realAt(m_dtype, x + m_size / 2));
    }

private:
    DType m_dtype = DType::Invalid;
    std::size_t m_size = 0;
    std::string m_x;
    std::string m_y;
    std::vector<double> m_before;
    std::vector<double> m_after;
};

struct Sums {
    TensorChange change;
    double absolute = 0;
    double squares = 0;

    // Adds one element that represents `weight` elements.
    void add(const Piece& piece, std::size_t i, std::int64_t weight)
    {
        if (!piece.isChanged(i))
            return;
        change.changed += weight;
        const double difference = piece.difference(i);
        if (!std::isfinite(difference)) {
            change.nonFinite += weight;
            return;
        }
        absolute += difference * double(weight);
        squares += difference * difference * double(weight);
        change.maxAbs = std::max(change.maxAbs, difference);
        if (const double magnitude = piece.magnitude(i); magnitude > 0)
            change.maxRel = std::max(change.maxRel, difference / magnitude);
    }

    TensorChange finish() const
    {
        TensorChange done = change;
        if (done.elements > 0) {
            done.meanAbs = absolute / double(done.elements);
            done.rootMeanSquare = std::sqrt(squares / double(done.elements));
        }
        return done;
    }
};

Result<TensorChange> compareStrings(const Tensor& before, const Tensor& after)
{
    ASSIGN_OR_RETURN(const auto x, before.strings());
    ASSIGN_OR_RETURN(const auto y, after.strings());
    TensorChange change;
    change.isNumeric = false;
    change.elements = before.elements();
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        change.changed += x[i] == y[i] ? 0 : 1;
    return change;
}

// Returns whether two pieces have the same bytes in the files.
bool isSameContent(const Tensor& before, const Tensor& after, std::int64_t begin, std::int64_t end)
{
    if (before.content().empty() || after.content().empty())
        return false;
    const std::size_t size = dtypeSize(before.dtype());
    const auto part = [&](std::string_view content) {
        return content.substr(std::size_t(begin) * size, std::size_t(end - begin) * size);
    };
    return part(before.content()) == part(after.content());
}

} // namespace

Result<TensorChange> compareTensors(const Tensor& before, const Tensor& after, const Job& job)
{
    if (before.dtype() != after.dtype() || before.elements() != after.elements())
        return Error{ErrorCode::InvalidArgument,
                     "tensors of different types or sizes cannot be compared value by value"};
    if (before.dtype() == DType::String)
        return compareStrings(before, after);
    Sums sums;
    sums.change.elements = before.elements();
    if (before.elements() == 0)
        return sums.finish();
    // Past the stored values, each side repeats its last one.
    const std::int64_t own =
        std::max<std::int64_t>(1, std::max(before.storedElements(), after.storedElements()));
    const std::int64_t count = std::min(own, before.elements());
    const bool isContent = !before.content().empty() && !after.content().empty();
    const std::int64_t step = isContent ? 1 << 16 : 1 << 20; // lists are searched from their start
    for (std::int64_t begin = 0; begin < count; begin += step) {
        if (job.cancelled())
            return cancelledError();
        const std::int64_t end = std::min(count, begin + step);
        if (isSameContent(before, after, begin, end))
            continue;
        ASSIGN_OR_RETURN(const auto piece, Piece::read(before, after, begin, end));
        if (piece.isSame())
            continue;
        for (std::int64_t i = begin; i < end; ++i)
            sums.add(piece, std::size_t(i - begin),
                     i == count - 1 ? 1 + before.elements() - count : 1);
    }
    return sums.finish();
}

} // namespace lapidary
