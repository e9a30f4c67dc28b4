// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/models/node_facts.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class ProfilePanel;

// Connects the profile's table to the document of the current tab.
class ProfileDock : public QObject {
    Q_OBJECT
public:
    explicit ProfileDock(QObject* parent = nullptr);

    ProfilePanel* panel() const { return m_panel; } // the caller adds it to the window
    void setDocument(Document* document);           // null: no file is open

signals:
    void itemRequested(lapidary::ItemId item); // select it and go there
    void actionRequested(const char* id);
    void profileShown(); // a new one: the table should be shown
    void factsChanged(); // profileFacts() has changed
    void heightWanted(int least);

private:
    void showProfile();
    void runWithShape(const QString& tensor, const QString& text);
    void showState();
    void showSelection();
    void showRoofline();

    QPointer<Document> m_document;
    ProfilePanel* m_panel;
    ProfileSumsPtr m_shown;
};

// Returns the profile's figures for an item: time, share, operations, memory. Empty if it was not
// measured.
FactSections profileFacts(const Document& document, ItemId item);

} // namespace lapidary
