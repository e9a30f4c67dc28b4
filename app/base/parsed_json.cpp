// SPDX-License-Identifier: Apache-2.0
#include "app/base/parsed_json.h"

namespace lapidary {
namespace {

// Returns the position of the closing quote of a string whose content begins at `from`, or the end
// of the text.
std::size_t closingQuote(std::string_view text, std::size_t from)
{
    while (from < text.size() && text[from] != '"')
        from += text[from] == '\\' ? 2 : 1;
    return from;
}

bool nestsTooDeep(std::string_view text)
{
    std::size_t depth = 0;
    for (std::size_t i = text.find_first_of("\"[]{}"); i < text.size();
         i = text.find_first_of("\"[]{}", i + 1)) {
        if (text[i] == '"')
            i = closingQuote(text, i + 1);
        else if (text[i] == '[' || text[i] == '{')
            ++depth;
        else if (depth > 0)
            --depth;
        if (depth > mostJsonNesting)
            return true;
    }
    return false;
}

} // namespace

nlohmann::json parsedJson(std::string_view text)
{
    using nlohmann::json;
    return nestsTooDeep(text) ? json(json::value_t::discarded) : json::parse(text, nullptr, false);
}

} // namespace lapidary
