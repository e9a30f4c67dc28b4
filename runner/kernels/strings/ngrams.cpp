// SPDX-License-Identifier: Apache-2.0
// StringNGrams: the runs of neighboring strings of each row, of every requested width, joined by a
// separator; rows are padded on both sides by up to pad_width strings (-1: as many as a run needs).
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>

namespace lapidary {
namespace {

class NGrams {
public:
    explicit NGrams(const KernelContext& context)
        : m_context(context)
        , m_separator(context.stringAttr("separator"))
        , m_left(context.stringAttr("left_pad"))
        , m_right(context.stringAttr("right_pad"))
        , m_padWidth(context.intAttr("pad_width"))
    {
    }

    std::int64_t padWidth() const { return m_padWidth; }
    std::vector<std::string>& all() { return m_all; }

    // Adds all runs of `width` strings of the padded row.
    Status add(std::span<const std::string> row, std::int64_t width)
    {
        const std::int64_t pad = std::min(m_padWidth < 0 ? width - 1 : m_padWidth, width - 1);
        const std::int64_t count = std::int64_t(row.size()) + 2 * pad - width + 1;
        for (std::int64_t i = 0; i < count; ++i)
            RETURN_IF_ERROR(addOne(row, i - pad, width));
        return Done{};
    }

    // Adds the run of `width` strings from `first` on, which may begin before the row or end after
    // it.
    Status addOne(std::span<const std::string> row, std::int64_t first, std::int64_t width)
    {
        if (m_context.job().cancelled())
            return cancelledError();
        std::string text;
        for (std::int64_t i = first; i < first + width; ++i) {
            if (i > first)
                text += m_separator;
            text += i < 0                           ? m_left
                    : i >= std::int64_t(row.size()) ? m_right
                                                    : std::string_view(row[std::size_t(i)]);
        }
        m_bytes += text.size() + sizeof(std::string);
        m_all.push_back(std::move(text));
        return checkTextSize(m_context, m_bytes);
    }

private:
    const KernelContext& m_context;
    std::string_view m_separator;
    std::string_view m_left;
    std::string_view m_right;
    std::int64_t m_padWidth = 0;
    std::vector<std::string> m_all;
    std::uint64_t m_bytes = 0;
};

Status runStringNGrams(KernelContext& context)
{
    const auto data = context.input(0).strings();
    const std::vector<std::int64_t> splits = context.input(1).integers();
    if (!splits.empty() && (splits.front() != 0 || splits.back() != std::int64_t(data.size()) ||
                            !std::ranges::is_sorted(splits)))
        return context.error("data_splits must ascend from 0 to the number of strings, " +
                             std::to_string(data.size()));
    const std::vector<std::int64_t> widths = context.attr("ngram_widths").ints();
    constexpr std::int64_t widest = 1 << 20;
    for (const std::int64_t width : widths)
        if (width < 1 || width > widest)
            return context.error("ngram_widths must be positive, but one is " +
                                 std::to_string(width));
    const bool keepsShort = context.boolAttr("preserve_short_sequences");
    NGrams ngrams(context);
    std::vector<std::int64_t> ends(splits.empty() ? 0 : 1, 0);
    for (std::size_t row = 0; row + 1 < splits.size(); ++row) {
        const auto strings =
            data.subspan(std::size_t(splits[row]), std::size_t(splits[row + 1] - splits[row]));
        for (const std::int64_t width : widths)
            RETURN_IF_ERROR(ngrams.add(strings, width));
        const std::int64_t pad = std::clamp<std::int64_t>(ngrams.padWidth(), 0, widest);
        if (keepsShort && !strings.empty() && std::int64_t(ngrams.all().size()) == ends.back())
            RETURN_IF_ERROR(ngrams.addOne(strings, -pad, std::int64_t(strings.size()) + 2 * pad));
        ends.push_back(std::int64_t(ngrams.all().size()));
    }
    const auto count = std::int64_t(ngrams.all().size());
    RETURN_IF_ERROR(context.setOutput(0, Value::ofStrings({count}, std::move(ngrams.all()))));
    const DType splitType = context.typeAttr("Tsplits", DType::Int64);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(1, splitType, {std::int64_t(ends.size())}));
    if (splitType == DType::Int64)
        std::ranges::copy(ends, out.mutableAs<std::int64_t>().begin());
    else
        std::ranges::transform(ends, out.mutableAs<std::int32_t>().begin(),
                               [](std::int64_t end) { return std::int32_t(end); });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(StringNGrams, runStringNGrams, .ranks = {Rank::Vector, Rank::Vector});

} // namespace lapidary
