// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/models/node_facts.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class TargetPanel;

// Connects the choice of a target, the ops that are missing there, and the steps that help to the
// document of the current tab.
class TargetDock : public QObject {
    Q_OBJECT
public:
    explicit TargetDock(QObject* parent = nullptr);

    TargetPanel* panel() const { return m_panel; } // the caller adds it to the window
    void setDocument(Document* document);          // null: no file is open

signals:
    void itemRequested(lapidary::ItemId item); // select it and go there
    void actionRequested(const char* id);
    void factsChanged(); // targetFacts() has changed

private:
    void show();
    void showState();
    void choose(int number);
    void addRemedy(int number);

    QPointer<Document> m_document;
    TargetPanel* m_panel;
    TargetReportPtr m_shown;
};

// Returns the reason why a node cannot run on the chosen target; empty if it can, or none is
// chosen.
FactSections targetFacts(const Document& document, ItemId item);

} // namespace lapidary
