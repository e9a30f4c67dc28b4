// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace lapidary {

// A label of plain, muted text that may be narrower than its text: the end is elided, or of a
// name the beginning, never cut.
class OneLineLabel : public QLabel {
    Q_OBJECT
public:
    explicit OneLineLabel(QWidget* parent = nullptr);

    bool hasHeightForWidth() const override
    {
        return false;
    } // also of a few lines that are wrapped

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lapidary
