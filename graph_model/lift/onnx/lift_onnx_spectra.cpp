// SPDX-License-Identifier: Apache-2.0
// Fourier transforms. Complex numbers of ONNX are pairs along the last axis.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::int64_t mostPoints = 1 << 20; // of a transform

std::string pairPart(LiftDraft& d, const std::string& x, std::int64_t part)
{
    return steps::gather(d, x, DType::Float, d.oneInt(part), DType::Int32, -1);
}

// Returns complex numbers from pairs, or from real numbers along an axis of size 1.
std::string complexOf(LiftDraft& d, const std::string& x, bool isReal)
{
    const std::string real = pairPart(d, x, 0);
    const std::string imaginary = isReal ? steps::one(d, "ZerosLike", real) : pairPart(d, x, 1);
    return d.step("Complex", {real, imaginary},
                  {typeAttr("T", DType::Float), typeAttr("Tout", DType::Complex64)});
}

std::string pairsOf(LiftDraft& d, const std::string& complex)
{
    const auto part = [&](std::string_view op) {
        return d.step(op, {complex},
                      {typeAttr("T", DType::Complex64), typeAttr("Tout", DType::Float)});
    };
    return d.step(
        "Pack", {part("Real"), part("Imag")},
        {typeAttr("T", DType::Float), {"N", attr::fromInt(2)}, {"axis", attr::fromInt(-1)}});
}

// Returns the first `count` elements along the last axis, padded with zeros if there are fewer.
std::string fitted(LiftDraft& d, const std::string& x, DType dtype, std::size_t rank,
                   std::int64_t size, std::int64_t count)
{
    if (size == count)
        return x;
    if (size < count) {
        Ints pairs(2 * rank, 0);
        pairs.back() = count - size;
        return d.step("Pad", {x, d.intMatrix({std::int64_t(rank), 2}, pairs)},
                      {typeAttr("T", dtype), typeAttr("Tpaddings", DType::Int32)});
    }
    Ints sizes(rank, -1);
    sizes.back() = count;
    return d.step("Slice", {x, d.intList(Ints(rank, 0)), d.intList(sizes)},
                  {typeAttr("T", dtype), typeAttr("Index", DType::Int32)});
}

// Returns the transformed axis, one of those before the pairs; nothing if it is unknown.
std::optional<std::int64_t> transformedAxis(const LiftDraft& d, std::int64_t rank)
{
    std::int64_t axis = d.opset() < 20 ? d.intAttr("axis", 1) : -2;
    if (d.has(2)) {
        const auto given = d.ints(2);
        if (!given || given->size() != 1)
            return std::nullopt;
        axis = given->front();
    }
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank - 1 ? std::optional(axis) : std::nullopt;
}

struct Transform {
    std::int64_t points = 0;
    bool isInverse = false;
    bool isOneSided = false; // half of the frequencies, since those of real numbers are symmetric
};

// Transforms along the last axis of complex numbers, which has `size` elements.
std::string transformed(LiftDraft& d, const std::string& x, std::size_t rank, std::int64_t size,
                        const Transform& way)
{
    const std::string whole = fitted(d, x, DType::Complex64, rank, size, way.points);
    const std::string made =
        d.step(way.isInverse ? "IFFT" : "FFT", {whole}, {typeAttr("Tcomplex", DType::Complex64)});
    return pairsOf(d, way.isOneSided
                          ? fitted(d, made, DType::Complex64, rank, way.points, way.points / 2 + 1)
                          : made);
}

// Returns real numbers from half of the frequencies.
std::string realOf(LiftDraft& d, const std::string& x, std::size_t rank, std::int64_t size,
                   std::int64_t points)
{
    const std::string half = fitted(d, x, DType::Complex64, rank, size, points / 2 + 1);
    return steps::expandDims(
        d, d.step("IRFFT", {half, d.intList({points})}, {typeAttr("Tcomplex", DType::Complex64)}),
        DType::Float, -1);
}

bool liftDft(LiftDraft& d)
{
    const auto shape = d.shape(0);
    if (!isFloat(d) || !shape || shape->dims.size() < 2)
        return false;
    const auto rank = std::int64_t(shape->dims.size());
    const auto axis = transformedAxis(d, rank);
    const std::int64_t parts = shape->dims.back();
    const std::int64_t size = axis ? shape->dims[std::size_t(*axis)] : -1;
    if (size < 1 || size > mostPoints || (parts != 1 && parts != 2))
        return false;
    Transform way{size, d.intAttr("inverse", 0) != 0, d.intAttr("onesided", 0) != 0};
    const bool isReal = way.isInverse && way.isOneSided;
    if (isReal)
        way.points = 2 * (size - 1);
    if (d.has(1)) {
        const auto given = d.ints(1);
        if (!given || given->size() != 1)
            return false;
        way.points = given->front();
    }
    if (way.points < 1 || way.points > mostPoints)
        return false;
    Ints order(std::size_t(rank - 1)); // moves the axis to the end
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[std::size_t(*axis)], order.back());
    const std::string x = transposed(d, complexOf(d, d.in(0), parts == 1), DType::Complex64, order);
    const auto inner = std::size_t(rank - 1);
    const std::string made =
        isReal ? realOf(d, x, inner, size, way.points) : transformed(d, x, inner, size, way);
    order.push_back(rank - 1);
    d.give({transposed(d, made, DType::Float, order)});
    return true;
}

// Transforms frames of a signal [n, points, 1 or 2] to [n, frames, frequencies, 2].
bool liftStft(LiftDraft& d)
{
    const auto shape = d.dims(0);
    const auto pace = d.ints(1);
    const auto window = d.has(2) ? d.dims(2) : std::optional(Ints());
    const auto length = d.has(3) ? d.ints(3) : window;
    if (!isFloat(d) || !shape || shape->size() != 3 || (*shape)[2] < 1 || (*shape)[2] > 2 ||
        !pace || pace->size() != 1 || !window || !length || length->size() != 1)
        return false;
    const std::int64_t frame = length->front();
    const std::int64_t step = pace->front();
    if (step < 1 || frame < 1 || frame > (*shape)[1] || (*shape)[1] > mostPoints ||
        (d.has(2) && *window != Ints{frame}))
        return false;
    const std::int64_t frames = ((*shape)[1] - frame) / step + 1;
    if (frames > mostPoints / frame || !d.functions().hasRoom(frames * frame))
        return false;
    Ints places;
    for (std::int64_t i = 0; i < frames; ++i)
        for (std::int64_t j = 0; j < frame; ++j)
            places.push_back(i * step + j);
    std::string x = steps::gather(d, d.in(0), DType::Float, d.intMatrix({frames, frame}, places),
                                  DType::Int32, 1);
    if (d.has(2))
        x = steps::both(d, "Mul", x, reshaped(d, d.in(2), DType::Float, {frame, 1}));
    const bool isReal = (*shape)[2] == 1;
    constexpr std::size_t inner = 3;
    d.give({transformed(d, complexOf(d, x, isReal), inner, frame,
                        {frame, false, d.intAttr("onesided", 1) != 0})});
    return true;
}

constexpr std::array spectra = std::to_array<OnnxLift>({
    {"DFT", liftDft},
    {"STFT", liftStft},
});

} // namespace

bool liftOnnxSpectrum(LiftDraft& draft)
{
    return liftFrom(spectra, draft);
}

} // namespace lapidary
