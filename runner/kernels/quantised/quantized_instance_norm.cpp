// QuantizedInstanceNorm: each channel of each picture to mean 0 and variance 1 (spec: kernels,
// B16).
//   v = s * (q - mean) / sqrt(var + epsilon);  s = (max - min) / 255
#include "runner/kernels/quantised/elements.h"
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/ranges.h"
#include "runner/kernels/scratch.h"

namespace lapidary {
namespace {

struct Given {
    bool isGiven = false;
    CodeRange range;
    float epsilon = 1e-5F;
    float separation = 1e-3F;
};

Result<Given> givenOf(const KernelContext& context)
{
    Given given{.isGiven = context.boolAttr("output_range_given"),
                .range = {context.floatAttr("given_y_min"), context.floatAttr("given_y_max")},
                .epsilon = context.floatAttr("variance_epsilon", 1e-5F),
                .separation = context.floatAttr("min_separation", 1e-3F)};
    if (given.isGiven && !(given.range.min < given.range.max))
        return context.error("given_y_min must be less than given_y_max, but they are " +
                             std::to_string(given.range.min) + " and " +
                             std::to_string(given.range.max));
    return given;
}

// One picture: pixels x channels codes to as many floats.
void normalise(std::span<const std::uint8_t> codes, std::int64_t channels, float scale,
               float epsilon, std::span<float> out)
{
    const auto width = std::size_t(channels);
    const auto pixels = float(codes.size() / width);
    for (std::size_t c = 0; c < width; ++c) {
        double sum = 0;
        for (std::size_t i = c; i < codes.size(); i += width)
            sum += codes[i];
        const float mean = float(sum) / pixels;
        double squares = 0;
        for (std::size_t i = c; i < codes.size(); i += width) {
            const float off = scale * (float(codes[i]) - mean);
            squares += double(off * off);
        }
        const float inverse = 1.0F / std::sqrt(float(squares) / pixels + epsilon);
        for (std::size_t i = c; i < codes.size(); i += width)
            out[i] = scale * (float(codes[i]) - mean) * inverse;
    }
}

CodeRange rangeOfValues(std::span<const float> values)
{
    CodeRange range{std::numeric_limits<float>::infinity(),
                    -std::numeric_limits<float>::infinity()};
    for (const float value : values) {
        range.min = std::min(range.min, value);
        range.max = std::max(range.max, value);
    }
    return range;
}

Status run(KernelContext& context)
{
    const auto given = givenOf(context);
    if (!given)
        return given.error();
    const Value& x = context.input(0);
    if (x.rank() != 4 || x.elements() == 0)
        return context.error("the input must be 4-dimensional and not empty, but is " +
                             dimsText(x.dims()));
    const auto from = growingRangeOf(context, 1, "input");
    if (!from)
        return from.error();
    auto out = context.makeOutput(0, DType::QUInt8, x.dims());
    if (!out)
        return out.error();
    auto values = Scratch<float>::make(context.session().pool, x.elements());
    if (!values)
        return values.error();
    const float scale = (from.value().max - from.value().min) / 255.0F;
    const auto picture = std::size_t(x.elements() / x.dim(0));
    for (std::size_t at = 0; at < std::size_t(x.elements()); at += picture) {
        if (context.job().cancelled())
            return Error{ErrorCode::Cancelled, "stopped"};
        normalise(x.as<std::uint8_t>().subspan(at, picture), x.dim(3), scale, given.value().epsilon,
                  values.value().all().subspan(at, picture));
    }
    const std::span<const float> all = values.value().all();
    CodeRange to = given.value().isGiven ? given.value().range : rangeOfValues(all);
    if (to.max - to.min < given.value().separation)
        to.max = to.min + given.value().separation;
    mapCodes(context, all, out.value().mutableAs<std::uint8_t>(), Code<std::uint8_t>(to));
    return setRange(context, to);
}

} // namespace

const Kernel kernels::quantizedInstanceNorm{.op = "QuantizedInstanceNorm", .run = run};

} // namespace lapidary
