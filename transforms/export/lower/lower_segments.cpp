// SPDX-License-Identifier: Apache-2.0
// Ops that join the rows of a segment.
#include "transforms/export/lower/lower_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Dims = LowerSteps::Dims;

constexpr std::int64_t mostElements = 1 << 22; // limit of a matrix of rows and segments

std::int64_t countOf(const Dims& dims)
{
    return std::accumulate(dims.begin(), dims.end(), std::int64_t(1), std::multiplies());
}

// Rows of equal length, and the segment that each belongs to.
struct Segmented {
    TensorIndex rows = noTensor; // [count, width]
    TensorIndex ids = noTensor;  // int32, [count, 1]
    std::int64_t count = 0;
    std::int64_t width = 0;
    std::int64_t segments = 0;
};

// Makes the segments from data and ids.
Result<Segmented> segmented(LowerNode& n, TensorIndex data, TensorIndex ids)
{
    RETURN_IF_ERROR(needFloat(n));
    Segmented made;
    LowerSteps steps(n);
    made.count = countOf(n.tensor(ids).dims);
    const std::int64_t elements = countOf(n.tensor(data).dims);
    made.width = made.count == 0 ? 0 : elements / made.count;
    made.segments = n.outputDims().empty() ? 0 : n.outputDims().front();
    if (made.width < 1 || made.segments < 1 || made.segments > mostElements / made.count)
        return unsuited("it joins nothing, or makes very many segments");
    const DType dtype = n.tensor(ids).dtype;
    made.ids = steps.made(Kind::Reshape, {ids}, {made.count, 1}, dtype);
    if (dtype != DType::Int32)
        made.ids = steps.made(Kind::Cast, {made.ids}, {made.count, 1}, DType::Int32);
    made.rows = steps.made(Kind::Reshape, {data}, {made.count, made.width});
    return made;
}

