// SPDX-License-Identifier: Apache-2.0
// ScaleAndTranslate: result(x) = image((x + 0.5 - translation) / scale - 0.5), sampled with one of
// several kernels, which are widened if the image shrinks and `antialias` is set. Pixels outside
// the image are 0.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/image/resize_grid.h"
#include "runner/kernels/image/sampling_kernel.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/scratch.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

// The sampling along one axis.
struct Axis {
    SamplingKernel kernel;
    double size; // of the source
    float inverse;
    float shift;
    float widening;

    Axis(const SamplingKernel& samplingKernel, std::int64_t source, float scale, float translation,
         bool antialias)
        : kernel(samplingKernel)
        , size(double(source))
        , inverse(1.0F / scale)
        , shift(-inverse * translation)
        , widening(antialias ? std::max(inverse, 1.0F) : 1.0F)
    {
    }
    std::int64_t mostTaps() const
    {
        return std::int64_t(
            std::min(2.0 * std::ceil(double(kernel.radius) * double(widening)) + 1.0, size));
    }
};

struct Span {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

// Fills `weights` and returns the source pixels that they are for.
Span spanAt(const Axis& axis, std::int64_t i, std::span<float> weights)
{
    const float center = (float(i) + 0.5F) * axis.inverse + axis.shift;
    if (!(center >= 0.0F) || double(center) > axis.size)
        return {};
    const double reach = double(axis.kernel.radius * axis.widening);
    const auto inside = [&](double x) { return std::int64_t(std::clamp(x, 0.0, axis.size - 1.0)); };
    Span span;
    span.first = inside(std::ceil(double(center) - reach - 0.5));
    span.count = inside(std::floor(double(center) + reach - 0.5)) + 1 - span.first;
    span.count = std::clamp<std::int64_t>(span.count, 0, std::int64_t(weights.size()));
    float sum = 0.0F;
    for (std::int64_t k = 0; k < span.count; ++k) {
        const float distance = float(span.first + k) + 0.5F - center;
        weights[std::size_t(k)] = axis.kernel.weight(std::abs(distance / axis.widening));
        sum += weights[std::size_t(k)];
    }
    if (std::abs(sum) >= 1000.0F * std::numeric_limits<float>::min())
        for (std::int64_t k = 0; k < span.count; ++k)
            weights[std::size_t(k)] /= sum;
    return span;
}

struct Columns {
    Scratch<Span> spans;
    Scratch<float> weights;
    std::int64_t taps;

    static Result<Columns> make(const Axis& axis, std::int64_t count, MemoryPool& pool)
    {
        const std::int64_t taps = axis.mostTaps();
        std::int64_t total = 0;
        if (__builtin_mul_overflow(taps, count, &total))
            return Error{ErrorCode::Unsupported, "the image is too large"};
        ASSIGN_OR_RETURN(auto spans, Scratch<Span>::make(pool, count));
        ASSIGN_OR_RETURN(auto weights, Scratch<float>::make(pool, total));
        Columns columns{std::move(spans), std::move(weights), taps};
        for (std::int64_t x = 0; x < count; ++x)
            columns.spans[x] = spanAt(axis, x, columns.weightsOf(x));
        return columns;
    }
    std::span<float> weightsOf(std::int64_t x)
    {
        return weights.all().subspan(std::size_t(x * taps), std::size_t(taps));
    }
};

template <class T>
void sumRows(const T* image, const Span& span, std::span<const float> weights,
             std::span<float> line)
{
    std::ranges::fill(line, 0.0F);
    for (std::int64_t k = 0; k < span.count; ++k) {
        const T* row = image + std::size_t(span.first + k) * line.size();
        for (std::size_t i = 0; i < line.size(); ++i)
            line[i] += weights[std::size_t(k)] * float(row[i]);
    }
}

void sumColumns(std::span<const float> line, Columns& columns, std::int64_t x,
                std::int64_t channels, float* out)
{
    std::fill_n(out, channels, 0.0F);
    const Span& span = columns.spans[x];
    const auto weights = columns.weightsOf(x);
    for (std::int64_t k = 0; k < span.count; ++k)
        for (std::int64_t c = 0; c < channels; ++c)
            out[c] += weights[std::size_t(k)] * line[std::size_t((span.first + k) * channels + c)];
}

template <class T>
Status sample(KernelContext& context, const ResizeGrid& grid, const Axis& rows,
              const Axis& columnAxis, float* out)
{
    MemoryPool& pool = context.session().pool;
    auto columns = Columns::make(columnAxis, grid.outWidth, pool);
    if (!columns)
        return context.error(columns.error().message);
    auto weights = Scratch<float>::make(pool, rows.mostTaps());
    if (!weights)
        return context.error(weights.error().message);
    auto line = Scratch<float>::make(pool, grid.width * grid.channels);
    if (!line)
        return context.error(line.error().message);
    const T* image = context.input(0).as<T>().data();
    for (std::int64_t n = 0; n < grid.batch; ++n) {
        for (std::int64_t y = 0; y < grid.outHeight; ++y) {
            if (context.job().cancelled())
                return cancelledError();
            const Span span = spanAt(rows, y, weights->all());
            sumRows(image, span, weights->all(), line->all());
            for (std::int64_t x = 0; x < grid.outWidth; ++x, out += grid.channels)
                sumColumns(line->all(), *columns, x, grid.channels, out);
        }
        image += grid.height * grid.width * grid.channels;
    }
    return Done{};
}

Result<std::span<const float>> pairInput(const KernelContext& context, std::size_t i,
                                         std::string_view name)
{
    const Value& value = context.input(i);
    const auto isInfinite = [](float x) { return !std::isfinite(x); };
    if (!value.isVector() || value.elements() != 2 ||
        std::ranges::any_of(value.as<float>(), isInfinite))
        return context.error(std::string(name) + " must be two finite numbers");
    return value.as<float>();
}

Status runScaleAndTranslate(KernelContext& context)
{
    const auto kernel = samplingKernel(context.stringAttr("kernel_type", "lanczos3"));
    if (!kernel)
        return context.error("kernel_type " + std::string(context.stringAttr("kernel_type")) +
                             " is not known");
    ASSIGN_OR_RETURN(const auto grid,
                     resizeGrid(context, context.input(0), context.input(1), false, false));
    const auto scale = pairInput(context, 2, "scale");
    RETURN_IF_ERROR(scale);
    if (!((*scale)[0] > 0.0F) || !((*scale)[1] > 0.0F))
        return context.error("scale must be above 0");
    ASSIGN_OR_RETURN(const auto shift, pairInput(context, 3, "translation"));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Float, grid.outDims()));
    if (out.elements() == 0)
        return Done{};
    const bool antialias = context.boolAttr("antialias", true);
    const Axis rows(*kernel, grid.height, (*scale)[0], shift[0], antialias);
    const Axis columns(*kernel, grid.width, (*scale)[1], shift[1], antialias);
    Status status = Done{};
    const bool known = dispatch(Reals(), context.input(0).dtype(), [&](auto zero) {
        status = sample<decltype(zero)>(context, grid, rows, columns,
                                        out.template mutableAs<float>().data());
    });
    return known ? status : context.error("cannot resize " + dtypeName(context.input(0).dtype()));
}

} // namespace

LAPIDARY_KERNEL(ScaleAndTranslate, runScaleAndTranslate);

} // namespace lapidary
