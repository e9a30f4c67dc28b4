// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/agreement.h"

#include "graph_model/tensor/narrow_float.h"

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

bool isFloat(DType dtype)
{
    return dtype == DType::Float || dtype == DType::Double || dtype == DType::Half ||
           dtype == DType::BFloat16;
}

// Counts the elements of `row` that rank before element `at`: larger ones, and equal ones with a
// lower index.
std::size_t rankOf(std::span<const double> row, std::size_t at)
{
    std::size_t rank = 0;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i] > row[at] || (row[i] == row[at] && i < at))
            ++rank;
    return rank;
}

bool hasNaN(std::span<const double> row)
{
    return std::ranges::any_of(row, [](double x) { return std::isnan(x); });
}

// Reads the numbers of a row-major value from `first` on, as many as `block` holds.
void read(const Value& value, std::size_t first, std::span<double> block)
{
    widenOf(value.dtype())(value, first, block);
}

// Calls visit(first, count) for one block of elements after the other.
template <class Visit>
void forBlocks(std::size_t elements, const Visit& visit)
{
    for (std::size_t first = 0; first < elements; first += blockSize)
        visit(first, std::min(blockSize, elements - first));
}

// The number of consecutive elements of one channel, and the number of channels; scalars have one
// channel.
struct ChannelLayout {
    std::size_t inner = 1;
    std::size_t channels = 1;

    std::size_t channelOf(std::size_t element) const { return element / inner % channels; }
};

ChannelLayout layoutOf(const Dims& dims, int axis)
{
    ChannelLayout layout;
    if (dims.size() < 2)
        return layout;
    const std::size_t at =
        axis < 0 || std::size_t(axis) >= dims.size() ? dims.size() - 1 : std::size_t(axis);
    for (std::size_t i = at + 1; i < dims.size(); ++i)
        layout.inner *= std::size_t(dims[i]);
    layout.channels = std::size_t(dims[at]);
    return layout;
}

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

double decibels(double signal, double noise)
{
    return noise > 0 ? 10 * std::log10(signal / noise) : infinite;
}

} // namespace

void AgreementSums::Channel::include(double x, double y)
{
    count += 1;
    aa += x * x;
    ab += x * y;
    bb += y * y;
}

bool AgreementSums::addTexts(const Value& a, const Value& b)
{
    if (a.dtype() != b.dtype() || a.dims() != b.dims())
        return false;
    m_isEmpty = false;
    m_counts.elements += a.elements();
    m_counts.hasFloats = false;
    m_counts.hasTexts = true;
    const auto textsA = a.strings();
    const auto textsB = b.strings();
    for (std::size_t i = 0; i < textsA.size(); ++i)
        addPair(1, textsA[i] == textsB[i] ? 1 : 0);
    return true;
}

bool AgreementSums::add(const Value& a, const Value& b)
{
    if (a.dtype() == DType::String)
        return addTexts(a, b);
    if (widenOf(a.dtype()) == nullptr || widenOf(b.dtype()) == nullptr || a.dims() != b.dims())
        return false;
    const auto elements = std::size_t(a.elements());
    m_isEmpty = false;
    m_counts.elements += a.elements();
    m_counts.hasFloats = isFloat(a.dtype());
    Block blockA;
    Block blockB;
    Ends ends;
    forBlocks(elements, [&](std::size_t first, std::size_t count) {
        read(b, first, std::span(blockB).first(count));
        for (std::size_t i = 0; i < count; ++i)
            ends.include(blockB[i]);
    });
    const ChannelLayout layout = layoutOf(a.dims(), m_channelAxis);
    if (elements > 0) // an empty tensor may have any number of channels
        m_channels.resize(std::max(m_channels.size(), layout.channels));
    forBlocks(elements, [&](std::size_t first, std::size_t count) {
        read(a, first, std::span(blockA).first(count));
        read(b, first, std::span(blockB).first(count));
        for (std::size_t i = 0; i < count; ++i) {
            addPair(blockA[i], blockB[i]);
            m_saturated += ends.holdsBack(blockA[i], blockB[i]) ? 1 : 0;
            if (std::isfinite(blockA[i]) && std::isfinite(blockB[i]))
                m_channels[layout.channelOf(first + i)].include(blockA[i], blockB[i]);
        }
    });
    addClasses(a, b);
    return true;
}

