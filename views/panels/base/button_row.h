// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBoxLayout>
#include <QWidget>

namespace lapidary {

// Buttons or fields side by side, or one below the other if the row is too narrow for their
// texts.
class ButtonRow : public QWidget {
    Q_OBJECT
public:
    explicit ButtonRow(QWidget* parent = nullptr);

    void addButton(QWidget* button, int stretch = 0);
    void addStretch();
    QSize minimumSizeHint() const override; // the width of the widest button

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int widthBeside() const;
    void arrange();

    QBoxLayout* m_row;
};

} // namespace lapidary
