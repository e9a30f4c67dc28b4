// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace lapidary {

// The path of the selection: file or function, its scopes, its name. Each part is a button. A field
// at the right chooses among the graphs of a file.
class BreadcrumbBar : public QWidget {
    Q_OBJECT
public:
    explicit BreadcrumbBar(QWidget* parent = nullptr);

    // Sets the names of the graphs, from the file's own graph to the function body that is shown.
    // There is at least one.
    void setGraphs(const QStringList& path);
    void setItem(const GraphPtr& graph, const ScopeTreePtr& tree, ItemId item);
    // Sets the meta graphs and functions to choose from. The field is hidden if there are fewer
    // than two.
    void setEntries(const QStringList& titles, int current);

signals:
    void graphActivated(int depth); // 0: the file's own graph
    void itemActivated(lapidary::ItemId item);
    void entryChosen(int entry);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Crumb {
        QString text;
        QString tip;
        int depth = -1; // index of a graph
        ItemId item;
    };
    struct Shown {
        QToolButton* button = nullptr;
        QString text; // before it was elided
    };
    void rebuild();
    void addCrumb(const Crumb& crumb, bool isLast);
    void fit();

    QStringList m_path;
    std::vector<Crumb> m_items;
    std::vector<Shown> m_shown;
    QWidget* m_crumbs;
    QHBoxLayout* m_row;
    QComboBox* m_entries;
};

} // namespace lapidary
