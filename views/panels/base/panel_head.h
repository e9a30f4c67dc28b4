// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace lapidary {

// The line over a table: what is to be said of it, and buttons that ask for actions.
class PanelHead : public QWidget {
    Q_OBJECT
public:
    // `remark`: the name of the label.
    explicit PanelHead(const QString& remark, QWidget* parent = nullptr);

    void setRemark(const QString& text, bool isProblem);
    void wrapRemark();        // in two lines, whatever it says
    void add(QWidget* field); // after the existing fields
    bool hasHeightForWidth() const override { return false; }
    // `purpose`: for screen readers, and its tip.
    QComboBox* addChoice(const QString& name, const QString& purpose);
    QPushButton* addButton(const QString& name, const QString& text, const QString& tip,
                           const char* action);

signals:
    void actionRequested(const char* id);

private:
    QHBoxLayout* m_row;
    QLabel* m_remark;
};

} // namespace lapidary
