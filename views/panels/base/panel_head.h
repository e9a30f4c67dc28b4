// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace lapidary {

class OneLineLabel;

// The line above a table: a remark, and buttons that request actions.
class PanelHead : public QWidget {
    Q_OBJECT
public:
    // `remark`: the object name of the label.
    explicit PanelHead(const QString& remark, QWidget* parent = nullptr);

    void setRemark(const QString& text, bool isProblem);
    void wrapRemark();        // into two lines; the height does not depend on the text
    void add(QWidget* field); // after the existing fields
    bool hasHeightForWidth() const override { return false; }
    // `purpose`: the tip, which screen readers read too.
    QComboBox* addChoice(const QString& name, const QString& purpose);
    QPushButton* addButton(const QString& name, const QString& text, const QString& tip,
                           const char* action);

signals:
    void actionRequested(const char* id);

private:
    QHBoxLayout* m_row;
    OneLineLabel* m_remark;
};

} // namespace lapidary
