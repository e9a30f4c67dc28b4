// SPDX-License-Identifier: Apache-2.0
#include "app/actions/action_sections.h"

#include <algorithm>
#include <cctype>

namespace lapidary {
namespace {

std::string titleOf(const ActionSpec& spec)
{
    if (!spec.menu.empty())
        return std::string(spec.menu.substr(0, spec.menu.find('/')));
    std::string title(spec.id.substr(0, spec.id.find('.')));
    title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
}

// Replaces the first occurrence, if there is one.
std::string replaced(std::string_view text, std::string_view what, std::string_view by)
{
    std::string result(text);
    if (const std::size_t at = result.find(what); at != std::string::npos)
        result.replace(at, what.size(), by);
    return result;
}

std::string row(const ActionSpec& spec)
{
    const std::string_view mark = spec.key.empty() || spec.scope == KeyScope::Window ? "" : "*";
    std::string text("| ");
    text.append(mark)
        .append(replaced(spec.key, "Return", "Enter"))
        .append(mark); // as the key is labeled
    text.append(" | ").append(replaced(spec.label, "\u2026", ""));
    text.append(" | ").append(spec.help);
    return text.append(" | `").append(spec.id).append("` |\n");
}

} // namespace

std::vector<ActionSection> actionSections(ActionTables tables)
{
    std::vector<ActionSection> sections;
    for (const std::span<const ActionSpec> table : tables) {
        for (const ActionSpec& spec : table) {
            const std::string title = titleOf(spec);
            auto found = std::ranges::find(sections, title, &ActionSection::title);
            if (found == sections.end())
                found = sections.insert(found, {title, {}});
            found->actions.push_back(&spec);
        }
    }
    return sections;
}

std::string keysPage(ActionTables tables)
{
    std::string page;
    for (const ActionSection& section : actionSections(tables)) {
        page += (page.empty() ? "## " : "\n## ") + section.title +
                "\n\n| key | command | what it does | id |\n|---|---|---|---|\n";
        for (const ActionSpec* spec : section.actions)
            page += row(*spec);
    }
    return page;
}

} // namespace lapidary
