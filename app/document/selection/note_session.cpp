// SPDX-License-Identifier: Apache-2.0
#include "app/document/selection/note_session.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

Note NoteSession::noteOf(const Place& place) const
{
    const auto found = m_notes.find(place);
    return found != m_notes.end() ? found->second : Note();
}

void NoteSession::setText(const Place& place, std::string text)
{
    Note note = noteOf(place);
    note.text = std::move(text);
    set(place, std::move(note));
}

void NoteSession::setBookmark(const Place& place, bool isBookmark)
{
    Note note = noteOf(place);
    note.isBookmark = isBookmark;
    set(place, std::move(note));
}

void NoteSession::set(const Place& place, Note note)
{
    if (note == noteOf(place))
        return;
    if (note.isEmpty())
        m_notes.erase(place);
    else
        m_notes[place] = std::move(note);
    emit changed();
}

nlohmann::json NoteSession::remembered() const
{
    if (m_notes.empty())
        return {};
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [place, note] : m_notes)
        list.push_back({{place.isScope ? "scope" : "node", place.name},
                        {"text", note.text},
                        {"bookmark", note.isBookmark}});
    return list;
}

void NoteSession::restore(const nlohmann::json& state)
{
    std::map<Place, Note> notes;
    if (state.is_array())
        for (const nlohmann::json& one : state) {
            const auto text = [&](const char* key) {
                const auto found = one.is_object() ? one.find(key) : one.end();
                return found != one.end() && found->is_string() ? found->get<std::string>()
                                                                : std::string();
            };
            const std::string scope = text("scope");
            const Place place{!scope.empty(), scope.empty() ? text("node") : scope};
            Note note{text("text"), false};
            if (const auto found = one.is_object() ? one.find("bookmark") : one.end();
                found != one.end() && found->is_boolean())
                note.isBookmark = found->get<bool>();
            if (!place.name.empty() && !note.isEmpty())
                notes[place] = std::move(note);
        }
    if (notes == m_notes)
        return;
    m_notes = std::move(notes);
    emit changed();
}

} // namespace lapidary
