// SPDX-License-Identifier: Apache-2.0
// FFT, IFFT, RFFT, IRFFT and those of two and three axes: discrete Fourier transforms of the last
// axes. RFFT transforms real numbers, the first fft_length of each axis, and gives half of the last
// axis and the bin in the middle; IRFFT takes such a half.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/signal/complex_transform.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

struct Transform {
    std::size_t axes = 1;
    bool isInverse = false;
    bool isReal = false;
    Dims lengths = {}; // of the transform, one for each axis

    bool takesHalf() const { return isReal && isInverse; }
    bool givesHalf() const { return isReal && !isInverse; }
    // Returns the sizes of the axes that are read or written.
    Dims sizes(bool isHalf) const
    {
        Dims sizes = lengths;
        if (isHalf && sizes.back() > 0)
            sizes.back() = sizes.back() / 2 + 1;
        return sizes;
    }
};

Status readLengths(const KernelContext& context, Transform& transform)
{
    const Dims& dims = context.input(0).dims();
    if (dims.size() < transform.axes)
        return context.error("input must have at least " + std::to_string(transform.axes) +
                             " axes, but its shape is " + dimsText(dims));
    const auto first = dims.end() - std::ptrdiff_t(transform.axes);
    transform.lengths.assign(first, dims.end());
    if (!transform.isReal)
        return Done{};
    ASSIGN_OR_RETURN(transform.lengths, integerVector(context, 1, "fft_length"));
    if (transform.lengths.size() != transform.axes)
        return context.error("fft_length must have " + std::to_string(transform.axes) +
                             " elements, not " + std::to_string(transform.lengths.size()));
    for (const std::int64_t length : transform.lengths)
        if (length < 0)
            return context.error("fft_length must not be negative: " + std::to_string(length));
    const Dims least = transform.sizes(transform.takesHalf());
    for (std::size_t axis = 0; axis < least.size(); ++axis)
        if (first[std::ptrdiff_t(axis)] != 0 && first[std::ptrdiff_t(axis)] < least[axis])
            return context.error("fft_length " + std::to_string(transform.lengths[axis]) +
                                 " needs an axis of at least " + std::to_string(least[axis]) +
                                 ", but the shape of input is " + dimsText(dims));
    return Done{};
}

// Calls use(source, target) with the indices at which each row of the last axis begins, in a tensor
// of sizes `from` and in one of sizes `to`, for the block of sizes `common` at the start of both.
template <class Use>
void eachRow(const Dims& common, const Dims& from, const Dims& to, const Use& use)
{
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < common.size(); ++axis)
        rows *= common[axis];
    for (std::int64_t row = 0; row < rows; ++row) {
        stopPoint();
        std::int64_t rest = row;
        std::int64_t source = 0;
        std::int64_t target = 0;
        std::int64_t sourceStride = from.back();
        std::int64_t targetStride = to.back();
        for (std::size_t axis = common.size() - 1; axis-- > 0;) {
            source += rest % common[axis] * sourceStride;
            target += rest % common[axis] * targetStride;
            rest /= common[axis];
            sourceStride *= from[axis];
            targetStride *= to[axis];
        }
        use(source, target);
    }
}

// The numbers of one transform, with space for one row.
struct Block {
    Dims sizes;
    Scratch<Complex128> numbers;
    Scratch<Complex128> row;

    std::int64_t count() const { return sizeOfAxes(sizes, 0, sizes.size()); }
};

void transformAxis(Block& block, std::size_t axis, ComplexTransform& transform, bool isInverse)
{
    const std::int64_t length = block.sizes[axis];
    const std::int64_t stride = sizeOfAxes(block.sizes, axis + 1, block.sizes.size());
    const auto row = block.row.all().first(std::size_t(length));
    for (std::int64_t start = 0; start < block.count(); start += length * stride)
        for (std::int64_t first = start; first < start + stride; ++first) {
            stopPoint();
            for (std::int64_t k = 0; k < length; ++k)
                row[std::size_t(k)] = block.numbers[first + k * stride];
            transform.run(row, isInverse);
            for (std::int64_t k = 0; k < length; ++k)
                block.numbers[first + k * stride] = row[std::size_t(k)];
        }
}

// Fills the second half of the last axis: element -k in all axes is the conjugate of element k.
void mirrorHalf(Block& block)
{
    const std::int64_t length = block.sizes.back();
    for (std::int64_t first = 0; first < block.count(); first += length)
        for (std::int64_t k = length / 2 + 1; k < length; ++k) {
            stopPoint();
            block.numbers[first + k] = std::conj(block.numbers[first + length - k]);
        }
}

void transformBlock(Block& block, const Transform& transform, std::span<ComplexTransform> each)
{
    for (std::size_t axis = 0; axis + 1 < transform.axes; ++axis)
        transformAxis(block, axis, each[axis], transform.isInverse);
    if (transform.takesHalf())
        mirrorHalf(block);
    transformAxis(block, transform.axes - 1, each[transform.axes - 1], transform.isInverse);
}

template <class T>
void load(const T* from, const Dims& sizes, const Transform& transform, Block& block)
{
    const Dims common = transform.sizes(transform.takesHalf());
    std::ranges::fill(block.numbers.all(), Complex128());
    eachRow(common, sizes, block.sizes, [&](std::int64_t source, std::int64_t target) {
        for (std::int64_t k = 0; k < common.back(); ++k)
            block.numbers[target + k] = Complex128(from[source + k]);
    });
}

