// SPDX-License-Identifier: Apache-2.0
// UnicodeTranscode, UnicodeDecode, UnicodeDecodeWithOffsets, UnicodeEncode: text in one encoding as
// text in another or as code points. Each malformed part (of UTF-8: each longest beginning of a
// character, as the Unicode standard recommends) is replaced, left out or an error.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/encodings.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

enum class OnError : std::uint8_t { Strict, Replace, Ignore };

Result<Encoding> encodingOf(const KernelContext& context, std::string_view attr)
{
    std::string name;
    for (const char c : context.stringAttr(attr))
        if (c != '-' && c != '_')
            name += c >= 'a' && c <= 'z' ? char(c - 32) : c;
    if (name == "UTF8")
        return Encoding::Utf8;
    if (name == "UTF16BE")
        return Encoding::Utf16;
    if (name == "UTF32BE")
        return Encoding::Utf32;
    if (name == "ISO88591" || name == "LATIN1")
        return Encoding::Latin1;
    if (name == "USASCII" || name == "ASCII")
        return Encoding::Ascii;
    return context.error("does not know the encoding '" + std::string(context.stringAttr(attr)) +
                         "'; it reads UTF-8, UTF-16-BE, UTF-32-BE, ISO-8859-1 and US-ASCII");
}

// A node's treatment of malformed parts.
struct Treatment {
    OnError onError = OnError::Replace;
    std::uint32_t replacement = 0xFFFD;
    bool replacesControls = false;

    static Result<Treatment> of(const KernelContext& context)
    {
        Treatment treatment;
        const std::string_view errors = context.stringAttr("errors", "replace");
        treatment.onError = errors == "strict"   ? OnError::Strict
                            : errors == "ignore" ? OnError::Ignore
                                                 : OnError::Replace;
        treatment.replacement = std::uint32_t(context.intAttr("replacement_char", 0xFFFD));
        treatment.replacesControls = context.boolAttr("replace_control_characters");
        if (!isScalarValue(treatment.replacement))
            return context.error("replacement_char is not a Unicode code point");
        return treatment;
    }
};

// Calls use(code point, offset) for each character that is not left out.
template <class Use>
Status eachCharacter(const KernelContext& context, Encoding encoding, const Treatment& treatment,
                     std::string_view text, const Use& use)
{
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint next = nextCodePoint(encoding, text, at);
        const bool isControl = treatment.replacesControls && next.value <= 0x1F;
        if (!next.isMalformed && !isControl)
            use(next.value, at);
        else if (treatment.onError == OnError::Strict)
            return context.error("its input is not well-formed at byte " + std::to_string(at));
        else if (treatment.onError == OnError::Replace)
            use(treatment.replacement, at);
        at += next.size;
    }
    return Done{};
}

Status runTranscode(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto from, encodingOf(context, "input_encoding"));
    ASSIGN_OR_RETURN(const auto to, encodingOf(context, "output_encoding"));
    ASSIGN_OR_RETURN(const auto treatment, Treatment::of(context));
    std::vector<std::string> out;
    std::uint64_t bytes = 0;
    for (const std::string& text : context.input(0).strings()) {
        std::string& result = out.emplace_back();
        RETURN_IF_ERROR(
            eachCharacter(context, from, treatment, text, [&](std::uint32_t value, std::size_t) {
                appendCodePoint(result, value, to);
            }));
        bytes += result.size();
        RETURN_IF_ERROR(checkTextSize(context, bytes));
    }
    return context.setOutput(0, Value::ofStrings(context.input(0).dims(), std::move(out)));
}

template <class Split>
Status giveSplits(KernelContext& context, const std::vector<std::size_t>& ends)
{
    ASSIGN_OR_RETURN(auto splits, context.makeOutput(0, context.typeAttr("Tsplits", DType::Int64),
                                                     {std::int64_t(ends.size()) + 1}));
    const auto to = splits.template mutableAs<Split>();
    to[0] = 0;
    for (std::size_t i = 0; i < ends.size(); ++i)
        to[i + 1] = Split(ends[i]);
    return Done{};
}

Status runUnicodeDecode(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto encoding, encodingOf(context, "input_encoding"));
    ASSIGN_OR_RETURN(const auto treatment, Treatment::of(context));
    std::vector<std::int32_t> values;
    std::vector<std::int64_t> offsets;
    std::vector<std::size_t> ends;
    for (const std::string& text : context.input(0).strings()) {
        RETURN_IF_ERROR(eachCharacter(context, encoding, treatment, text,
                                      [&](std::uint32_t value, std::size_t at) {
                                          values.push_back(std::int32_t(value));
                                          offsets.push_back(std::int64_t(at));
                                      }));
        ends.push_back(values.size());
        RETURN_IF_ERROR(checkTextSize(context, values.size() * 12));
    }
    const auto count = std::int64_t(values.size());
    ASSIGN_OR_RETURN(auto characters, context.makeOutput(1, DType::Int32, {count}));
    std::ranges::copy(values, characters.mutableAs<std::int32_t>().begin());
    if (context.outputCount() > 2) {
        ASSIGN_OR_RETURN(auto starts, context.makeOutput(2, DType::Int64, {count}));
        std::ranges::copy(offsets, starts.mutableAs<std::int64_t>().begin());
    }
    return context.typeAttr("Tsplits", DType::Int64) == DType::Int32
               ? giveSplits<std::int32_t>(context, ends)
               : giveSplits<std::int64_t>(context, ends);
}

Status runUnicodeEncode(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto encoding, encodingOf(context, "output_encoding"));
    ASSIGN_OR_RETURN(const auto treatment, Treatment::of(context));
    const auto values = context.input(0).as<std::int32_t>();
    const std::vector<std::int64_t> splits = context.input(1).integers();
    if (splits.empty() || splits.front() != 0 || splits.back() != std::int64_t(values.size()) ||
        !std::ranges::is_sorted(splits))
        return context.error("input_splits must ascend from 0 to the number of values, " +
                             std::to_string(values.size()));
    std::vector<std::string> out;
    for (std::size_t row = 0; row + 1 < splits.size(); ++row) {
        std::string& text = out.emplace_back();
        for (auto i = std::size_t(splits[row]); i < std::size_t(splits[row + 1]); ++i) {
            const auto value = std::uint32_t(values[i]);
            // A single surrogate is not refused: UTF-8 cannot hold it, the wider encodings can.
            if (isScalarValue(value))
                appendCodePoint(text, value, encoding);
            else if (isSurrogate(value))
                appendCodePoint(text, encoding == Encoding::Utf8 ? 0xFFFD : value, encoding);
            else if (treatment.onError == OnError::Strict)
                return context.error("value " + std::to_string(values[i]) +
                                     " is not a Unicode code point");
            else if (treatment.onError == OnError::Replace)
                appendCodePoint(text, treatment.replacement, encoding);
        }
    }
    const auto rows = std::int64_t(out.size());
    return context.setOutput(0, Value::ofStrings({rows}, std::move(out)));
}

} // namespace

LAPIDARY_KERNEL(UnicodeTranscode, runTranscode);
LAPIDARY_KERNEL(UnicodeDecode, runUnicodeDecode);
LAPIDARY_KERNEL(UnicodeDecodeWithOffsets, runUnicodeDecode);
LAPIDARY_KERNEL(UnicodeEncode, runUnicodeEncode, .ranks = {Rank::Vector, Rank::Vector});

} // namespace lapidary
