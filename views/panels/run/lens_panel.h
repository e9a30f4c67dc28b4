// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/verify_runs.h"
#include "views/panels/base/headed_panel.h"

#include <memory>
#include <optional>

class QDoubleSpinBox;

namespace lapidary {

class LensModel;
class RangeBar;
class SortedTable;

// The tensors of a changed graph compared with those of the original, worst first.
class LensPanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit LensPanel(QWidget* parent = nullptr);

    void setFound(const std::shared_ptr<const Verification>& found); // null: no comparison
    void setThreshold(double decibels);
    void setCurrent(std::size_t pair);
    std::optional<std::size_t> current() const; // pair
    RangeBar* range() const { return m_range; }

signals:
    void pairSelected(const QString& tensor); // of the changed graph
    void currentChanged();                    // pair, also by setCurrent() and setFound()
    void thresholdChosen(double decibels);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead();
    void setUpTable();
    void fitColumns();

    LensModel* m_model;
    SortedTable* m_table;
    RangeBar* m_range;
    QDoubleSpinBox* m_threshold = nullptr;
};

} // namespace lapidary
