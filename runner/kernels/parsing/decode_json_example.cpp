// SPDX-License-Identifier: Apache-2.0
// DecodeJSONExample: tf.Examples in protobuf's JSON form, as serialized messages. An object
//     {"features": {"feature": {"name": {"floatList": {"value": [1.5]}}}}}
// holds, by name, a bytesList (base64), a floatList or an int64List (numbers, or numbers as text).
// Names may also be written as in the schema (float_list).
#include "graph_model/base/base64.h"
#include "graph_model/base/wire.h"
#include "runner/kernels/kernel.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

// Not set on errors, which `fault` then describes.
using Message = std::optional<std::string>;

struct Member {
    std::string_view name; // in JSON's camel case
    std::string_view schemaName;
    std::uint32_t field;
    Message (*encode)(const Json& value, std::string& fault);
};

Message refuse(std::string& fault, std::string what)
{
    fault = std::move(what);
    return {};
}

// Encodes an object whose members are all among `members` as a message; null is not a value.
template <std::size_t count>
Message encodedObject(const Json& json, const Member (&members)[count], std::string& fault)
{
    if (!json.is_object())
        return refuse(fault, "an object is expected, not " + std::string(json.type_name()));
    std::string out;
    WireWriter writer(out);
    for (const auto& [name, value] : json.items()) {
        const Member* known = nullptr;
        for (const Member& member : members)
            if (name == member.name || name == member.schemaName)
                known = &member;
        if (known == nullptr)
            return refuse(fault, "there is no field '" + name + "'");
        if (value.is_null())
            continue;
        const auto encoded = known->encode(value, fault);
        if (!encoded)
            return {};
        writer.bytes(known->field, *encoded);
    }
    return out;
}

template <class Encode>
Message encodedValues(const Json& json, std::string& fault, const Encode& encode)
{
    std::string out;
    if (!json.is_array())
        return refuse(fault, "a list of values is expected, not " + std::string(json.type_name()));
    for (const Json& value : json)
        if (!encode(value, out))
            return refuse(fault, "a value cannot be read: " +
                                     value.dump(-1, ' ', false, Json::error_handler_t::replace));
    return out;
}

std::optional<float> floatOf(const Json& value)
{
    if (value.is_number())
        return float(value.get<double>());
    if (!value.is_string())
        return {};
    const auto& text = value.get_ref<const std::string&>();
    if (text == "NaN")
        return std::numeric_limits<float>::quiet_NaN();
    if (text == "Infinity" || text == "-Infinity")
        return std::copysign(std::numeric_limits<float>::infinity(), text[0] == '-' ? -1.0F : 1.0F);
    float number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> integerOf(const Json& value)
{
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
        return {};
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        const bool isWhole = std::abs(number) < 9e15 && std::trunc(number) == number;
        return isWhole ? std::optional(std::int64_t(number)) : std::nullopt;
    }
    if (!value.is_string())
        return {};
    const auto& text = value.get_ref<const std::string&>();
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

Message bytesValues(const Json& json, std::string& fault)
{
    return encodedValues(json, fault, [](const Json& value, std::string& out) {
        if (!value.is_string())
            return false;
        const auto& text = value.get_ref<const std::string&>();
        auto bytes = decodedBase64(text);
        if (!bytes)
            bytes = decodedBase64(text, Base64::WebSafe);
        if (bytes)
            WireWriter(out).bytes(1, *bytes);
        return bytes.has_value();
    });
}

Message floatValues(const Json& json, std::string& fault)
{
    return encodedValues(json, fault, [](const Json& value, std::string& out) {
        const auto number = floatOf(value);
        if (number)
            WireWriter(out).fixed32(1, std::bit_cast<std::uint32_t>(*number));
        return number.has_value();
    });
}

Message integerValues(const Json& json, std::string& fault)
{
    return encodedValues(json, fault, [](const Json& value, std::string& out) {
        const auto number = integerOf(value);
        if (number)
            WireWriter(out).varint(1, std::uint64_t(*number));
        return number.has_value();
    });
}

// Encodes a list. Its values are fields of the list's message.
template <Message (*values)(const Json&, std::string&)>
Message encodedList(const Json& json, std::string& fault)
{
    if (!json.is_object() || json.size() > 1 || (json.size() == 1 && !json.contains("value")))
        return refuse(fault, "a list of a feature has the one field 'value'");
    return json.empty() || json["value"].is_null() ? Message("") : values(json["value"], fault);
}

Message encodedFeature(const Json& json, std::string& fault)
{
    static constexpr Member members[] = {
        {"bytesList", "bytes_list", 1, encodedList<bytesValues>},
        {"floatList", "float_list", 2, encodedList<floatValues>},
        {"int64List", "int64_list", 3, encodedList<integerValues>},
    };
    if (json.is_object() && json.size() > 1)
        return refuse(fault, "a feature has one list");
    return encodedObject(json, members, fault);
}

// Encodes a map from names to features, with an entry for each.
Message encodedMap(const Json& map, std::string& fault)
{
    if (!map.is_object())
        return refuse(fault, "the features are not an object");
    std::string entries;
    for (const auto& [name, value] : map.items()) {
        const auto feature = encodedFeature(value, fault);
        if (!feature)
            return refuse(fault, "feature '" + name + "': " + fault);
        std::string entry;
        WireWriter writer(entry);
        writer.bytes(1, name);
        writer.bytes(2, *feature);
        WireWriter(entries).bytes(1, entry);
    }
    return entries;
}

Message encodedFeatures(const Json& json, std::string& fault)
{
    if (!json.is_object() || json.size() > 1 || (json.size() == 1 && !json.contains("feature")))
        return refuse(fault, "the one field of 'features' is 'feature'");
    return json.empty() || json["feature"].is_null() ? Message("")
                                                     : encodedMap(json["feature"], fault);
}

Message encodedExample(const Json& json, std::string& fault)
{
    static constexpr Member members[] = {{"features", "features", 1, encodedFeatures}};
    return encodedObject(json, members, fault);
}

Status runDecodeJsonExample(KernelContext& context)
{
    const Value& texts = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::String, texts.dims()));
    const auto out = made.mutableStrings();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Json json = Json::parse(texts.strings()[i], nullptr, false);
        std::string fault = "it is not JSON";
        const auto example = json.is_discarded() ? Message() : encodedExample(json, fault);
        if (!example)
            return context.error("example " + std::to_string(i) + ": " + fault);
        out[i] = *example;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(DecodeJSONExample, runDecodeJsonExample);

} // namespace lapidary
