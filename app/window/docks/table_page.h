// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointer>
#include <QWidget>

namespace lapidary {

// The page of a table among others. The table joins the window when it is first seen: until then
// no style is worked out for it, neither as the window opens nor when the theme changes.
class TablePage : public QWidget {
    Q_OBJECT
public:
    // Takes the table over, which has no parent.
    TablePage(QWidget* table, const QString& title, QWidget* parent = nullptr);
    ~TablePage() override;

    const QWidget* table() const { return m_table; }
    void place();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QPointer<QWidget> m_table;
    bool m_isPlaced = false;
};

} // namespace lapidary
