// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/printable.h"
#include "runner/node_data/parse_numbers.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

Error unlike(const std::string& what)
{
    return {ErrorCode::BadFile, what};
}

std::string textIn(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool hasObject(const Json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_object();
}

void add(NodeData& data, const std::string& key, const Json& value)
{
    // Model Explorer writes {"value": 3}, with colors beside it.
    const Json& plain = value.is_object() && value.contains("value") ? value["value"] : value;
    std::optional<double> number;
    if (plain.is_number())
        number = plain.get<double>();
    else if (plain.is_string())
        number = numberIn(plain.get<std::string>());
    if (number && std::isfinite(*number))
        data.numbers.push_back({key, *number});
    else
        ++data.withoutNumber;
}

NodeData dataOf(const Json& object, const char* values, const std::string& title)
{
    NodeData data = titledData(textIn(object, "name"));
    if (data.name.empty())
        data.name = title;
    if (const std::string unit = textIn(object, "unit"); !unit.empty())
        data.unit = unit;
    for (const auto& [key, value] : object[values].items())
        add(data, key, value);
    return data;
}

Result<std::vector<NodeData>> ofObject(const Json& object, const std::string& title)
{
    for (const char* values : {"results", "values"})
        if (hasObject(object, values))
            return std::vector{dataOf(object, values, title)};
    std::vector<NodeData> graphs; // one for each named graph
    const bool holdsGraphs = std::ranges::any_of(
        object, [](const Json& member) { return hasObject(member, "results"); });
    if (holdsGraphs) {
        for (const auto& [graph, member] : object.items())
            if (hasObject(member, "results"))
                graphs.push_back(
                    dataOf(member, "results", object.size() == 1 ? title : title + " " + graph));
        return graphs;
    }
    NodeData data;
    data.name = title;
    for (const auto& [key, value] : object.items()) {
        if (value.is_structured())
            return unlike("\"" + printable(key) +
                          "\" holds neither a number nor \"results\" or \"values\" of nodes");
        add(data, key, value);
    }
    return std::vector{data};
}

Result<std::vector<NodeData>> ofRows(const Json& rows)
{
    std::vector<NodeData> columns;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string place = "element " + std::to_string(row + 1);
        if (!rows[row].is_object())
            return unlike(place + " is not an object");
        const auto& members = rows[row].items();
        const auto named = std::find_if(members.begin(), members.end(), [](const auto& member) {
            return isNameTitle(member.key()) && member.value().is_string();
        });
        if (named == members.end())
            return unlike(place + " names no node; a member \"node\" is expected");
        const std::string key = named.value().template get<std::string>();
        for (const auto& [title, value] : members) {
            if (title == named.key())
                continue;
            const NodeData titled = titledData(title);
            auto column = std::ranges::find_if(columns, [&](const NodeData& data) {
                return data.name == titled.name && data.unit == titled.unit;
            });
            if (column == columns.end()) {
                if (columns.size() > mostDataColumns)
                    return unlike("its rows have more than " + std::to_string(mostDataColumns) +
                                  " members");
                column = columns.insert(columns.end(), titled);
            }
            add(*column, key, value);
        }
    }
    return columns;
}

Result<std::vector<NodeData>> ofList(const Json& list, const std::string& title)
{
    const bool holdsData = !list.empty() && hasObject(list.front(), "values");
    if (!holdsData)
        return ofRows(list);
    std::vector<NodeData> all;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!hasObject(list[i], "values"))
            return unlike("element " + std::to_string(i + 1) + " has no \"values\"");
        all.push_back(dataOf(list[i], "values", title + " " + std::to_string(i + 1)));
    }
    return all;
}

} // namespace

Result<std::vector<NodeData>> parseJsonData(std::string_view text, const std::string& title)
{
    try {
        const Json whole = Json::parse(text);
        return whole.is_array() ? ofList(whole, title) : ofObject(whole, title);
    } catch (const Json::parse_error& damage) {
        return unlike("is damaged JSON at byte " + std::to_string(damage.byte));
    }
}

} // namespace lapidary
