// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class DeltaPanel;
struct WindowParts;

// Connects the comparison of two profiles of the current document to its table.
class DeltaController : public QObject {
    Q_OBJECT
public:
    explicit DeltaController(const WindowParts& parts);

    void show();
    bool isShown() const;
    void keep(); // keeps the profile that is shown

private:
    void setDocument(Document* document); // null: no file is open
    void showDelta();
    void select(const QString& name);

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    DeltaPanel* m_panel;
};

} // namespace lapidary
