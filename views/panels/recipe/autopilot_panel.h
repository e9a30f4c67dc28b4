// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/recipe/front_view.h"

#include <QWidget>

class QPushButton;
class QToolButton;

namespace lapidary {

class AutopilotForm;
class PanelHead;
class PointLayerModel;
class SortedTable;

// The form of the autopilot, the files that it built, and the layers of one of
// them.
class AutopilotPanel : public QWidget {
    Q_OBJECT
public:
    explicit AutopilotPanel(QWidget* parent = nullptr);

    AutopilotForm& form() const { return *m_form; }
    FrontView& front() const { return *m_front; }
    void setFound(const AutopilotPtr& found, const AutopilotOptions& limits); // null: no search
    void setCurrent(std::optional<std::size_t> point); // the file whose layers are listed
    void setRemark(const QString& text, bool isProblem);
    void setSearching(bool isSearching, const QString& obstacle); // `obstacle`: why no search can
                                                                  // begin; empty: it can
    void setCanUse(bool canUse, bool isUsed);
    void edit(); // gives the form the focus

signals:
    void actionRequested(const char* id);
    void layerChosen(const QString& layer); // its name in the graph with folded normalizations

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildWishes();
    void setUpLayers();
    QWidget* buildButtons();
    QPushButton* addButton(QWidget* row, const QString& name, const QString& text,
                           const QString& tip, const char* action);
    void arrange(); // the plot and the table side by side, or only one of them if both do not fit

    AutopilotPtr m_found;
    AutopilotForm* m_form;
    FrontView* m_front;
    PointLayerModel* m_model;
    SortedTable* m_table;
    PanelHead* m_head;
    QToolButton* m_layers = nullptr; // shows the table instead of the plot
    QPushButton* m_use = nullptr;
    QPushButton* m_compare = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_search = nullptr;
};

} // namespace lapidary
