// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/selected_facts.h"

#include "views/models/display_text.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

FactSections selectedFacts(const Document& document)
{
    constexpr std::size_t most = 200;
    const std::vector<ItemId> items = document.selection().items();
    if (items.size() < 2)
        return {};
    FactSection section{
        u"Selected"_s, counted(std::int64_t(items.size()), u"box"_s, u"boxes"_s), {}};
    for (const ItemId item : items) {
        if (section.facts.size() == most)
            break;
        const std::string_view name =
            item.isNode() ? document.graph()->node(item.node()).name()
                          : std::string_view(
                                document.picture().preparation()->tree().group(item.group()).path);
        section.facts.push_back({{}, plainText(name), {}, plainText(name), {}});
    }
    return {std::move(section)};
}

QString textOf(const FactSections& sections)
{
    QString text;
    for (const FactSection& section : sections) {
        text += section.title + u'\n';
        for (const Fact& fact : section.facts)
            text += fact.key + u'\t' + fact.value + u'\t' + fact.tip + u'\n';
    }
    return text;
}

} // namespace lapidary
