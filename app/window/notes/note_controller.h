// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QObject>
#include <QPointer>

#include <optional>

namespace lapidary {

class NotePanel;
struct WindowParts;

// Connects the notes of the current document to their list.
class NoteController : public QObject {
    Q_OBJECT
public:
    explicit NoteController(const WindowParts& parts);

    void show();
    bool isShown() const;
    void edit(); // the note of the selected box
    void toggleBookmark();
    bool hasSelected() const;

private:
    void setDocument(Document* document); // null: no file is open
    void showRows();
    void showSelected();
    void goTo(bool isScope, const QString& name);

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    std::optional<NoteSession::Place> m_selected; // the box whose note the panel shows
    NotePanel* m_panel;
};

} // namespace lapidary
