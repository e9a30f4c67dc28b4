// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace lapidary {

// A label of plain, muted text that may be narrower than its text. The text is elided at its end,
// or at its beginning if it is a name.
class OneLineLabel : public QLabel {
    Q_OBJECT
public:
    explicit OneLineLabel(QWidget* parent = nullptr);

    bool hasHeightForWidth() const override
    {
        return false;
    } // even if it wraps its text into a few lines

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lapidary
