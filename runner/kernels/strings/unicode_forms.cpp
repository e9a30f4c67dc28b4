// SPDX-License-Identifier: Apache-2.0
// NormalizeUTF8, CaseFoldUTF8 of TensorFlow Text: UTF-8 in one of the four normal forms of Unicode
// (Unicode Standard Annex 15) and as NFKC_Casefold. Malformed parts become U+FFFD, as in ICU.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/encodings.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

struct Form {
    char32_t point = 0;
    std::uint8_t order = 0; // canonical combining class
    char kind = '-';        // c, d, k or -: see resources/ops/unicode_forms.tsv
    std::u32string_view parts;
};

struct Fold {
    char32_t point = 0;
    std::u32string_view parts;
};

// Both tables are sorted by code point.
constexpr auto forms = std::to_array<Form>({
#include "unicode_forms.inc"
});
constexpr auto folds = std::to_array<Fold>({
#include "unicode_folds.inc"
});

struct Pair {
    char32_t first = 0;
    char32_t second = 0;
    char32_t composed = 0;
};

std::vector<Pair> makePairs()
{
    std::vector<Pair> pairs;
    for (const Form& form : forms)
        if (form.kind == 'c')
            pairs.push_back({form.parts[0], form.parts[1], form.point});
    std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
        return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    return pairs;
}

// Hangul syllables are made of a leading consonant, a vowel and perhaps a trailing consonant.
constexpr char32_t syllables = 0xAC00;
constexpr char32_t leads = 0x1100;
constexpr char32_t vowels = 0x1161;
constexpr char32_t trails = 0x11A7; // before the first one; this one means none
constexpr char32_t leadCount = 19;
constexpr char32_t vowelCount = 21;
constexpr char32_t trailCount = 28;
constexpr char32_t syllableCount = leadCount * vowelCount * trailCount;

// Returns whether NFKC_Casefold drops the character (Default_Ignorable_Code_Point).
bool isIgnorable(char32_t point)
{
    struct Range {
        char32_t first;
        char32_t last;
    };
    constexpr std::array<Range, 17> ranges{{{0xAD, 0xAD},
                                            {0x34F, 0x34F},
                                            {0x61C, 0x61C},
                                            {0x115F, 0x1160},
                                            {0x17B4, 0x17B5},
                                            {0x180B, 0x180F},
                                            {0x200B, 0x200F},
                                            {0x202A, 0x202E},
                                            {0x2060, 0x206F},
                                            {0x3164, 0x3164},
                                            {0xFE00, 0xFE0F},
                                            {0xFEFF, 0xFEFF},
                                            {0xFFA0, 0xFFA0},
                                            {0xFFF0, 0xFFF8},
                                            {0x1BCA0, 0x1BCA3},
                                            {0x1D173, 0x1D17A},
                                            {0xE0000, 0xE0FFF}}};
    return std::ranges::any_of(
        ranges, [&](const Range& range) { return point >= range.first && point <= range.last; });
}

template <class Table>
auto findPoint(const Table& table, char32_t point)
{
    using Row = typename Table::value_type;
    const auto* at = std::ranges::lower_bound(table, point, {}, &Row::point);
    return at != table.end() && at->point == point ? at : nullptr;
}

std::uint8_t orderOf(char32_t point)
{
    const Form* form = findPoint(forms, point);
    return form == nullptr ? 0 : form->order;
}

// The characters of one string on their way to a normal form.
class Normalizer {
public:
    explicit Normalizer(const KernelContext& context)
        : m_context(context)
    {
    }

    void read(std::string_view text)
    {
        m_points.clear();
        for (std::size_t at = 0; at < text.size();) {
            const CodePoint next = nextCodePoint(Encoding::Utf8, text, at);
            m_points.push_back(next.isMalformed ? U'\uFFFD' : char32_t(next.value));
            at += next.size;
        }
    }

    std::string text() const
    {
        std::string text;
        for (const char32_t point : m_points)
            appendCodePoint(text, point, Encoding::Utf8);
        return text;
    }

    Status decompose(bool isCompatible)
    {
        RETURN_IF_ERROR(replaceEach(
            [&](char32_t point, std::u32string& to) { addParts(point, isCompatible, to); }));
        sortMarks();
        return Done{};
    }

    Status fold()
    {
        return replaceEach([](char32_t point, std::u32string& to) {
            if (const Fold* found = findPoint(folds, point))
                to += found->parts;
            else
                to += point;
        });
    }

    void dropIgnorable() { std::erase_if(m_points, isIgnorable); }

