// LookupTableFind: the value of each key, or the default. LookupTableSize, LookupTableExport.
#include "runner/kernels/tables/kernels.h"
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
    if (!table)
        return table.error();
    if (!table.value()->isReady())
        return context.error("the table is not filled yet: run its initialiser");
    const Value& keys = context.input(1);
    const Value& fallback = context.input(2);
    const LookupTable::Options& options = table.value()->options();
    if (fallback.dims() != options.valueShape)
        return context.error("default_value must have shape " + dimsText(options.valueShape) +
                             ", not " + dimsText(fallback.dims()));
    Dims dims = keys.dims();
    dims.insert(dims.end(), options.valueShape.begin(), options.valueShape.end());
    auto made = context.makeOutput(0, options.valueType, std::move(dims));
    if (!made)
        return made.error();
    const std::string other =
        fallback.elements() > 0 ? tableElement(fallback, 0, std::size_t(fallback.elements())) : "";
    for (std::size_t i = 0; i < std::size_t(keys.elements()); ++i) {
        const std::string* found = table.value()->find(tableElement(keys, i));
        put(made.value(), i, found != nullptr ? *found : other);
    }
    return Done{};
}

Status runSize(KernelContext& context)
{
    const auto table = tableInput(context);
    if (!table)
        return table.error();
    auto made = context.makeOutput(0, DType::Int64, {});
    if (!made)
        return made.error();
    made.value().mutableAs<std::int64_t>()[0] = std::int64_t(table.value()->size());
    return Done{};
}

Status runExport(KernelContext& context)
{
    const auto table = tableInput(context, "Tkeys", "Tvalues");
    if (!table)
        return table.error();
    const LookupTable::Options& options = table.value()->options();
    Dims dims{std::int64_t(table.value()->size())};
    auto keys = context.makeOutput(0, options.keyType, dims);
    if (!keys)
        return keys.error();
    dims.insert(dims.end(), options.valueShape.begin(), options.valueShape.end());
    auto values = context.makeOutput(1, options.valueType, std::move(dims));
    if (!values)
        return values.error();
    std::size_t i = 0;
    for (const auto& [key, value] : table.value()->rows()) {
        put(keys.value(), i, key);
        put(values.value(), i++, value);
    }
    return Done{};
}

} // namespace

const Kernel kernels::lookupTableFind{.op = "LookupTableFind", .run = runFind};
const Kernel kernels::lookupTableFindV2{.op = "LookupTableFindV2", .run = runFind};
const Kernel kernels::lookupTableSize{.op = "LookupTableSize", .run = runSize};
const Kernel kernels::lookupTableSizeV2{.op = "LookupTableSizeV2", .run = runSize};
const Kernel kernels::lookupTableExport{.op = "LookupTableExport", .run = runExport};
const Kernel kernels::lookupTableExportV2{.op = "LookupTableExportV2", .run = runExport};

} // namespace lapidary
