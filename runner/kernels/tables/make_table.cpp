// SPDX-License-Identifier: Apache-2.0
// HashTable, MutableHashTable, MutableHashTableOfTensors, MutableDenseHashTable and their V2: the
// session's table with that name; made if there is none yet.
#include "graph_model/ops/op_traits.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/tables/table.h"

namespace lapidary {
namespace {

LookupTable::Options optionsOf(const KernelContext& context)
{
    LookupTable::Options options;
    options.keyType = context.typeAttr("key_dtype");
    options.valueType = context.typeAttr("value_dtype");
    options.isMutable = isMutableTable(context.node().op());
    if (const auto shape = context.attr("value_shape").asShape(); shape && !shape->unknownRank)
        options.valueShape = shape->dims;
    for (std::size_t i = 0; i < context.inputCount(); ++i) // empty_key, deleted_key
        if (context.input(i).elements() > 0)
            options.reservedKeys.push_back(tableElement(context.input(i), 0));
    return options;
}

Status runMakeTable(KernelContext& context)
{
    LookupTable::Options options = optionsOf(context);
    for (const std::int64_t dim : options.valueShape)
        if (dim < 0 || options.valueType == DType::String)
            return context.error("values of a table must have a known shape, and strings none");
    std::string name(context.stringAttr("shared_name"));
    if (name.empty())
        name = context.node().name();
    ResourcePtr& slot =
        context.session()
            .resources["table/" + std::string(context.stringAttr("container")) + "/" + name];
    auto table = std::dynamic_pointer_cast<LookupTable>(slot);
    if (!table) {
        table = std::make_shared<LookupTable>(std::move(options));
        slot = table;
    }
    constexpr auto reference = DType(100 + int(DType::String));
    const bool isResource = context.node().op().ends_with("V2");
    return context.setOutput(
        0, Value::ofResource(isResource ? DType::Resource : reference, std::move(table)));
}

} // namespace

LAPIDARY_KERNEL(HashTable, runMakeTable);
LAPIDARY_KERNEL(HashTableV2, runMakeTable);
LAPIDARY_KERNEL(MutableHashTable, runMakeTable);
LAPIDARY_KERNEL(MutableHashTableV2, runMakeTable);
LAPIDARY_KERNEL(MutableHashTableOfTensors, runMakeTable);
LAPIDARY_KERNEL(MutableHashTableOfTensorsV2, runMakeTable);
LAPIDARY_KERNEL(MutableDenseHashTable, runMakeTable);
LAPIDARY_KERNEL(MutableDenseHashTableV2, runMakeTable);

} // namespace lapidary
