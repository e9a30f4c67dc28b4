// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/models/node_facts.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class TargetPanel;

// Ties the choice of a target, what is missing there and what helps to the document of the current
// tab.
class TargetDock : public QObject {
    Q_OBJECT
public:
    explicit TargetDock(QObject* parent = nullptr);

    TargetPanel* panel() const { return m_panel; } // to be put somewhere
    void setDocument(Document* document);          // null: nothing is open

signals:
    void itemRequested(lapidary::ItemId item); // select it and go there
    void actionRequested(const char* id);
    void factsChanged(); // what targetFacts() says

private:
    void show();
    void showState();
    void choose(int number);
    void addRemedy(int number);

    QPointer<Document> m_document;
    TargetPanel* m_panel;
    TargetReportPtr m_shown;
};

// Why a node does not run on the chosen target; empty where it does, or none is chosen.
FactSections targetFacts(const Document& document, ItemId item);

} // namespace lapidary