Dims counted(std::int64_t count)
{
    Dims numbers(std::size_t(count), 0);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

// Returns the sums [segments, width], as a product with a matrix that has 1 where a row belongs to
// a segment.
TensorIndex sumOf(LowerNode& n, const Segmented& from)
{
    LowerSteps steps(n);
    const TensorIndex segment = steps.int32s({1, from.segments}, counted(from.segments));
    const Dims dims{from.count, from.segments};
    const TensorIndex isIn = steps.made(Kind::Equal, {from.ids, segment}, dims, DType::Bool);
    const TensorIndex weights = steps.made(Kind::Cast, {isIn}, dims);
    const TensorIndex sums = n.between("sums", DType::Float, {from.segments, from.width});
    n.emit(Kind::BatchMatMul, {weights, from.rows}, {sums}).parameters.adjointX = true;
    return sums;
}

Status segmentSum(LowerNode& n)
{
    ASSIGN_OR_RETURN(const Segmented from, segmented(n, n.input(0), n.input(1)));
    n.emit(Kind::Reshape, {sumOf(n, from)});
    return Done{};
}

// Joins all rows of a segment, with `other` instead of the values of other segments.
Status joined(LowerNode& n, Kind kind, float other)
{
    ASSIGN_OR_RETURN(const Segmented from, segmented(n, n.input(0), n.input(1)));
    if (from.segments > mostElements / from.count / from.width)
        return unsuited("it joins many rows to many segments");
    LowerSteps steps(n);
    const TensorIndex ids = steps.made(Kind::Reshape, {from.ids}, {1, from.count, 1}, DType::Int32);
    const TensorIndex segment = steps.int32s({from.segments, 1, 1}, counted(from.segments));
    const TensorIndex isIn =
        steps.made(Kind::Equal, {ids, segment}, {from.segments, from.count, 1}, DType::Bool);
    const TensorIndex rows = steps.made(Kind::Reshape, {from.rows}, {1, from.count, from.width});
    const TensorIndex chosen =
        steps.made(Kind::Select, {isIn, rows, n.constant("other", {1, 1, 1}, {other})},
                   {from.segments, from.count, from.width});
    n.emit(Kind::Reshape, {steps.reduced(kind, chosen, {1}, false, {from.segments, from.width})});
    return Done{};
}

Status segmentMax(LowerNode& n)
{
    return joined(n, Kind::ReduceMax, std::numeric_limits<float>::lowest());
}

Status segmentMin(LowerNode& n)
{
    return joined(n, Kind::ReduceMin, std::numeric_limits<float>::max());
}

Status segmentProd(LowerNode& n)
{
    return joined(n, Kind::ReduceProd, 1);
}

// Returns the number of rows of each segment. Error: a segment without rows, unless it may be
// empty.
Result<std::vector<float>> rowCounts(LowerNode& n, std::size_t slot, bool mayBeEmpty)
{
    ASSIGN_OR_RETURN(const Dims ids, n.ints(slot, "list of segments"));
    std::vector<float> counts(
        std::size_t(n.outputDims().empty() ? 0 : std::max<std::int64_t>(n.outputDims()[0], 0)));
    for (const std::int64_t id : ids) {
        if (id < 0 || id >= std::int64_t(counts.size()))
            return unsuited("it has a segment id out of range");
        ++counts[std::size_t(id)];
    }
    if (!mayBeEmpty && std::ranges::find(counts, 0.0F) != counts.end())
        return unsuited("one of its segments is empty");
    return counts;
}

// Joins rows whose ids are in ascending order without gaps.
template <Status (*join)(LowerNode&)>
Status sorted(LowerNode& n)
{
    RETURN_IF_ERROR(rowCounts(n, 1, join == segmentSum || join == segmentProd));
    return join(n);
}

// Divides the sums of data by a function of the number of their rows.
Status sumOver(LowerNode& n, TensorIndex data, std::size_t ids, float (*divisor)(float))
{
    ASSIGN_OR_RETURN(std::vector<float> counts, rowCounts(n, ids, true));
    ASSIGN_OR_RETURN(const Segmented from, segmented(n, data, n.input(ids)));
    const TensorIndex sums = sumOf(n, from);
    for (float& count : counts)
        count = count == 0 ? 1 : divisor(count);
    LowerSteps steps(n);
    const TensorIndex divisors = n.constant("divisors", {from.segments, 1}, counts);
    n.emit(Kind::Reshape, {steps.made(Kind::Div, {sums, divisors}, {from.segments, from.width})});
    return Done{};
}

float itself(float count)
{
    return count;
}

float root(float count)
{
    return std::sqrt(count);
}

float one(float /*count*/)
{
    return 1;
}

Status segmentMean(LowerNode& n)
{
    return sumOver(n, n.input(0), 1, itself);
}

// Does the same for rows that are selected first.
template <float (*divisor)(float)>
Status sparseSegments(LowerNode& n)
{
    LowerSteps steps(n);
    Dims dims = n.dims(0);
    if (dims.empty() || n.dims(1).size() != 1)
        return unsuited("it has no rows");
    dims[0] = n.dims(1)[0];
    const TensorIndex rows = n.between("rows", DType::Float, dims);
    RETURN_IF_ERROR(needFloat(n));
    n.emit(Kind::Gather, {n.input(0), n.input(1)}, {rows}).parameters.axis = 0;
    return sumOver(n, rows, 2, divisor);
}

constexpr std::string_view constantIds = "constant ids, float";
constexpr std::string_view summed = "Equal, BatchMatMul";

constexpr std::array segmentRows{
    LowerRow{"SegmentMax", sorted<segmentMax>, "Equal, Select, ReduceMax", constantIds},
    LowerRow{"SegmentMean", segmentMean, summed, constantIds},
    LowerRow{"SegmentMin", sorted<segmentMin>, "Equal, Select, ReduceMin", constantIds},
    LowerRow{"SegmentProd", sorted<segmentProd>, "Equal, Select, ReduceProd", constantIds},
    LowerRow{"SegmentSum", sorted<segmentSum>, summed, constantIds},
    LowerRow{"SparseSegmentMean", sparseSegments<itself>, "Gather, Equal, BatchMatMul",
             constantIds},
    LowerRow{"SparseSegmentSqrtN", sparseSegments<root>, "Gather, Equal, BatchMatMul", constantIds},
    LowerRow{"SparseSegmentSum", sparseSegments<one>, "Gather, Equal, BatchMatMul", constantIds},
    LowerRow{"UnsortedSegmentMax", segmentMax, "Equal, Select, ReduceMax", "float"},
    LowerRow{"UnsortedSegmentMin", segmentMin, "Equal, Select, ReduceMin", "float"},
    LowerRow{"UnsortedSegmentProd", segmentProd, "Equal, Select, ReduceProd", "float"},
    LowerRow{"UnsortedSegmentSum", segmentSum, summed, "finite numbers, float"},
};

} // namespace

std::span<const LowerRow> lowerSegmentRows()
{
    return segmentRows;
}

} // namespace lapidary
