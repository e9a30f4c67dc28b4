// SPDX-License-Identifier: Apache-2.0
// ScalarSummary, HistogramSummary, MergeSummary: serialized Summary messages for event files.
#include "graph_model/base/wire.h"
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace lapidary {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

Status giveSummary(KernelContext& context, std::string text)
{
    std::vector<std::string> strings;
    strings.push_back(std::move(text));
    return context.setOutput(0, Value::ofStrings({}, std::move(strings)));
}

// Returns every element as a double. Fails for types other than numbers.
Result<std::vector<double>> numbersOf(const KernelContext& context, const Value& value)
{
    std::vector<double> numbers;
    numbers.reserve(std::size_t(value.elements()));
    const bool known = dispatch(Reals(), value.dtype(), [&](auto zero) {
        for (const auto x : value.as<decltype(zero)>()) {
            stopPoint();
            numbers.push_back(double(wide(x)));
        }
    });
    if (!known)
        return context.error("cannot summarize " + dtypeName(value.dtype()));
    return numbers;
}

// Fields of Value: tag 1, simple_value 2.
Status runScalarSummary(KernelContext& context)
{
    const Value& tags = context.input(0);
    const Value& values = context.input(1);
    if (tags.dims() != values.dims())
        return context.error("tags and values must have one shape, but are " +
                             dimsText(tags.dims()) + " and " + dimsText(values.dims()));
    ASSIGN_OR_RETURN(const auto numbers, numbersOf(context, values));
    std::string text;
    WireWriter summary(text);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        stopPoint();
        std::string value;
        WireWriter writer(value);
        if (const std::string& tag = tags.strings()[i]; !tag.empty())
            writer.bytes(1, tag);
        writer.fixed32(2, std::bit_cast<std::uint32_t>(float(numbers[i])));
        summary.bytes(1, value);
    }
    return giveSummary(context, std::move(text));
}

// Returns the limits of buckets, each a tenth larger than the one before, on both sides of 0.
const std::vector<double>& bucketLimits()
{
    static const std::vector<double> limits = [] {
        std::vector<double> above;
        for (double limit = 1e-12; limit < 1e20; limit *= 1.1)
            above.push_back(limit);
        above.push_back(largest);
        std::vector<double> all;
        for (std::size_t i = above.size(); i-- > 0;)
            all.push_back(-above[i]);
        all.push_back(0);
        all.insert(all.end(), above.begin(), above.end());
        return all;
    }();
    return limits;
}

struct Histogram {
    double least = largest;
    double most = -largest;
    double sum = 0;
    double squares = 0;
    std::vector<double> buckets = std::vector<double>(bucketLimits().size(), 0.0);

    void add(double x)
    {
        const auto& limits = bucketLimits();
        const auto at = std::ranges::upper_bound(limits, x);
        ++buckets[std::size_t(std::min(at, limits.end() - 1) - limits.begin())];
        least = std::min(least, x);
        most = std::max(most, x);
        sum += x;
        squares += x * x;
    }
};

void appendDouble(std::string& out, double x)
{
    const auto bits = std::bit_cast<std::uint64_t>(x);
    for (int shift = 0; shift < 64; shift += 8)
        out.push_back(char(bits >> shift));
}

// Writes a field of the message; 0 is the default, and is not written.
void writeDouble(std::string& out, std::uint32_t field, double x)
{
    if (x == 0)
        return;
    appendVarint(out, (std::uint64_t(field) << 3) | 1);
    appendDouble(out, x);
}

// Encodes HistogramProto: min 1, max 2, num 3, sum 4, sum_squares 5, bucket_limit 6, bucket 7. A
// run of empty buckets becomes one.
std::string histogramText(const Histogram& histogram, std::size_t count)
{
    std::string text;
    writeDouble(text, 1, histogram.least);
    writeDouble(text, 2, histogram.most);
    writeDouble(text, 3, double(count));
    writeDouble(text, 4, histogram.sum);
    writeDouble(text, 5, histogram.squares);
    std::string limits;
    std::string counts;
    for (std::size_t i = 0; i < histogram.buckets.size(); ++i) {
        while (histogram.buckets[i] == 0 && i + 1 < histogram.buckets.size() &&
               histogram.buckets[i + 1] == 0)
            ++i;
        appendDouble(limits, bucketLimits()[i]);
        appendDouble(counts, histogram.buckets[i]);
    }
    WireWriter writer(text);
    writer.bytes(6, limits);
    writer.bytes(7, counts);
    return text;
}

// Fields of Value: tag 1, histo 5.
Status runHistogramSummary(KernelContext& context)
{
    if (!context.input(0).isScalar())
        return context.error("the tag must be a single string, but is " +
                             dimsText(context.input(0).dims()));
    ASSIGN_OR_RETURN(const auto numbers, numbersOf(context, context.input(1)));
    Histogram histogram;
    for (const double x : numbers) {
        stopPoint();
        if (!std::isfinite(x))
            return context.error(std::string(std::isnan(x) ? "NaN" : "Infinity") +
                                 " cannot be in a histogram");
        histogram.add(x);
    }
    std::string value;
    WireWriter writer(value);
    if (const std::string& tag = context.input(0).strings()[0]; !tag.empty())
        writer.bytes(1, tag);
    writer.bytes(5, histogramText(histogram, numbers.size()));
    std::string text;
    WireWriter(text).bytes(1, value);
    return giveSummary(context, std::move(text));
}

// Returns the tag of a Value; nothing if it is damaged.
std::optional<std::string> tagOf(std::string_view value)
{
    std::string tag;
    WireReader reader(value);
    while (reader.next())
        if (reader.field() == 1 && reader.type() == WireType::Bytes)
            tag = reader.bytes();
    return reader.failed() ? std::nullopt : std::optional(std::move(tag));
}

Status runMergeSummary(KernelContext& context)
{
    std::string text;
    std::set<std::string, std::less<>> tags;
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        for (const std::string& summary : context.input(i).strings()) {
            WireReader reader(summary);
            while (reader.next()) {
                stopPoint();
                if (reader.field() != 1 || reader.type() != WireType::Bytes)
                    continue;
                auto tag = tagOf(reader.bytes());
                if (!tag)
                    return context.error("input " + std::to_string(i) + " is not a Summary");
                if (!tag->empty() && !tags.insert(*tag).second)
                    return context.error("two inputs have the tag " + *tag);
                text.append(reader.raw());
            }
            if (reader.failed())
                return context.error("input " + std::to_string(i) + " is not a Summary");
        }
    return giveSummary(context, std::move(text));
}

} // namespace

LAPIDARY_KERNEL(HistogramSummary, runHistogramSummary);
LAPIDARY_KERNEL(MergeSummary, runMergeSummary);
LAPIDARY_KERNEL(ScalarSummary, runScalarSummary);

} // namespace lapidary
