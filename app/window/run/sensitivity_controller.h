// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class SensitivityPanel;
struct WindowParts;

// Connects the noise that layers of the current document's graph make to its table.
class SensitivityController : public QObject {
    Q_OBJECT
public:
    explicit SensitivityController(const WindowParts& parts);

    void show();
    bool isShown() const;
    QString whyNotRun() const; // and what to do; empty: it can be run
    bool canRun() const;
    void measure(); // in the chosen form
    void setForm(LayerForm form);
    bool hasFound() const;
    void goToNext(); // to the next layer, the worst first

private:
    void setDocument(Document* document); // null: no file is open
    void showFound();
    void goTo(std::size_t layer);

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    SensitivityPanel* m_panel;
};

} // namespace lapidary
