// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class LensPanel;
struct WindowParts;

// Ties the comparison of the current document's numbers with those of the original to its table.
class LensController : public QObject {
    Q_OBJECT
public:
    explicit LensController(const WindowParts& parts);

    void show();
    bool isShown() const;
    void goToNext(); // tensor below the threshold

private:
    void setDocument(Document* document); // null: nothing is open
    void showFound();
    void select(const std::string& tensor); // of the changed graph

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    LensPanel* m_panel;
};

} // namespace lapidary
