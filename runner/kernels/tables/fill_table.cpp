// SPDX-License-Identifier: Apache-2.0
// InitializeTable, LookupTableImport, Insert, Remove: keys and values from tensors.
// InitializeTableFromTextFile: from the columns of a file below the model's folder.
#include "runner/kernels/kernel.h"
#include "runner/kernels/parsing/files.h"
#include "runner/kernels/tables/table.h"
#include "runner/kernels/tables/text_rows.h"

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

Status runFromFile(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto table, tableInput(context));
    const Value& name = context.input(1);
    if (!name.isScalar())
        return context.error("filename must be a scalar");
    ASSIGN_OR_RETURN(const auto content, readFile(context, name.strings()[0]));
    const LookupTable::Options& options = table->options();
    const auto rows =
        textRows(content, textColumnsOf(context.node(), options.keyType, options.valueType));
    return rows ? table->initialize(context, *rows) : context.error(rows.error().message);
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
