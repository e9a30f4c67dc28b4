// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTimer>
#include <QWidget>

#include <optional>
#include <utility>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lapidary {

// The range of one quantized tensor, which may be changed: each change asks for a trial.
class RangeBar : public QWidget {
    Q_OBJECT
public:
    explicit RangeBar(QWidget* parent = nullptr);

    // Shows another tensor; empty: none has a range. Without a value in `range` it is unknown.
    void setNode(const QString& node, std::optional<std::pair<float, float>> range);
    const QString& node() const { return m_node; }
    // The range of a trial that did not come from these fields.
    void setTried(float min, float max);
    void setResult(const QString& text, bool isProblem);
    void setCanKeep(bool canKeep);
    void edit(); // gives the first field the focus

signals:
    void tried(float min, float max);
    void actionRequested(const char* id);

private:
    QLineEdit* addField(const QString& name, const QString& title);
    void fill(std::pair<float, float> range);
    void send();

    QString m_node;
    std::optional<std::pair<float, float>> m_known; // of the graph
    std::optional<std::pair<float, float>> m_sent;  // or shown at first
    QLabel* m_title;
    QLineEdit* m_min;
    QLineEdit* m_max;
    QLabel* m_result;
    QPushButton* m_keep;
    QTimer m_delay; // while one types
};

} // namespace lapidary
