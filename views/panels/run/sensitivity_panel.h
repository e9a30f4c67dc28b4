// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/sensitivity_model.h"
#include "views/panels/base/headed_panel.h"

class QComboBox;
class QPushButton;

namespace lapidary {

class SortedTable;

// The noise that each layer makes if only that layer is stored in fewer bits, the worst first.
class SensitivityPanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit SensitivityPanel(QWidget* parent = nullptr);

    void setFound(const SensitivityPtr& found); // null: no measurement
    void setObstacle(const QString& why);       // why nothing can be run; empty: it can
    LayerForm form() const;
    void setForm(LayerForm form);
    void setCurrent(std::size_t layer);

signals:
    void layerSelected(std::size_t layer);

private:
    void buildHead();
    void setUpTable();

    SensitivityModel* m_model;
    SortedTable* m_table;
    QComboBox* m_form = nullptr;
    QPushButton* m_run = nullptr;
};

} // namespace lapidary
