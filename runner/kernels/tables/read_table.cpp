// SPDX-License-Identifier: Apache-2.0
// LookupTableFind: the value of each key, or the default. LookupTableSize, LookupTableExport.
#include "runner/kernels/kernel.h"
#include "runner/kernels/tables/table.h"

#include <cstring>

namespace lapidary {
namespace {

void put(Value& out, std::size_t i, const std::string& element)
{
    if (out.dtype() == DType::String)
        out.mutableStrings()[i] = element;
    else if (!element.empty())
        std::memcpy(out.mutableAs<char>().data() + i * element.size(), element.data(),
                    element.size());
}

Status runFind(KernelContext& context)
{
    const auto table = tableInput(context, "Tin", "Tout");
    RETURN_IF_ERROR(table);
    if (!(*table)->isReady())
        return context.error("the table is not filled yet: run its initializer");
    const Value& keys = context.input(1);
    const Value& fallback = context.input(2);
    const LookupTable::Options& options = (*table)->options();
    if (fallback.dims() != options.valueShape)
        return context.error("default_value must have shape " + dimsText(options.valueShape) +
                             ", not " + dimsText(fallback.dims()));
    Dims dims = keys.dims();
    dims.insert(dims.end(), options.valueShape.begin(), options.valueShape.end());
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, options.valueType, std::move(dims)));
    const std::string other =
        fallback.elements() > 0 ? tableElement(fallback, 0, std::size_t(fallback.elements())) : "";
    for (std::size_t i = 0; i < std::size_t(keys.elements()); ++i) {
        const std::string* found = (*table)->find(tableElement(keys, i));
        put(made, i, found != nullptr ? *found : other);
    }
    return Done{};
}

Status runSize(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto table, tableInput(context));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int64, {}));
    made.mutableAs<std::int64_t>()[0] = std::int64_t(table->size());
    return Done{};
}

Status runExport(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto table, tableInput(context, "Tkeys", "Tvalues"));
    const LookupTable::Options& options = table->options();
    Dims dims{std::int64_t(table->size())};
    ASSIGN_OR_RETURN(auto keys, context.makeOutput(0, options.keyType, dims));
    dims.insert(dims.end(), options.valueShape.begin(), options.valueShape.end());
    ASSIGN_OR_RETURN(auto values, context.makeOutput(1, options.valueType, std::move(dims)));
    std::size_t i = 0;
    for (const auto& [key, value] : table->rows()) {
        put(keys, i, key);
        put(values, i++, value);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(LookupTableFind, runFind);
LAPIDARY_KERNEL(LookupTableFindV2, runFind);
LAPIDARY_KERNEL(LookupTableSize, runSize);
LAPIDARY_KERNEL(LookupTableSizeV2, runSize);
LAPIDARY_KERNEL(LookupTableExport, runExport);
LAPIDARY_KERNEL(LookupTableExportV2, runExport);

} // namespace lapidary
