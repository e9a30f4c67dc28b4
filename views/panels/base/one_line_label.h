// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace lapidary {

// A label of plain, muted text that may be narrower than its text. The text is elided at its end,
// or at its beginning if it is a name; wrapped text, at the end of its last line that fits.
class OneLineLabel : public QLabel {
    Q_OBJECT
public:
    explicit OneLineLabel(QWidget* parent = nullptr);

    // Wraps the text into two lines; the height does not depend on the text.
    void wrapIntoTwo();
    bool hasHeightForWidth() const override { return false; } // even if it wraps its text

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString wrapped(const QRect& room) const;
};

} // namespace lapidary
