// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/diff/diff_session.h"
#include "views/models/node_facts.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class DifferencePanel;
class Document;

// Connects the list of differences to the comparison of the current tab.
class DifferenceDock : public QObject {
    Q_OBJECT
public:
    explicit DifferenceDock(QObject* parent = nullptr);

    DifferencePanel* panel() const { return m_panel; }
    void setSession(DiffSession* session); // null: no comparison
    // Returns the differences at an item of one of the two documents.
    FactSections facts(const Document& document, ItemId item) const;

signals:
    void factsChanged();

private:
    void showList();

    QPointer<DiffSession> m_session;
    DifferencePanel* m_panel;
};

} // namespace lapidary
