// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// The user's note on a box.
struct Note {
    std::string text;
    bool isBookmark = false;

    bool isEmpty() const { return text.empty() && !isBookmark; }
    bool operator==(const Note&) const = default;
};

// Notes and bookmarks of one graph. They belong to names, and so apply to every state that has the
// node or the scope.
class NoteSession : public QObject {
    Q_OBJECT
public:
    struct Place {
        bool isScope = false;
        std::string name; // of the node, or the path of the scope

        auto operator<=>(const Place&) const = default;
    };
    using QObject::QObject;

    const std::map<Place, Note>& notes() const { return m_notes; }
    Note noteOf(const Place& place) const; // an empty one if there is none
    void setText(const Place& place, std::string text);
    void setBookmark(const Place& place, bool isBookmark);

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state); // replaces all notes

signals:
    void changed();

private:
    void set(const Place& place, Note note);

    std::map<Place, Note> m_notes; // none of them is empty
};

} // namespace lapidary