template <class T>
void store(const Block& block, const Transform& transform, T* to)
{
    const Dims sizes = transform.sizes(transform.givesHalf());
    const double scale = transform.isInverse ? 1.0 / double(block.count()) : 1.0;
    eachRow(sizes, block.sizes, sizes, [&](std::int64_t source, std::int64_t target) {
        for (std::int64_t k = 0; k < sizes.back(); ++k) {
            const Complex128 value = block.numbers[source + k] * scale;
            if constexpr (isComplex<T>)
                to[target + k] = T(value);
            else
                to[target + k] = T(value.real());
        }
    });
}

template <class From, class To>
Status transformAll(KernelContext& context, const Transform& transform, Value& made)
{
    MemoryPool& pool = context.session().pool;
    std::vector<ComplexTransform> each;
    for (const std::int64_t length : transform.lengths) {
        ASSIGN_OR_RETURN(auto one, ComplexTransform::make(length, pool));
        each.push_back(std::move(one));
    }
    const std::int64_t count = sizeOfAxes(transform.lengths, 0, transform.axes);
    ASSIGN_OR_RETURN(auto numbers, Scratch<Complex128>::make(pool, count));
    ASSIGN_OR_RETURN(auto row,
                     Scratch<Complex128>::make(pool, std::ranges::max(transform.lengths)));
    Block block{transform.lengths, std::move(numbers), std::move(row)};
    const Dims& dims = context.input(0).dims();
    const Dims sizes(dims.end() - std::ptrdiff_t(transform.axes), dims.end());
    const std::int64_t read = sizeOfAxes(sizes, 0, sizes.size());
    const Dims written = transform.sizes(transform.givesHalf());
    const std::int64_t blocks = sizeOfAxes(dims, 0, dims.size() - transform.axes);
    for (std::int64_t i = 0; i < blocks; ++i) {
        stopIfAsked();
        load(context.input(0).as<From>().data() + i * read, sizes, transform, block);
        transformBlock(block, transform, each);
        store(block, transform,
              made.mutableAs<To>().data() + i * sizeOfAxes(written, 0, written.size()));
    }
    return Done{};
}

// Returns the type of the result: of the input's precision, which Treal and Tcomplex must share.
Result<DType> resultType(const KernelContext& context, const Transform& transform)
{
    const DType given = context.input(0).dtype();
    if (!transform.isReal)
        return given;
    const bool isDouble = given == DType::Double || given == DType::Complex128;
    const DType real = isDouble ? DType::Double : DType::Float;
    const DType complex = isDouble ? DType::Complex128 : DType::Complex64;
    const Node& node = context.node();
    if (node.attr("Treal").asType().value_or(DType::Float) != real ||
        node.attr("Tcomplex").asType().value_or(DType::Complex64) != complex)
        return context.error("Treal and Tcomplex must be of one precision");
    return transform.takesHalf() ? real : complex;
}

Status runTransform(KernelContext& context, Transform transform)
{
    RETURN_IF_ERROR(readLengths(context, transform));
    const Value& x = context.input(0);
    Dims dims = x.dims();
    std::ranges::copy(transform.sizes(transform.givesHalf()),
                      dims.end() - std::ptrdiff_t(transform.axes));
    ASSIGN_OR_RETURN(const DType dtype, resultType(context, transform));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, dims));
    if (made.elements() == 0)
        return Done{};
    if (x.elements() == 0) { // TensorFlow leaves the elements uninitialized
        std::memset(made.mutableAs<std::uint8_t>().data(), 0, made.byteCount());
        return Done{};
    }
    const bool isDouble = x.dtype() == DType::Double || x.dtype() == DType::Complex128;
    if (transform.takesHalf())
        return isDouble ? transformAll<Complex128, double>(context, transform, made)
                        : transformAll<Complex64, float>(context, transform, made);
    if (transform.givesHalf())
        return isDouble ? transformAll<double, Complex128>(context, transform, made)
                        : transformAll<float, Complex64>(context, transform, made);
    return isDouble ? transformAll<Complex128, Complex128>(context, transform, made)
                    : transformAll<Complex64, Complex64>(context, transform, made);
}

template <std::size_t axes, bool isInverse, bool isReal>
Status run(KernelContext& context)
{
    return runTransform(context, {axes, isInverse, isReal});
}

} // namespace

LAPIDARY_KERNEL(FFT, (run<1, false, false>));
LAPIDARY_KERNEL(FFT2D, (run<2, false, false>));
LAPIDARY_KERNEL(FFT3D, (run<3, false, false>));
LAPIDARY_KERNEL(IFFT, (run<1, true, false>));
LAPIDARY_KERNEL(IFFT2D, (run<2, true, false>));
LAPIDARY_KERNEL(IFFT3D, (run<3, true, false>));
LAPIDARY_KERNEL(RFFT, (run<1, false, true>));
LAPIDARY_KERNEL(RFFT2D, (run<2, false, true>));
LAPIDARY_KERNEL(RFFT3D, (run<3, false, true>));
LAPIDARY_KERNEL(IRFFT, (run<1, true, true>));
LAPIDARY_KERNEL(IRFFT2D, (run<2, true, true>));
LAPIDARY_KERNEL(IRFFT3D, (run<3, true, true>));

} // namespace lapidary
