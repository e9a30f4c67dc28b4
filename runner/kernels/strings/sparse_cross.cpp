// SPDX-License-Identifier: Apache-2.0
// SparseCross: for each row of a batch every combination of one feature of each column, as text
// joined by "_X_" or as one hash of all. Columns are sparse matrices or dense ones.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/hashes.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

// The features of one column: those of row r are values[begins[r], begins[r + 1]).
struct Column {
    const Value* values = nullptr;
    std::vector<std::size_t> begins;
};

std::string textOf(const Value& values, std::size_t i)
{
    return values.dtype() == DType::String ? values.strings()[i]
                                           : std::to_string(values.as<std::int64_t>()[i]);
}

std::uint64_t hashOf(const Value& values, std::size_t i)
{
    return values.dtype() == DType::String ? fingerprint64(values.strings()[i])
                                           : std::uint64_t(values.as<std::int64_t>()[i]);
}

// Combines two fingerprints to one; FarmHash calls it concatenation.
std::uint64_t joined(std::uint64_t a, std::uint64_t b)
{
    constexpr std::uint64_t factor = 0xC6A4A7935BD1E995ULL;
    const auto shifted = [](std::uint64_t x) { return x ^ (x >> 47U); };
    std::uint64_t result = a ^ factor;
    result ^= shifted(b * factor) * factor;
    result *= factor;
    result = shifted(result) * factor;
    return shifted(result);
}

Result<Column> sparseColumn(const KernelContext& context, std::size_t i, std::size_t count,
                            std::int64_t batch)
{
    const Value& indices = context.input(i);
    const Value& values = context.input(count + i);
    if (indices.rank() != 2 || indices.dim(1) != 2 || !values.isVector() ||
        values.dim(0) != indices.dim(0))
        return context.error("indices of shape " + dimsText(indices.dims()) +
                             " do not fit values of shape " + dimsText(values.dims()));
    const auto rows = indices.as<std::int64_t>();
    Column column{&values, std::vector<std::size_t>(std::size_t(batch) + 1, 0)};
    std::int64_t last = 0;
    for (std::size_t k = 0; k < rows.size(); k += 2) {
        if (rows[k] < last || rows[k] >= batch)
            return context.error("the rows of indices must ascend and be less than " +
                                 std::to_string(batch) + ", but one is " + std::to_string(rows[k]));
        last = rows[k];
        ++column.begins[std::size_t(last) + 1];
    }
    for (std::size_t row = 0; row < std::size_t(batch); ++row)
        column.begins[row + 1] += column.begins[row];
    return column;
}

Result<Column> denseColumn(const KernelContext& context, const Value& values, std::int64_t batch)
{
    if (values.rank() != 2 || values.dim(0) != batch)
        return context.error("a dense input must be a matrix of " + std::to_string(batch) +
                             " rows, but its shape is " + dimsText(values.dims()));
    Column column{&values, {}};
    for (std::int64_t row = 0; row <= batch; ++row)
        column.begins.push_back(std::size_t(row * values.dim(1)));
    return column;
}

Result<std::vector<Column>> columnsOf(const KernelContext& context, std::int64_t& batch)
{
    const std::int64_t given = context.intAttr("N");
    if (given < 0 || std::size_t(given) * 3 > context.inputCount() ||
        context.attr("sparse_types").types().size() != std::size_t(given))
        return context.error("N does not fit its inputs");
    const auto sparse = std::size_t(given);
    if (context.inputCount() == 0)
        return context.error("has no columns");
    if (sparse == 0)
        batch = context.input(0).rank() == 2 ? context.input(0).dim(0) : 0;
    for (std::size_t i = 0; i < sparse; ++i) {
        const Value& shape = context.input(2 * sparse + i);
        if (shape.dims() != Dims{2})
            return context.error("shapes must have 2 sizes");
        if (i > 0 && shape.as<std::int64_t>()[0] != batch)
            return context.error("all columns must have one batch size");
        batch = shape.as<std::int64_t>()[0];
    }
    constexpr std::int64_t largest = std::int64_t(1) << 31;
    if (batch < 0 || batch > largest)
        return context.error("the batch size " + std::to_string(batch) + " is out of range");
    std::vector<Column> columns;
    for (std::size_t i = 0; i < sparse; ++i) {
        ASSIGN_OR_RETURN(auto column, sparseColumn(context, i, sparse, batch));
        columns.push_back(std::move(column));
    }
    for (std::size_t i = 3 * sparse; i < context.inputCount(); ++i) {
        ASSIGN_OR_RETURN(auto column, denseColumn(context, context.input(i), batch));
        columns.push_back(std::move(column));
    }
    return columns;
}

