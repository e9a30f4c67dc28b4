// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointer>
#include <QWidget>

namespace lapidary {

// The page of one table. The table becomes its child when it is first shown: until then no style is
// computed for it, neither when the window opens nor when the theme changes.
class TablePage : public QWidget {
    Q_OBJECT
public:
    // Takes ownership of the table, which must not have a parent.
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