    // Joins each character with the starter before it, unless another of the same or a higher class
    // is between them.
    void compose()
    {
        constexpr std::size_t none = std::size_t(-1);
        std::size_t starter = none;
        std::size_t length = 0;
        std::uint8_t before = 0; // class of the last character kept after the starter
        for (const char32_t point : m_points) {
            const std::uint8_t order = orderOf(point);
            const bool isNext = starter != none && length == starter + 1;
            if (starter != none && (isNext || (before != 0 && before < order))) {
                if (const char32_t whole = joined(m_points[starter], point); whole != 0) {
                    m_points[starter] = whole;
                    continue;
                }
            }
            if (order == 0)
                starter = length;
            before = order;
            m_points[length++] = point;
        }
        m_points.resize(length);
    }

private:
    template <class Replace>
    Status replaceEach(const Replace& replace)
    {
        constexpr std::size_t step = 1U << 14;
        std::u32string made;
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            replace(m_points[i], made);
            if (i % step != 0)
                continue;
            if (m_context.job().cancelled())
                return cancelledError();
            RETURN_IF_ERROR(checkTextSize(m_context, made.size() * sizeof(char32_t)));
        }
        m_points = std::move(made);
        return Done{};
    }

    static void addParts(char32_t point, bool isCompatible, std::u32string& to)
    {
        if (point >= syllables && point < syllables + syllableCount) {
            const char32_t index = point - syllables;
            to.push_back(char32_t(leads + index / (vowelCount * trailCount)));
            to.push_back(char32_t(vowels + index / trailCount % vowelCount));
            if (index % trailCount != 0)
                to.push_back(char32_t(trails + index % trailCount));
            return;
        }
        const Form* form = findPoint(forms, point);
        if (form == nullptr || form->parts.empty() || (form->kind == 'k' && !isCompatible)) {
            to += point;
            return;
        }
        for (const char32_t part : form->parts) // recursion is only a few levels deep
            addParts(part, isCompatible, to);
    }

    // Sorts the combining marks after each starter by their combining class.
    void sortMarks()
    {
        const auto isMark = [](char32_t point) { return orderOf(point) != 0; };
        for (auto at = m_points.begin(); at != m_points.end();) {
            const auto first = std::find_if(at, m_points.end(), isMark);
            at = std::find_if_not(first, m_points.end(), isMark);
            std::stable_sort(first, at,
                             [](char32_t a, char32_t b) { return orderOf(a) < orderOf(b); });
        }
    }

    // Returns the composed character; 0 if they do not compose.
    static char32_t joined(char32_t first, char32_t second)
    {
        if (first >= leads && first < leads + leadCount)
            return second >= vowels && second < vowels + vowelCount
                       ? syllables + ((first - leads) * vowelCount + (second - vowels)) * trailCount
                       : 0;
        if (first >= syllables && first < syllables + syllableCount &&
            (first - syllables) % trailCount == 0 && second > trails &&
            second < trails + trailCount)
            return first + (second - trails);
        static const std::vector<Pair> pairs = makePairs();
        const auto at =
            std::ranges::lower_bound(pairs, std::pair(first, second), {}, [](const Pair& pair) {
                return std::pair(pair.first, pair.second);
            });
        return at != pairs.end() && at->first == first && at->second == second ? at->composed : 0;
    }

    const KernelContext& m_context;
    std::u32string m_points;
};

// Sets output 0 to each string after `change`.
template <class Change>
Status mapText(KernelContext& context, const Change& change)
{
    Normalizer normalizer(context);
    std::vector<std::string> out;
    std::uint64_t bytes = 0;
    for (const std::string& text : context.input(0).strings()) {
        normalizer.read(text);
        RETURN_IF_ERROR(change(normalizer));
        out.push_back(normalizer.text());
        bytes += out.back().size();
        RETURN_IF_ERROR(checkTextSize(context, bytes));
    }
    return context.setOutput(0, Value::ofStrings(context.input(0).dims(), std::move(out)));
}

Status runNormalize(KernelContext& context)
{
    const std::string_view form = context.stringAttr("normalization_form", "NFKC");
    const bool isCompatible = form == "NFKC" || form == "NFKD";
    const bool isComposed = form == "NFC" || form == "NFKC";
    if (!isCompatible && !isComposed && form != "NFD")
        return context.error("normalization_form is '" + std::string(form) +
                             "'; it must be NFC, NFD, NFKC or NFKD");
    return mapText(context, [&](Normalizer& normalizer) -> Status {
        RETURN_IF_ERROR(normalizer.decompose(isCompatible));
        if (isComposed)
            normalizer.compose();
        return Done{};
    });
}

// Computes NFKC(fold(NFKC(fold(NFD(x))))) without ignorable characters (Unicode, definition D147).
Status runCaseFold(KernelContext& context)
{
    return mapText(context, [](Normalizer& normalizer) -> Status {
        RETURN_IF_ERROR(normalizer.decompose(false));
        for (int i = 0; i < 2; ++i) {
            RETURN_IF_ERROR(normalizer.fold());
            normalizer.dropIgnorable();
            RETURN_IF_ERROR(normalizer.decompose(true));
            normalizer.compose();
        }
        return Done{};
    });
}

} // namespace

LAPIDARY_KERNEL(NormalizeUTF8, runNormalize);
LAPIDARY_KERNEL(CaseFoldUTF8, runCaseFold);

} // namespace lapidary