// Calls use(features) with an index into each column's values, the last column first.
template <class Use>
Status eachCombination(const std::vector<Column>& columns, std::size_t row, const Use& use)
{
    std::vector<std::size_t> at;
    for (const Column& column : columns) {
        if (column.begins[row] == column.begins[row + 1])
            return Done{};
        at.push_back(column.begins[row]);
    }
    while (true) {
        RETURN_IF_ERROR(use(at));
        std::size_t k = at.size();
        while (k > 0 && ++at[k - 1] == columns[k - 1].begins[row + 1]) {
            --k;
            at[k] = columns[k].begins[row];
        }
        if (k == 0)
            return Done{};
    }
}

class Crosses {
public:
    explicit Crosses(const KernelContext& context)
        : m_context(context)
        , m_isHashed(context.boolAttr("hashed_output"))
        , m_key(std::uint64_t(context.intAttr("hash_key")))
        , m_buckets(std::uint64_t(context.intAttr("num_buckets")))
    {
    }

    Status add(const std::vector<Column>& columns, const std::vector<std::size_t>& at)
    {
        if (m_context.job().cancelled())
            return cancelledError();
        if (m_isHashed) {
            std::uint64_t hash = m_key;
            for (std::size_t k = 0; k < at.size(); ++k)
                hash = joined(hash, hashOf(*columns[k].values, at[k]));
            constexpr auto most = std::uint64_t(std::numeric_limits<std::int64_t>::max());
            m_hashes.push_back(std::int64_t(hash % (m_buckets > 0 ? m_buckets : most)));
        } else {
            std::string text;
            for (std::size_t k = 0; k < at.size(); ++k)
                text += (k > 0 ? "_X_" : "") + textOf(*columns[k].values, at[k]);
            m_bytes += text.size();
            m_texts.push_back(std::move(text));
        }
        m_bytes += sizeof(std::string);
        return checkTextSize(m_context, m_bytes);
    }
    std::size_t size() const { return m_hashes.size() + m_texts.size(); }
    Status give(KernelContext& context)
    {
        const auto count = std::int64_t(size());
        if (!m_isHashed)
            return context.setOutput(1, Value::ofStrings({count}, std::move(m_texts)));
        ASSIGN_OR_RETURN(auto values, context.makeOutput(1, DType::Int64, {count}));
        std::ranges::copy(m_hashes, values.mutableAs<std::int64_t>().begin());
        return Done{};
    }
    bool isHashed() const { return m_isHashed; }

private:
    const KernelContext& m_context;
    bool m_isHashed = false;
    std::uint64_t m_key = 0;
    std::uint64_t m_buckets = 0;
    std::vector<std::int64_t> m_hashes;
    std::vector<std::string> m_texts;
    std::uint64_t m_bytes = 0;
};

Status runSparseCross(KernelContext& context)
{
    std::int64_t batch = 0;
    ASSIGN_OR_RETURN(const auto columns, columnsOf(context, batch));
    Crosses crosses(context);
    if ((context.typeAttr("out_type") == DType::Int64) != crosses.isHashed())
        return context.error("out_type must be int64 where hashed_output is set, else string");
    std::vector<std::int64_t> rows; // of each cross
    std::vector<std::int64_t> numbers;
    std::int64_t widest = 0;
    for (std::int64_t row = 0; row < batch; ++row) {
        std::int64_t number = 0;
        RETURN_IF_ERROR(eachCombination(columns, std::size_t(row), [&](const auto& at) {
            rows.push_back(row);
            numbers.push_back(number++);
            return crosses.add(columns, at);
        }));
        widest = std::max(widest, number);
    }
    ASSIGN_OR_RETURN(auto indices,
                     context.makeOutput(0, DType::Int64, {std::int64_t(rows.size()), 2}));
    const auto to = indices.mutableAs<std::int64_t>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        to[2 * i] = rows[i];
        to[2 * i + 1] = numbers[i];
    }
    ASSIGN_OR_RETURN(auto shape, context.makeOutput(2, DType::Int64, {2}));
    shape.mutableAs<std::int64_t>()[0] = batch;
    shape.mutableAs<std::int64_t>()[1] = widest;
    return crosses.give(context);
}

} // namespace

LAPIDARY_KERNEL(SparseCross, runSparseCross);

} // namespace lapidary
