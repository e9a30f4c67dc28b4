// SPDX-License-Identifier: Apache-2.0
// WordpieceTokenizeWithOffsets of TensorFlow Text: splits each word into pieces, from its beginning
// on always the longest in the table of words; pieces that continue a word are stored with the
// prefix `suffix_indicator`. If a part of a word is in no piece, the whole word is unknown, or only
// that character (split_unknown_characters). Source: the documentation of WordpieceTokenizer.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"
#include "runner/kernels/tables/table.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

struct Pieces {
    std::vector<std::string> texts;
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> ends;

    void add(std::string text, std::size_t begin, std::size_t end)
    {
        texts.push_back(std::move(text));
        begins.push_back(std::int64_t(begin));
        ends.push_back(std::int64_t(end));
    }
    void keepFirst(std::size_t count)
    {
        texts.resize(count);
        begins.resize(count);
        ends.resize(count);
    }
};

class WordpieceCutter {
public:
    WordpieceCutter(const KernelContext& context, const LookupTable& table)
        : m_context(context)
        , m_table(table)
        , m_suffix(context.stringAttr("suffix_indicator"))
        , m_unknown(context.stringAttr("unknown_token"))
        , m_mostBytes(context.intAttr("max_bytes_per_word"))
        , m_mostCharacters(context.intAttr("max_chars_per_token"))
        , m_usesUnknown(context.boolAttr("use_unknown_token"))
        , m_splitsUnknown(context.boolAttr("split_unknown_characters"))
    {
        for (const auto& row : table.rows())
            m_longest = std::max(m_longest, row.first.size());
    }

    Status cut(const std::string& word, Pieces& pieces) const
    {
        const std::size_t before = pieces.texts.size();
        const auto unknown = [&](std::size_t end) {
            pieces.keepFirst(before);
            pieces.add(m_usesUnknown ? m_unknown : word, 0, end);
            return Done{};
        };
        // As in TensorFlow Text, this is the end of the unknown token, not that of the word.
        if (std::int64_t(word.size()) > m_mostBytes)
            return unknown(m_usesUnknown ? m_unknown.size() : word.size());
        for (std::size_t begin = 0; begin < word.size();) {
            if (m_context.job().cancelled())
                return cancelledError();
            const std::string_view prefix = begin > 0 ? m_suffix : std::string_view();
            std::size_t end = longestPiece(word, begin, prefix);
            if (end > begin) {
                pieces.add(std::string(prefix) + word.substr(begin, end - begin), begin, end);
            } else if (m_splitsUnknown) {
                end = nextCharacter(word, begin);
                pieces.add(std::string(prefix) +
                               (m_usesUnknown ? m_unknown : word.substr(begin, end - begin)),
                           begin, end);
            } else {
                return unknown(word.size());
            }
            begin = end;
        }
        return Done{};
    }

private:
    // Returns the end of the longest piece; `begin` if the table has none.
    std::size_t longestPiece(const std::string& word, std::size_t begin,
                             std::string_view prefix) const
    {
        std::vector<std::size_t> ends;
        for (std::size_t end = begin; end < word.size();) {
            end = nextCharacter(word, end);
            const bool isTooLong = prefix.size() + end - begin > m_longest;
            if (isTooLong ||
                (m_mostCharacters > 0 && std::int64_t(ends.size()) >= m_mostCharacters))
                break;
            ends.push_back(end);
        }
        for (; !ends.empty(); ends.pop_back())
            if (isKnown(std::string(prefix) + word.substr(begin, ends.back() - begin)))
                return ends.back();
        return begin;
    }

    // Returns whether the table has the word; the number -1 also means that it does not.
    bool isKnown(const std::string& piece) const
    {
        constexpr std::int64_t none = -1;
        const std::string* number = m_table.find(piece);
        return number != nullptr && number->size() == sizeof(none) &&
               std::memcmp(number->data(), &none, sizeof(none)) != 0;
    }

    const KernelContext& m_context;
    const LookupTable& m_table;
    std::string_view m_suffix;
    std::string m_unknown;
    std::int64_t m_mostBytes;
    std::int64_t m_mostCharacters; // of a piece; 0: any number
    std::size_t m_longest = 0;     // bytes of the longest key
    bool m_usesUnknown;
    bool m_splitsUnknown;
};

Result<std::shared_ptr<LookupTable>> vocabulary(const KernelContext& context)
{
    auto table = context.input(1).resource<LookupTable>();
    if (table == nullptr || table->options().keyType != DType::String ||
        table->options().valueType != DType::Int64)
        return context.error("vocab_lookup_table must be a table from string to int64");
    if (!table->isReady())
        return context.error("the table is not filled yet: run its initializer");
    return table;
}

Status runWordpieces(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto table, vocabulary(context));
    const WordpieceCutter cutter(context, *table);
    const bool areSplits = context.stringAttr("output_row_partition_type") == "row_splits";
    Pieces pieces;
    std::vector<std::int64_t> rows;
    if (areSplits)
        rows.push_back(0);
    for (const std::string& word : context.input(0).strings()) {
        const std::size_t before = pieces.texts.size();
        RETURN_IF_ERROR(cutter.cut(word, pieces));
        RETURN_IF_ERROR(checkTextSize(context, pieces.texts.size() * sizeof(std::string)));
        rows.push_back(std::int64_t(pieces.texts.size() - (areSplits ? 0 : before)));
    }
    RETURN_IF_ERROR(giveNumbers(context, 1, rows));
    RETURN_IF_ERROR(giveNumbers(context, 2, pieces.begins));
    RETURN_IF_ERROR(giveNumbers(context, 3, pieces.ends));
    const auto count = std::int64_t(pieces.texts.size());
    return context.setOutput(0, Value::ofStrings({count}, std::move(pieces.texts)));
}

} // namespace

LAPIDARY_KERNEL(WordpieceTokenizeWithOffsets, runWordpieces, .ranks = {Rank::Vector});

} // namespace lapidary