void AgreementSums::addPair(double a, double b)
{
    m_counts.notFiniteA += std::isfinite(a) ? 0 : 1;
    m_counts.notFiniteB += std::isfinite(b) ? 0 : 1;
    if (std::isfinite(a))
        m_counts.magnitude = std::max(m_counts.magnitude, std::abs(a));
    const bool isEqual = a == b || (std::isnan(a) && std::isnan(b));
    m_equal += isEqual ? 1 : 0;
    if (!std::isfinite(a) || !std::isfinite(b)) {
        m_hasUndefined = m_hasUndefined || std::isnan(a) != std::isnan(b);
        m_hasInfinite = m_hasInfinite || !isEqual;
        return;
    }
    ++m_finite;
    const double difference = std::abs(b - a);
    m_counts.maxAbs = std::max(m_counts.maxAbs, difference);
    if (a != 0)
        m_counts.maxRel = std::max(m_counts.maxRel, difference / std::abs(a));
    m_squaredA += a * a;
    m_squaredB += b * b;
    m_squaredDifference += difference * difference;
    m_product += a * b;
}

void AgreementSums::addClasses(const Value& a, const Value& b)
{
    const bool hasClasses = (a.rank() == 1 || a.rank() == 2) && a.dim(a.rank() - 1) >= 2;
    if (!hasClasses || !isFloat(a.dtype()) || !isFloat(b.dtype()) || a.elements() == 0)
        return;
    const auto classes = std::size_t(a.dim(a.rank() - 1));
    const std::size_t rows = std::size_t(a.elements()) / classes;
    m_classes.count = std::max(m_classes.count, std::int64_t(classes));
    std::vector<double> rowA(classes);
    std::vector<double> rowB(classes);
    for (std::size_t row = 0; row < rows; ++row) {
        read(a, row * classes, rowA);
        read(b, row * classes, rowB);
        if (hasNaN(rowA))
            continue;
        const auto best = std::size_t(std::ranges::max_element(rowA) - rowA.begin());
        const std::size_t rank = hasNaN(rowB) ? classes : rankOf(rowB, best);
        m_classes.same += rank == 0 ? 1 : 0;
        m_classes.amongFive += rank < 5 ? 1 : 0;
        ++m_classes.rows;
        ++m_classes.best[best];
    }
}

std::optional<double> AgreementSums::rescaledDb() const
{
    constexpr double fewest = 4; // elements; with one, a factor fits exactly
    double all = 0;
    double rest = 0;
    for (const Channel& channel : m_channels) {
        if (channel.count < fewest)
            return {};
        all += channel.bb;
        const double fitted = channel.aa > 0 ? channel.ab * channel.ab / channel.aa : 0;
        rest += std::max(channel.bb - fitted, 0.0);
    }
    return all > 0 ? std::optional(decibels(all, rest)) : std::nullopt;
}

TensorAgreement AgreementSums::result() const
{
    TensorAgreement agreement = m_counts;
    if (m_counts.elements > 0) {
        const auto elements = double(m_counts.elements);
        agreement.meanSquared = m_squaredDifference / elements;
        agreement.saturated = double(m_saturated) / elements;
        agreement.equal = double(m_equal) / elements;
    }
    agreement.sqnrDb = decibels(m_squaredA, m_squaredDifference);
    if (m_squaredA > 0 && m_squaredB > 0)
        agreement.cosine =
            std::clamp(m_product / (std::sqrt(m_squaredA) * std::sqrt(m_squaredB)), -1.0, 1.0);
    else if (m_squaredA > 0 || m_squaredB > 0)
        agreement.cosine = 0;
    if (m_finite == 0 && m_counts.elements > 0)
        agreement.sqnrDb = agreement.cosine = notANumber;
    if (m_hasInfinite) {
        agreement.maxAbs = agreement.maxRel = agreement.meanSquared = infinite;
        agreement.sqnrDb = -infinite;
        agreement.cosine = notANumber;
    }
    if (m_hasUndefined)
        agreement.maxAbs = agreement.maxRel = agreement.meanSquared = agreement.sqnrDb =
            agreement.cosine = notANumber;
    if (m_classes.rows > 0) {
        agreement.top1 = double(m_classes.same) / double(m_classes.rows);
        if (m_classes.count > 5)
            agreement.top5 = double(m_classes.amongFive) / double(m_classes.rows);
        agreement.rows = m_classes.rows;
        agreement.classes = std::int64_t(m_classes.best.size());
    }
    agreement.rescaledDb = rescaledDb();
    return agreement;
}

std::optional<TensorAgreement> compareValues(const Value& a, const Value& b)
{
    AgreementSums sums;
    return sums.add(a, b) ? std::optional(sums.result()) : std::nullopt;
}

} // namespace lapidary
