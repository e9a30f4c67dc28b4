// SPDX-License-Identifier: Apache-2.0
// RegexSplitWithOffsets of TensorFlow Text: the texts between the matches of the first group of a
// pattern, with their byte offsets; a delimiter that the second pattern matches as a whole is a
// token, too. Empty texts are left out. Source: the documentation of regex_split_with_offsets.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>

#include <re2/re2.h>

namespace lapidary {
namespace {

struct SplitTokens {
    std::vector<std::string> texts;
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> ends;
    std::vector<std::int64_t> rows{0};
};

class RegexSplitter {
public:
    RegexSplitter(const std::string& delimiter, const std::string& kept)
        : m_delimiter(delimiter, RE2::Quiet)
        , m_kept(kept, RE2::Quiet)
    {
    }

    std::string fault() const
    {
        if (!m_delimiter.ok())
            return "the pattern of delimiters is not valid: " + m_delimiter.error();
        if (!m_kept.ok())
            return "the pattern of delimiters to keep is not valid: " + m_kept.error();
        return m_delimiter.NumberOfCapturingGroups() < 1
                   ? "the pattern of delimiters must have a group, as in \"( )\""
                   : "";
    }

    Status split(const KernelContext& context, const std::string& text, SplitTokens& tokens) const
    {
        const auto add = [&](std::size_t begin, std::size_t end) {
            if (begin == end)
                return;
            tokens.texts.push_back(text.substr(begin, end - begin));
            tokens.begins.push_back(std::int64_t(begin));
            tokens.ends.push_back(std::int64_t(end));
        };
        re2::StringPiece left(text);
        re2::StringPiece found;
        std::size_t last = 0;
        while (RE2::FindAndConsume(&left, m_delimiter, &found)) {
            const std::size_t next = text.size() - left.size();
            if (next == last)
                return context.error("a delimiter must not be empty, but the pattern '" +
                                     m_delimiter.pattern().substr(0, 100) +
                                     "' matches the empty text");
            if (tokens.texts.size() % 4096 == 0 && context.job().cancelled())
                return cancelledError();
            const std::size_t begin = found.data() == nullptr ? next : offset(text, found);
            add(last, std::max(begin, last));
            if (RE2::FullMatch(found, m_kept))
                add(begin, begin + found.size());
            last = next;
        }
        add(last, text.size());
        return Done{};
    }

private:
    static std::size_t offset(const std::string& text, re2::StringPiece part)
    {
        return std::size_t(part.data() - text.data());
    }

    RE2 m_delimiter;
    RE2 m_kept;
};

Status runRegexSplit(KernelContext& context)
{
    const RegexSplitter splitter(context.input(1).strings()[0], context.input(2).strings()[0]);
    if (const std::string fault = splitter.fault(); !fault.empty())
        return context.error(fault);
    SplitTokens tokens;
    std::uint64_t bytes = 0;
    for (const std::string& text : context.input(0).strings()) {
        if (context.job().cancelled())
            return cancelledError();
        bytes += text.size();
        RETURN_IF_ERROR(splitter.split(context, text, tokens));
        RETURN_IF_ERROR(checkTextSize(context, bytes + tokens.texts.size() * sizeof(std::string)));
        tokens.rows.push_back(std::int64_t(tokens.texts.size()));
    }
    RETURN_IF_ERROR(giveNumbers(context, 1, tokens.begins));
    RETURN_IF_ERROR(giveNumbers(context, 2, tokens.ends));
    RETURN_IF_ERROR(giveNumbers(context, 3, tokens.rows));
    const auto count = std::int64_t(tokens.texts.size());
    return context.setOutput(0, Value::ofStrings({count}, std::move(tokens.texts)));
}

} // namespace

LAPIDARY_KERNEL(RegexSplitWithOffsets, runRegexSplit,
                .ranks = {Rank::Vector, Rank::Scalar, Rank::Scalar});

} // namespace lapidary
