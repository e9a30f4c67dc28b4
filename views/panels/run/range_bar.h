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

// The range of one quantized tensor, which may be changed: each change requests a trial.
class RangeBar : public QWidget {
    Q_OBJECT
public:
    explicit RangeBar(QWidget* parent = nullptr);

    // Shows another tensor; empty: no tensor with a range is chosen. Without `range`, its range is
    // not known.
    void setNode(const QString& node, std::optional<std::pair<float, float>> range);
    const QString& node() const { return m_node; }
    // Shows the range of a trial, which may not have come from these fields.
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
    std::optional<std::pair<float, float>> m_known; // in the graph
    std::optional<std::pair<float, float>> m_sent;  // or the range shown at first
    QLabel* m_title;
    QLineEdit* m_min;
    QLineEdit* m_max;
    QLabel* m_result;
    QPushButton* m_keep;
    QTimer m_delay; // runs while the user types
};

} // namespace lapidary
