// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

namespace lapidary {

// A choice between names. That of the current one is shortened to the room that there is, so that
// what differs from its neighbors stays.
class ElidedChoice : public QComboBox {
    Q_OBJECT
public:
    using QComboBox::QComboBox;
    QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lapidary
