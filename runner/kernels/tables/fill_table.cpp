// SPDX-License-Identifier: Apache-2.0
// InitializeTable, LookupTableImport, Insert, Remove: keys and values from tensors.
// InitializeTableFromTextFile: from the columns of a file below the model's folder.
#include "runner/kernels/kernel.h"
#include "runner/kernels/parsing/files.h"
#include "runner/kernels/strings/numbers.h"
#include "runner/kernels/tables/table.h"

#include <cstring>

namespace lapidary {
namespace {

Result<LookupTable::Rows> rowsOf(const KernelContext& context, const LookupTable& table)
{
    const Value& keys = context.input(1);
    const Value& values = context.input(2);
    Dims wanted = keys.dims();
    wanted.insert(wanted.end(), table.options().valueShape.begin(),
                  table.options().valueShape.end());
    if (values.dims() != wanted)
        return context.error("keys of shape " + dimsText(keys.dims()) + " need values of shape " +
                             dimsText(wanted) + ", not " + dimsText(values.dims()));
    LookupTable::Rows rows;
    const auto count = std::size_t(keys.elements());
    const std::size_t length = count == 0 ? 1 : std::size_t(values.elements()) / count;
    for (std::size_t i = 0; i < count; ++i)
        rows.emplace_back(tableElement(keys, i), tableElement(values, i, length));
    return rows;
}

Status runInitialize(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto table, tableInput(context, "Tkey", "Tval"));
    if (!context.input(1).isVector())
        return context.error("keys must be a vector, but their shape is " +
                             dimsText(context.input(1).dims()));
    const auto rows = rowsOf(context, *table);
    return rows ? table->initialize(context, rows.value()) : Status(rows.error());
}

template <bool replaces>
Status runInsert(KernelContext& context)
{
    const auto table = tableInput(context, "Tin", "Tout");
    RETURN_IF_ERROR(table);
    ASSIGN_OR_RETURN(const auto rows, rowsOf(context, **table));
    if (!(*table)->options().isMutable) // may be imported once, instead of an initializer
        return replaces ? (*table)->initialize(context, rows)
                        : Status(context.error("the table cannot be changed"));
    if (replaces)
        (*table)->removeAll();
    return (*table)->insert(context, rows);
}

Status runRemove(KernelContext& context)
{
    const auto table = tableInput(context, "Tin");
    RETURN_IF_ERROR(table);
    if (!(*table)->options().isMutable)
        return context.error("the table cannot be changed");
    for (std::size_t i = 0; i < std::size_t(context.input(1).elements()); ++i)
        (*table)->remove(tableElement(context.input(1), i));
    return Done{};
}

template <class T>
std::string bytesOf(T number)
{
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

// One field of a line (spec: -2 the whole line, -1 its number, else a column) as a table keeps it.
Result<std::string> field(const KernelContext& context, std::string_view line, std::int64_t number,
                          std::int64_t index, DType dtype)
{
    if (index == -1)
        return bytesOf(number);
    std::string_view text = line;
    const std::string_view delimiter = context.stringAttr("delimiter", "\t");
    for (std::int64_t column = 0; index >= 0; ++column) {
        const std::size_t end = delimiter.empty() ? std::string_view::npos : line.find(delimiter);
        text = line.substr(0, end);
        if (column == index)
            break;
        if (end == std::string_view::npos)
            return context.error("line " + std::to_string(number) + " has no column " +
                                 std::to_string(index));
        line.remove_prefix(end + delimiter.size());
    }
    const auto invalid = [&] {
        return context.error("'" + std::string(text) + "' in line " + std::to_string(number) +
                             " is not a valid " + dtypeName(dtype));
    };
    if (dtype == DType::String)
        return std::string(text);
    if (dtype == DType::Int64 || dtype == DType::Int32) {
        const auto value = parseInteger(text, dtype);
        if (!value)
            return invalid();
        return dtype == DType::Int64 ? bytesOf(*value) : bytesOf(std::int32_t(*value));
    }
    const auto value = parseFloating(text);
    if (!value)
        return invalid();
    return dtype == DType::Double ? bytesOf(*value) : bytesOf(float(*value));
}

Status checkIndex(const KernelContext& context, std::int64_t index, DType dtype)
{
    const bool fits = (index != -1 || dtype == DType::Int64) &&
                      (index != -2 || dtype == DType::String) && index >= -2;
    const bool known = dtype == DType::String || dtype == DType::Int64 || dtype == DType::Int32 ||
                       dtype == DType::Float || dtype == DType::Double;
    return fits && known ? Status(Done{})
                         : Status(context.error("column " + std::to_string(index) +
                                                " of a file cannot be " + dtypeName(dtype)));
}

Result<LookupTable::Rows> readRows(const KernelContext& context, const LookupTable& table,
                                   std::string_view content)
{
    const std::int64_t keyIndex = context.intAttr("key_index");
    const std::int64_t valueIndex = context.intAttr("value_index");
    const std::int64_t most = context.intAttr("vocab_size", -1);
    for (const Status& status : {checkIndex(context, keyIndex, table.options().keyType),
                                 checkIndex(context, valueIndex, table.options().valueType)})
        RETURN_IF_ERROR(status);
    LookupTable::Rows rows;
    for (std::int64_t number = 0; !content.empty() && (most < 0 || number < most); ++number) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string line(content.substr(0, end));
        std::erase(line, '\r');
        content.remove_prefix(std::min(end + 1, content.size()));
        ASSIGN_OR_RETURN(auto key, field(context, line, number, keyIndex, table.options().keyType));
        ASSIGN_OR_RETURN(auto value,
                         field(context, line, number, valueIndex, table.options().valueType));
        rows.emplace_back(std::move(key), std::move(value));
    }
    if (most >= 0 && std::int64_t(rows.size()) < most)
        return context.error("vocab_size is " + std::to_string(most) + " but the file has " +
                             std::to_string(rows.size()) + " lines");
    return rows;
}

Status runFromFile(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto table, tableInput(context));
    const Value& name = context.input(1);
    if (!name.isScalar())
        return context.error("filename must be a scalar");
    ASSIGN_OR_RETURN(const auto content, readFile(context, name.strings()[0]));
    const auto rows = readRows(context, *table, content);
    return rows ? table->initialize(context, rows.value()) : Status(rows.error());
}

} // namespace

LAPIDARY_KERNEL(InitializeTable, runInitialize);
LAPIDARY_KERNEL(InitializeTableV2, runInitialize);
LAPIDARY_KERNEL(InitializeTableFromTextFile, runFromFile);
LAPIDARY_KERNEL(InitializeTableFromTextFileV2, runFromFile);
LAPIDARY_KERNEL(LookupTableInsert, runInsert<false>);
LAPIDARY_KERNEL(LookupTableInsertV2, runInsert<false>);
LAPIDARY_KERNEL(LookupTableImport, runInsert<true>);
LAPIDARY_KERNEL(LookupTableImportV2, runInsert<true>);
LAPIDARY_KERNEL(LookupTableRemoveV2, runRemove);

} // namespace lapidary
