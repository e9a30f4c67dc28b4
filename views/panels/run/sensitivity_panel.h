// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/sensitivity_model.h"

#include <QWidget>

class QComboBox;
class QPushButton;
class QSortFilterProxyModel;

namespace lapidary {

class PanelHead;
class PanelTable;

// How much noise each layer makes when it alone is stored in fewer bits, the worst first.
class SensitivityPanel : public QWidget {
    Q_OBJECT
public:
    explicit SensitivityPanel(QWidget* parent = nullptr);

    void setFound(const SensitivityPtr& found); // null: nothing is measured
    void setRemark(const QString& text, bool isProblem);
    void setCanRun(bool canRun);
    LayerForm form() const;
    void setForm(LayerForm form);
    void setCurrent(std::size_t layer);

signals:
    void layerSelected(std::size_t layer);
    void actionRequested(const char* id);

private:
    void buildHead();
    void buildTable();

    SensitivityModel* m_model;
    QSortFilterProxyModel* m_sorted;
    PanelTable* m_table = nullptr;
    PanelHead* m_head = nullptr;
    QComboBox* m_form = nullptr;
    QPushButton* m_run = nullptr;
    bool m_isFollowing = false; // the current row comes from outside
};

} // namespace lapidary
