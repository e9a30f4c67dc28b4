// SPDX-License-Identifier: Apache-2.0
// _Onnx_TfIdfVectorizer: counts how often each n-gram of a pool is in a row of words or numbers
// ([rows, words] or [words]), also with words skipped in between. The result is [rows, grams].
#include "runner/guard/run_guard.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lapidary {
namespace {

enum class GramWeight : std::uint8_t { Count, Presence, CountTimesWeight };

template <class Word>
struct GramPool {
    // The column of each n-gram, by its words.
    std::map<std::vector<Word>, std::size_t> columns;
    std::vector<float> weights; // one for each column, or none
    std::size_t least = 1;
    std::size_t most = 1;
    std::size_t skips = 0;
    GramWeight weight = GramWeight::Count;
    std::size_t columnCount = 0;
    bool isRead = false;
};

template <class Word>
std::vector<Word> pooledWords(const KernelContext& context)
{
    if constexpr (std::is_same_v<Word, std::string>) {
        const auto all = context.attr("pool_strings").strings();
        return {all.begin(), all.end()};
    } else {
        return context.attr("pool_int64s").ints();
    }
}

std::optional<GramWeight> gramWeightNamed(std::string_view mode)
{
    if (mode == "TF")
        return GramWeight::Count;
    if (mode == "IDF")
        return GramWeight::Presence;
    return mode == "TFIDF" ? std::optional(GramWeight::CountTimesWeight) : std::nullopt;
}

// Reads the pool: it lists all n-grams of one word, then those of two, and so on, each from its
// offset on.
template <class Word>
std::optional<GramPool<Word>> poolOf(const KernelContext& context)
{
    const std::vector<Word> words = pooledWords<Word>(context);
    const auto starts = context.attr("ngram_counts").ints();
    const auto columns = context.attr("ngram_indexes").ints();
    const auto weight = gramWeightNamed(context.stringAttr("mode"));
    const std::int64_t least = context.intAttr("min_gram_length");
    const std::int64_t most = context.intAttr("max_gram_length");
    const std::int64_t skips = context.intAttr("max_skip_count");
    constexpr std::int64_t mostColumns = 1 << 24;
    GramPool<Word> pool;
    pool.weights = context.attr("weights").floats();
    if (!weight || least < 1 || most < least || std::size_t(most) > starts.size() || skips < 0 ||
        columns.empty() || (!pool.weights.empty() && pool.weights.size() != columns.size()))
        return std::nullopt;
    pool.least = std::size_t(least);
    pool.most = std::size_t(most);
    pool.skips = std::size_t(skips);
    pool.weight = *weight;
    std::size_t gram = 0;
    for (std::size_t n = 1; n <= starts.size(); ++n) {
        const std::int64_t end = n < starts.size() ? starts[n] : std::int64_t(words.size());
        if (starts[n - 1] < 0 || end < starts[n - 1] || std::size_t(end) > words.size() ||
            (end - starts[n - 1]) % std::int64_t(n) != 0)
            return std::nullopt;
        for (std::int64_t at = starts[n - 1]; at < end; at += std::int64_t(n), ++gram) {
            if (gram >= columns.size() || columns[gram] < 0 || columns[gram] >= mostColumns)
                return std::nullopt;
            const auto column = std::size_t(columns[gram]);
            pool.columns.emplace(
                std::vector<Word>(words.begin() + at, words.begin() + at + std::int64_t(n)),
                column);
            pool.columnCount = std::max(pool.columnCount, column + 1);
        }
    }
    pool.isRead = true;
    return pool;
}

// Single words are counted once, however many words may be skipped. Throws RunStopped if the run is
// cancelled.
template <class Word>
void countGrams(const GramPool<Word>& pool, std::span<const Word> row, std::span<float> counts)
{
    std::vector<Word> gram;
    for (std::size_t pace = 1; pace <= std::min(pool.skips + 1, row.size()); ++pace)
        for (std::size_t first = 0; first < row.size(); ++first) {
            gram.clear();
            for (std::size_t at = first; at < row.size() && gram.size() < pool.most; at += pace) {
                stopIfAsked();
                gram.push_back(row[at]);
                if (gram.size() < pool.least || (gram.size() == 1 && pace > 1))
                    continue;
                const auto found = pool.columns.find(gram);
                if (found != pool.columns.end())
                    counts[found->second] += 1;
            }
        }
}

template <class Word>
Status runWords(KernelContext& context, std::span<const Word> words)
{
    auto& pool = context.state<GramPool<Word>>();
    if (!pool.isRead) {
        auto read = poolOf<Word>(context);
        if (!read)
            return context.error("the lists of its n-grams do not fit together");
        pool = *std::move(read);
    }
    const Value& x = context.input(0);
    const std::int64_t rows = x.rank() == 2 ? x.dim(0) : 1;
    const auto length = std::size_t(x.rank() == 2 ? x.dim(1) : x.elements());
    const auto columns = std::int64_t(pool.columnCount);
    ASSIGN_OR_RETURN(
        auto made,
        context.makeOutput(0, DType::Float, x.rank() == 2 ? Dims{rows, columns} : Dims{columns}));
    const auto counts = made.template mutableAs<float>();
    std::ranges::fill(counts, 0.0F);
    for (std::int64_t row = 0; row < rows; ++row) {
        if (context.job().cancelled())
            return cancelledError();
        const auto own = counts.subspan(std::size_t(row * columns), pool.columnCount);
        countGrams(pool, words.subspan(std::size_t(row) * length, length), own);
        for (std::size_t i = 0; i < own.size() && pool.weight != GramWeight::Count; ++i) {
            const float weight = i < pool.weights.size() ? pool.weights[i] : 1;
            const bool isCount = pool.weight == GramWeight::CountTimesWeight;
            own[i] = (isCount ? own[i] : own[i] > 0 ? 1.0F : 0.0F) * weight;
        }
    }
    return Done{};
}

Status runTfIdf(KernelContext& context)
{
    if (context.inputCount() != 1 || context.input(0).rank() < 1 || context.input(0).rank() > 2)
        return context.error("needs one row, or a matrix, of words");
    const Value& x = context.input(0);
    if (x.dtype() == DType::String)
        return runWords<std::string>(context, x.strings());
    if (x.dtype() == DType::Int64)
        return runWords<std::int64_t>(context, x.as<std::int64_t>());
    return context.error("its words are neither strings nor int64");
}

} // namespace

LAPIDARY_KERNEL(_Onnx_TfIdfVectorizer, runTfIdf);

} // namespace lapidary
