// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableView>

namespace lapidary {

class ConfusionModel;

// The cells of a confusion matrix, filled by their share of the row: right answers in the accent
// color, wrong ones in the color of problems.
class ConfusionView : public QTableView {
    Q_OBJECT
public:
    explicit ConfusionView(ConfusionModel& model, QWidget* parent = nullptr);

    int usualWidth() const; // enough for every class with the beginning of its name

signals:
    void cellChosen(const QModelIndex& cell);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
};

} // namespace lapidary
