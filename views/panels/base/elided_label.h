// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace lapidary {

// One line of plain text that is elided if it does not fit, so that a name keeps its last parts;
// the whole text is its tooltip. The context menu copies it.
class ElidedLabel : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text WRITE setText)
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    const QString& text() const { return m_text; }
    void setText(const QString& text);
    void setMuted(bool isMuted);
    void setBold(bool isBold);
    void setAlignment(Qt::Alignment alignment);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QString m_text;
    Qt::Alignment m_alignment = Qt::AlignLeft;
    bool m_isMuted = false;
};

} // namespace lapidary
