// SPDX-License-Identifier: Apache-2.0
// DecodeCSV: records of delimited fields, which may be quoted (a quote inside is doubled); an empty
// field gets its column's default.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/numbers.h"

#include <algorithm>

namespace lapidary {
namespace {

struct Csv {
    char delimiter = ',';
    bool quotes = true;
    std::string empty;                 // a text that also means that there is no value
    std::vector<std::int64_t> columns; // columns to keep, ascending; empty: all
};

// Returns the field that begins at `at`, and moves `at` to the next one.
Result<std::string> readPlain(const KernelContext& context, const Csv& csv, std::string_view record,
                              std::size_t& at)
{
    const std::size_t end = std::min(record.find(csv.delimiter, at), record.size());
    std::string field(record.substr(at, end - at));
    if (field.find_first_of("\r\n") != field.npos || (csv.quotes && field.find('"') != field.npos))
        return context.error("a field without quotes has quotes or line ends inside");
    at = end + 1;
    return field;
}

Result<std::string> readQuoted(const KernelContext& context, const Csv& csv,
                               std::string_view record, std::size_t& at)
{
    std::string field;
    for (++at; at < record.size(); ++at) {
        if (record[at] != '"') {
            field += record[at];
            continue;
        }
        const bool isLast = at + 1 == record.size();
        if (isLast || record[at + 1] == csv.delimiter) {
            at += 2;
            return field;
        }
        if (record[at + 1] != '"')
            return context.error("a quote inside a quoted field must be doubled");
        field += record[++at];
    }
    return context.error("a quoted field has no end");
}

Result<std::vector<std::string>> readRecord(const KernelContext& context, const Csv& csv,
                                            std::string_view record)
{
    std::vector<std::string> fields;
    std::int64_t column = 0;
    const auto keep = [&](std::string field) {
        if (csv.columns.empty() || std::ranges::binary_search(csv.columns, column))
            fields.push_back(std::move(field));
        ++column;
    };
    for (std::size_t at = 0; at < record.size();) {
        if (record[at] == '\n' || record[at] == '\r') {
            ++at;
            continue;
        }
        ASSIGN_OR_RETURN(auto field, csv.quotes&& record[at] == '"'
                                         ? readQuoted(context, csv, record, at)
                                         : readPlain(context, csv, record, at));
        keep(std::move(field));
    }
    if (!record.empty() && record.back() == csv.delimiter)
        keep({});
    return fields;
}

// Writes one field, or the column's default, into a column.
Status putField(const KernelContext& context, Value& out, std::size_t row, std::size_t column,
                const std::string& field, bool isEmpty)
{
    const Value& fallback = context.input(column + 1);
    const std::string where =
        "field " + std::to_string(column) + " of record " + std::to_string(row);
    if (isEmpty && fallback.elements() == 0)
        return context.error(where + " is required but missing");
    const auto invalid = [&] {
        return context.error(where + " is not a valid " + dtypeName(out.dtype()) + ": '" +
                             field.substr(0, 100) + "'");
    };
    switch (out.dtype()) {
    case DType::String: out.mutableStrings()[row] = isEmpty ? fallback.strings()[0] : field; break;
    case DType::Int32:
    case DType::Int64: {
        const auto number =
            isEmpty ? std::optional(fallback.integers()[0]) : parseInteger(field, out.dtype());
        if (!number)
            return invalid();
        if (out.dtype() == DType::Int32)
            out.mutableAs<std::int32_t>()[row] = std::int32_t(*number);
        else
            out.mutableAs<std::int64_t>()[row] = *number;
        break;
    }
    case DType::Float: {
        const auto number = isEmpty ? std::optional(fallback.as<float>()[0]) : parseFloat32(field);
        if (!number)
            return invalid();
        out.mutableAs<float>()[row] = *number;
        break;
    }
    default: {
        const auto number =
            isEmpty ? std::optional(fallback.as<double>()[0]) : parseFloating(field);
        if (!number)
            return invalid();
        out.mutableAs<double>()[row] = *number;
    }
    }
    return Done{};
}

Status runDecodeCSV(KernelContext& context)
{
    const Value& records = context.input(0);
    Csv csv;
    const std::string_view delimiter = context.stringAttr("field_delim", ",");
    if (delimiter.size() != 1)
        return context.error("field_delim must be one character");
    csv.delimiter = delimiter[0];
    csv.quotes = context.boolAttr("use_quote_delim", true);
    csv.empty = context.stringAttr("na_value");
    csv.columns = context.attr("select_cols").ints();
    std::vector<Value> columns;
    for (std::size_t i = 0; i < context.outputCount(); ++i) {
        if (context.input(i + 1).elements() > 1)
            return context.error("the default of column " + std::to_string(i) +
                                 " must be one value or none");
        ASSIGN_OR_RETURN(auto made,
                         context.makeOutput(i, context.input(i + 1).dtype(), records.dims()));
        columns.push_back(std::move(made));
    }
    for (std::size_t row = 0; row < records.strings().size(); ++row) {
        const auto fields = readRecord(context, csv, records.strings()[row]);
        RETURN_IF_ERROR(fields);
        if (fields->size() != columns.size())
            return context.error("record " + std::to_string(row) + " has " +
                                 std::to_string(fields->size()) + " fields, not " +
                                 std::to_string(columns.size()));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string& field = (*fields)[i];
            const bool isEmpty = field.empty() || field == csv.empty;
            RETURN_IF_ERROR(putField(context, columns[i], row, i, field, isEmpty));
        }
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(DecodeCSV, runDecodeCSV);

} // namespace lapidary
