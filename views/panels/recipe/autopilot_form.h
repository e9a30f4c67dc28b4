// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace lapidary {

// The content of the form.
struct AutopilotFields {
    enum class Goal { Smallest, File, Compressed, Fast };

    Goal goal = Goal::Smallest;
    QString size = QStringLiteral("3.7x");     // "3.7x", "1.2MB"; for Goal::Fast, "2x", "5ms"
    QString accuracy = QStringLiteral("0.5%"); // share of answers that may be lost, or "30 dB"
    int seconds = 60;
    int seed = 1;
    QString kept; // names of layers, separated by blanks
    QString images;
    QString labels;

    bool operator==(const AutopilotFields&) const = default;
};

// The fields for the goal of a search, its limits, and the pictures that it judges files by.
class AutopilotForm : public QWidget {
    Q_OBJECT
public:
    explicit AutopilotForm(QWidget* parent = nullptr);

    void setFields(const AutopilotFields& fields);
    const AutopilotFields& fields() const { return m_fields; }

signals:
    void edited();
    void imagesRequested(); // the user wants to choose them
    void labelsRequested();

private:
    void addRow(QGridLayout& grid, const QString& title, QWidget* field, QWidget* beside);
    QLineEdit* addText(const QString& name, const QString& title, const QString& tip);
    QSpinBox* addNumber(const QString& name, const QString& title, const QString& tip);
    QWidget* addButton(QLineEdit* field, void (AutopilotForm::*wish)());
    void take();

    AutopilotFields m_fields;
    QComboBox* m_goal;
    QLineEdit* m_size;
    QLineEdit* m_accuracy;
    QSpinBox* m_seconds;
    QSpinBox* m_seed;
    QLineEdit* m_kept;
    QLineEdit* m_images;
    QLineEdit* m_labels;
};

} // namespace lapidary
