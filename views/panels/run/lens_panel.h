// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/verify_runs.h"

#include <QWidget>

#include <memory>
#include <optional>

class QDoubleSpinBox;
class QSortFilterProxyModel;

namespace lapidary {

class LensModel;
class PanelHead;
class PanelTable;
class RangeBar;

// The tensors of a changed graph beside those of the original, worst first.
class LensPanel : public QWidget {
    Q_OBJECT
public:
    explicit LensPanel(QWidget* parent = nullptr);

    void setFound(const std::shared_ptr<const Verification>& found); // null: nothing is compared
    void setRemark(const QString& text, bool isProblem);
    void setThreshold(double decibels);
    void setCurrent(std::size_t pair);
    std::optional<std::size_t> current() const; // pair
    RangeBar* range() const { return m_range; }

signals:
    void pairSelected(const QString& tensor); // of the changed graph
    void currentChanged();                    // pair, also by setCurrent() and setFound()
    void thresholdChosen(double decibels);
    void actionRequested(const char* id);

private:
    void buildHead();
    void buildTable();

    LensModel* m_model;
    QSortFilterProxyModel* m_sorted;
    PanelTable* m_table = nullptr;
    PanelHead* m_head = nullptr;
    RangeBar* m_range = nullptr;
    QDoubleSpinBox* m_threshold = nullptr;
    bool m_isFollowing = false; // the current row comes from outside
};

} // namespace lapidary
