#include "transforms/verify/agreement.h"

#include "runner/values/narrow_float.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::size_t blockSize = 1024;
using Block = std::array<double, blockSize>;

template <class T>
void widen(const Value& value, std::size_t first, std::span<double> block)
{
    const std::span<const T> elements = value.as<T>().subspan(first, block.size());
    std::ranges::transform(elements, block.begin(), [](T x) { return double(x); });
}

using Widen = void (*)(const Value&, std::size_t, std::span<double>);

Widen widenOf(DType dtype)
{
    switch (dtype) {
    case DType::Float: return widen<float>;
    case DType::Double: return widen<double>;
    case DType::Half: return widen<Half>;
    case DType::BFloat16: return widen<BFloat16>;
    case DType::Int8: return widen<std::int8_t>;
    case DType::Int16: return widen<std::int16_t>;
    case DType::Int32: return widen<std::int32_t>;
    case DType::Int64: return widen<std::int64_t>;
    case DType::UInt8: return widen<std::uint8_t>;
    case DType::UInt16: return widen<std::uint16_t>;
    case DType::UInt32: return widen<std::uint32_t>;
    case DType::UInt64: return widen<std::uint64_t>;
    case DType::Bool: return widen<bool>;
    default: return nullptr;
    }
}

// The smallest and the largest finite number of a tensor.
struct Ends {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void include(double x)
    {
        if (!std::isfinite(x))
            return;
        least = std::min(least, x);
        most = std::max(most, x);
    }
    bool holdsBack(double a, double b) const
    {
        return (b == most && a > most) || (b == least && a < least);
    }
};

struct Sums {
    std::int64_t saturated = 0;
    double squaredA = 0;
    double squaredB = 0;
    double squaredDifference = 0;
    double product = 0;
};

void addPair(double a, double b, Sums& sums, TensorAgreement& agreement)
{
    if (std::isfinite(a))
        agreement.magnitude = std::max(agreement.magnitude, std::abs(a));
    if (a == b || (std::isnan(a) && std::isnan(b))) {
        if (!std::isfinite(a))
            return;
    } else if (!std::isfinite(a) || !std::isfinite(b)) {
        agreement.maxAbs = agreement.maxRel = std::numeric_limits<double>::infinity();
        return;
    }
    const double difference = std::abs(b - a);
    agreement.maxAbs = std::max(agreement.maxAbs, difference);
    if (a != 0)
        agreement.maxRel = std::max(agreement.maxRel, difference / std::abs(a));
    sums.squaredA += a * a;
    sums.squaredB += b * b;
    sums.squaredDifference += difference * difference;
    sums.product += a * b;
}

void finish(const Sums& sums, TensorAgreement& agreement)
{
    if (agreement.elements > 0) {
        agreement.meanSquared = sums.squaredDifference / double(agreement.elements);
        agreement.saturated = double(sums.saturated) / double(agreement.elements);
    }
    if (sums.squaredDifference > 0)
        agreement.sqnrDb = 10 * std::log10(sums.squaredA / sums.squaredDifference);
    if (sums.squaredA > 0 && sums.squaredB > 0)
        agreement.cosine = sums.product / (std::sqrt(sums.squaredA) * std::sqrt(sums.squaredB));
    else if (sums.squaredA > 0 || sums.squaredB > 0)
        agreement.cosine = 0;
}

bool isFloat(DType dtype)
{
    return dtype == DType::Float || dtype == DType::Double || dtype == DType::Half ||
           dtype == DType::BFloat16;
}

// How many of `row` come before its element `at`: larger ones, and equal ones in front.
std::size_t rankOf(std::span<const double> row, std::size_t at)
{
    std::size_t rank = 0;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i] > row[at] || (row[i] == row[at] && i < at))
            ++rank;
    return rank;
}

void compareClasses(const Value& a, const Value& b, TensorAgreement& agreement)
{
    const bool hasClasses = (a.rank() == 1 || a.rank() == 2) && a.dim(a.rank() - 1) >= 2;
    if (!hasClasses || !isFloat(a.dtype()) || !isFloat(b.dtype()) || a.elements() == 0)
        return;
    const auto classes = std::size_t(a.dim(a.rank() - 1));
    const std::size_t rows = std::size_t(a.elements()) / classes;
    std::vector<double> rowA(classes);
    std::vector<double> rowB(classes);
    std::size_t first = 0;
    std::size_t five = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        widenOf(a.dtype())(a, row * classes, rowA);
        widenOf(b.dtype())(b, row * classes, rowB);
        const auto best = std::size_t(std::ranges::max_element(rowA) - rowA.begin());
        const std::size_t rank = rankOf(rowB, best);
        first += rank == 0 ? 1 : 0;
        five += rank < 5 ? 1 : 0;
    }
    agreement.top1 = double(first) / double(rows);
    if (classes > 5)
        agreement.top5 = double(five) / double(rows);
}

} // namespace

std::optional<TensorAgreement> compareValues(const Value& a, const Value& b)
{
    const Widen widenA = widenOf(a.dtype());
    const Widen widenB = widenOf(b.dtype());
    if (widenA == nullptr || widenB == nullptr || a.dims() != b.dims())
        return {};
    TensorAgreement agreement;
    agreement.elements = a.elements();
    Sums sums;
    Block blockA;
    Block blockB;
    const auto elements = std::size_t(a.elements());
    Ends ends;
    for (std::size_t first = 0; first < elements; first += blockSize) {
        const std::span<double> block =
            std::span(blockB).first(std::min(blockSize, elements - first));
        widenB(b, first, block);
        for (const double x : block)
            ends.include(x);
    }
    for (std::size_t first = 0; first < elements; first += blockSize) {
        const std::size_t count = std::min(blockSize, elements - first);
        widenA(a, first, std::span(blockA).first(count));
        widenB(b, first, std::span(blockB).first(count));
        for (std::size_t i = 0; i < count; ++i) {
            addPair(blockA[i], blockB[i], sums, agreement);
            sums.saturated += ends.holdsBack(blockA[i], blockB[i]) ? 1 : 0;
        }
    }
    finish(sums, agreement);
    compareClasses(a, b, agreement);
    return agreement;
}

} // namespace lapidary
