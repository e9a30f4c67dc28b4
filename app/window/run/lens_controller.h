// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QObject>
#include <QPointer>

#include <optional>
#include <string>

namespace lapidary {

class LensPanel;
struct WindowParts;

// Connects the comparison of the current document's numbers with those of the original to its
// table.
class LensController : public QObject {
    Q_OBJECT
public:
    explicit LensController(const WindowParts& parts);

    void show();
    bool isShown() const;
    void goToNext(); // to the next tensor below the threshold
    // Moves the focus to the range of the tensor that is chosen in the table, or whose node is
    // selected.
    void editRange();
    bool canEditRange() const;
    // Tries a range of a node; the error tells why it cannot be tried.
    Status tryRange(const std::string& node, float min, float max);
    void keepRange(); // and compares again

private:
    void setDocument(Document* document); // null: no file is open
    void showFound();
    void select(const std::string& tensor); // in the changed graph
    void showRange();
    void showTrial();
    void compareAgain();
    std::optional<std::size_t> roundedAt(ItemId item) const;

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    LensPanel* m_panel;
    bool m_comparesAgain = false; // once the state with the kept range is shown
};

} // namespace lapidary
