// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tables/table.h"

#include <cstring>

namespace lapidary {

const std::string* LookupTable::find(const std::string& key) const
{
    const auto found = m_rows.find(key);
    return found == m_rows.end() ? nullptr : &found->second;
}

Status LookupTable::charge(KernelContext& context, const Rows& rows)
{
    std::uint64_t bytes = 0;
    for (const auto& [key, value] : rows)
        bytes += key.size() + value.size() + 2 * sizeof(std::string) + 2 * sizeof(void*);
    auto charged = context.session().pool.allocate(bytes);
    if (!charged)
        return context.error(charged.error().message);
    m_charges.push_back(*std::move(charged));
    return Done{};
}

Status LookupTable::initialize(KernelContext& context, const Rows& rows)
{
    if (m_ready) {
        bool isSame = rows.size() == m_rows.size();
        for (const auto& [key, value] : rows) {
            const std::string* known = find(key);
            isSame = isSame && known != nullptr && *known == value;
        }
        return isSame ? Status(Done{})
                      : Status(context.error("the table was already filled with other data"));
    }
    RETURN_IF_ERROR(charge(context, rows));
    std::unordered_map<std::string, std::string> filled;
    for (const auto& [key, value] : rows) {
        const auto [at, isNew] = filled.emplace(key, value);
        if (!isNew && at->second != value)
            return context.error("one key is given two different values");
    }
    m_rows = std::move(filled);
    m_ready = true;
    return Done{};
}

Status LookupTable::insert(KernelContext& context, const Rows& rows)
{
    for (const auto& [key, value] : rows)
        for (const std::string& reserved : m_options.reservedKeys)
            if (key == reserved)
                return context.error("the table's empty or deleted key cannot be inserted");
    RETURN_IF_ERROR(charge(context, rows));
    for (const auto& [key, value] : rows)
        m_rows[key] = value;
    return Done{};
}

Result<std::shared_ptr<LookupTable>>
tableInput(const KernelContext& context, std::string_view keyAttr, std::string_view valueAttr)
{
    auto table = context.input(0).resource<LookupTable>();
    if (!table)
        return context.error("its input 0 is not a table");
    const auto fits = [&](std::string_view attr, DType dtype) {
        return attr.empty() || context.typeAttr(attr) == dtype;
    };
    const LookupTable::Options& options = table->options();
    if (!fits(keyAttr, options.keyType) || !fits(valueAttr, options.valueType))
        return context.error("the table maps " + dtypeName(options.keyType) + " to " +
                             dtypeName(options.valueType) + ", not what the node's types say");
    return table;
}

std::string tableElement(const Value& value, std::size_t i, std::size_t count)
{
    if (value.dtype() == DType::String)
        return value.strings()[i];
    const std::size_t size = dtypeSize(value.dtype()) * count;
    return std::string(value.bytes().substr(i * size, size));
}

} // namespace lapidary
