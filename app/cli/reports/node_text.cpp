// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/node_json.h"

namespace lapidary {
namespace {

// Returns one value in one line: texts as they are, everything else as JSON.
std::string shown(const Json& value)
{
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void addFact(std::string& text, std::string_view name, const Json& value)
{
    const bool nothing = value.is_null() || (value.is_string() && value.empty()) ||
                         (value.is_string() && value.get_ref<const std::string&>().empty());
    if (nothing)
        return;
    text.append(name).append(name.size() < 14 ? 14 - name.size() : 1, ' ');
    text.append(shown(value)).append("\n");
}

void addList(std::string& text, std::string_view name, const Json& values)
{
    for (const Json& value : values) {
        addFact(text, name, value);
        name = "";
    }
}

std::string readerText(const Json& reader)
{
    const std::string name = shown(reader["node"]);
    if (reader.contains("control"))
        return name + " (control)";
    return name + " (its input " + shown(reader["input"]) + ", from output " +
           shown(reader["port"]) + ")";
}

void addTensor(std::string& text, const Json& tensor)
{
    if (tensor.is_null())
        return;
    for (const auto& fact : tensor.items())
        if (fact.key() != "histogram")
            addFact(text, "tensor " + fact.key(), fact.value());
}

} // namespace

std::string tensorFactsText(const Json& tensor)
{
    std::string text;
    addTensor(text, tensor);
    return text;
}

std::string nodeFactsText(const Json& facts)
{
    std::string text;
    for (const char* name : {"name", "op", "signature", "family", "device", "scope"})
        addFact(text, name, facts[name]);
    addList(text, "input", facts["inputs"]);
    addList(text, "control input", facts["control_inputs"]);
    std::string_view label = "read by";
    for (const Json& reader : facts["readers"]) {
        addFact(text, label, readerText(reader));
        label = "";
    }
    if (facts.contains("functions"))
        addList(text, "calls", facts["functions"]);
    for (const auto& attr : facts["attrs"].items())
        addFact(text, "attr " + attr.key(), attr.value());
    addTensor(text, facts["tensor"]);
    return text;
}

} // namespace lapidary
