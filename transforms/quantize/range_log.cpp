// SPDX-License-Identifier: Apache-2.0
#include "transforms/quantize/range_log.h"

#include "transforms/pass/number_values.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lapidary {
namespace {

constexpr std::string_view marker = "__requant_min_max:";
constexpr std::string_view printSuffix = "__print__";

std::vector<std::string_view> split(std::string_view text, char at)
{
    std::vector<std::string_view> pieces;
    while (true) {
        const std::size_t end = text.find(at);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return pieces;
        text.remove_prefix(end + 1);
    }
}

// "MIN]" -> MIN
std::optional<float> bracketed(std::string_view piece)
{
    const auto parts = split(piece, ']');
    return parts.size() == 2 ? floatValue(parts[0]) : std::nullopt;
}

std::optional<RangeRecord> parseLine(std::string_view line)
{
    if (line.find("__print__;__requant_min_max:") == std::string_view::npos)
        return std::nullopt;
    const auto pieces = split(line, ';');
    std::size_t at = 0;
    for (std::size_t i = 1; i < pieces.size(); ++i)
        if (pieces[i].starts_with(marker))
            at = i;
    if (at == 0 || !pieces[at - 1].ends_with(printSuffix))
        return std::nullopt;
    const auto values = split(pieces[at], '[');
    if (values.size() != 3 || values[0] != marker)
        return std::nullopt;
    const auto min = bracketed(values[1]);
    const auto max = bracketed(values[2]);
    if (!min || !max)
        return std::nullopt;
    std::string_view name = pieces[at - 1];
    name.remove_suffix(printSuffix.size());
    return RangeRecord{std::string(name), {*min, *max}};
}

std::size_t clampedIndex(float index, std::size_t count)
{
    if (!(index > 0))
        return 0;
    return std::min(std::size_t(std::min(index, 1e9F)), count - 1);
}

float movingAverage(const std::vector<float>& values, double kept)
{
    double average = double(values.front());
    for (const float value : values)
        average = kept * average + (1 - kept) * double(value);
    return float(average);
}

} // namespace

std::vector<RangeRecord> parseRangeLog(std::string_view text)
{
    std::vector<RangeRecord> records;
    for (const std::string_view line : split(text, '\n'))
        if (auto record = parseLine(line))
            records.push_back(std::move(*record));
    return records;
}

Status checkChoice(const RangeChoice& choice)
{
    for (const float percentile : {choice.minPercentile, choice.maxPercentile})
        if (!(percentile >= 0 && percentile <= 100))
            return Error{ErrorCode::InvalidArgument, "a percentile must be within 0 and 100"};
    if (!(choice.movingAverage >= 0 && choice.movingAverage < 1))
        return Error{ErrorCode::InvalidArgument,
                     "the decay of a moving average must be at least 0 and below 1"};
    return Done{};
}

FrozenRanges frozenRanges(const std::vector<RangeRecord>& records, const RangeChoice& choice)
{
    std::map<std::string, std::pair<std::vector<float>, std::vector<float>>> byNode;
    for (const RangeRecord& record : records) {
        byNode[record.node].first.push_back(record.range.min);
        byNode[record.node].second.push_back(record.range.max);
    }
    FrozenRanges ranges;
    for (auto& [node, ends] : byNode) {
        auto& [mins, maxs] = ends;
        if (choice.movingAverage > 0) {
            ranges[node] = {movingAverage(mins, double(choice.movingAverage)),
                            movingAverage(maxs, double(choice.movingAverage))};
            continue;
        }
        std::ranges::sort(mins);
        std::ranges::sort(maxs);
        const auto count = float(mins.size());
        const float low = std::round(count * choice.minPercentile / 100.0F);
        const float high = std::round(count * (1 - choice.maxPercentile / 100.0F));
        ranges[node] = {mins[clampedIndex(low, mins.size())],
                        maxs[clampedIndex(high, maxs.size())]};
    }
    return ranges;
}

Result<FrozenRanges> frozenRanges(const std::string& file, const RangeChoice& choice)
{
    std::error_code fault;
    const bool isFile = std::filesystem::is_regular_file(file, fault);
    std::ifstream stream(file, std::ios::binary);
    if (!isFile || !stream)
        return Error{ErrorCode::Io, file + ": cannot be opened for reading"};
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    FrozenRanges ranges = frozenRanges(parseRangeLog(text), choice);
    if (ranges.empty())
        return Error{ErrorCode::InvalidArgument,
                     file +
                         ": has no line with __requant_min_max; is it the log of a graph made by "
                         "insert_logging?"};
    return ranges;
}

} // namespace lapidary
