// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace lapidary {

// A row that asks for the sizes of an input that leaves some open, with a proposal. Hidden while
// there is no question.
class ShapeQuestion : public QWidget {
    Q_OBJECT
public:
    // `name` begins the object names of the field ("nameShape") and the button
    // ("nameRunWithShape").
    explicit ShapeQuestion(const QString& name, QWidget* parent = nullptr);

    // Asks for the sizes of a tensor; an empty one hides the row. Text typed for the same tensor is
    // kept.
    void ask(const QString& tensor, const QString& proposed);
    bool isAsking() const { return !m_tensor.isEmpty(); }

signals:
    void given(const QString& tensor, const QString& shape); // as it was typed

private:
    QString m_tensor;
    QLabel* m_label;
    QLineEdit* m_shape;
};

} // namespace lapidary
