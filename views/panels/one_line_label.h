// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace lapidary {

// A label of plain, muted text that may be narrower than its text: the end is elided, never cut.
class OneLineLabel : public QLabel {
    Q_OBJECT
public:
    explicit OneLineLabel(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lapidary
