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

FactSections noteFacts(const Document& document)
{
    const ItemId item = document.selection().item();
    const PreparationPtr& preparation = document.picture().preparation();
    if (!item.isValid() || !preparation || preparation->sharedGraph() != document.graph())
        return {};
    const NoteSession::Place place{
        !item.isNode(), item.isNode() ? std::string(document.graph()->node(item.node()).name())
                                      : preparation->tree().group(item.group()).path};
    const Note note = document.notes().noteOf(place);
    if (note.isEmpty())
        return {};
    const QString text = plainText(note.text);
    return {{u"Note"_s,
             note.isBookmark ? u"\u2605 bookmark"_s : QString(),
             {{{}, text, {}, text, {}}}}};
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
