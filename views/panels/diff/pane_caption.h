// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace lapidary {

// The line above one of several graphs that are compared: the graph's name, how much it differs,
// and a button that closes it.
class PaneCaption : public QWidget {
    Q_OBJECT
public:
    explicit PaneCaption(QWidget* parent = nullptr);

    void setName(const QString& name);
    const QString& name() const { return m_name; }
    void setRemark(const QString& text, const QString& tip = {}); // "12 differences"
    const QString& remark() const { return m_remarkText; }
    void setActive(bool isActive); // actions apply to this graph
    void setListed(bool isListed); // its differences are the ones in the list
    void setClosable(bool canClose);

signals:
    void chosen();
    void closeRequested();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void renewTexts();

    QString m_name;
    QString m_remarkText;
    QToolButton* m_title;
    QLabel* m_remark;
    QToolButton* m_close;
};

} // namespace lapidary
