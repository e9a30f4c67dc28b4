// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/value_message.h"

#include "graph_model/tensor/dtype.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

std::optional<Value> stringsOf(Dims dims, std::vector<std::string> strings)
{
    const auto count = elementCount({dims, false});
    if (!count || std::uint64_t(*count) != strings.size())
        return {};
    return Value::ofStrings(std::move(dims), std::move(strings));
}

} // namespace

Message messageOf(const Value& value)
{
    Message message = {{"dtype", std::int32_t(value.dtype())}, {"dims", value.dims()}};
    if (value.dtype() == DType::String) {
        message["strings"] =
            std::vector<std::string>(value.strings().begin(), value.strings().end());
        return message;
    }
    if (dtypeSize(value.dtype()) == 0)
        return message;
    const std::string_view bytes = value.bytes();
    message["bytes"] = Message::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    return message;
}

Message messageOf(const OptionalValues& values)
{
    Message list = Message::array();
    for (const std::optional<Value>& value : values)
        list.push_back(value ? messageOf(*value) : Message());
    return list;
}

std::optional<Value> valueOf(const Message& message, MemoryPool& pool)
{
    if (message.is_null())
        return {};
    const auto dtype = DType(message.at("dtype").get<std::int32_t>());
    auto dims = message.at("dims").get<Dims>();
    if (dtype == DType::String)
        return stringsOf(std::move(dims), message.at("strings").get<std::vector<std::string>>());
    if (dtypeSize(dtype) == 0)
        return Value::ofResource(dtype, nullptr);
    const auto& bytes = message.at("bytes").get_binary();
    auto value = Value::make(dtype, std::move(dims), pool);
    if (!value || value->byteCount() != bytes.size())
        return {};
    std::ranges::copy(bytes, value->mutableAs<std::uint8_t>().begin());
    return *std::move(value);
}

OptionalValues valuesOf(const Message& message, MemoryPool& pool)
{
    OptionalValues values;
    for (const Message& one : message)
        values.push_back(valueOf(one, pool));
    return values;
}

std::uint64_t bytesHeldBy(const Value& value)
{
    const auto strings = value.strings();
    return std::accumulate(
        strings.begin(), strings.end(), std::uint64_t(value.byteCount()),
        [](std::uint64_t sum, const std::string& text) { return sum + sizeof text + text.size(); });
}

} // namespace lapidary
