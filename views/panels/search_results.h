// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/search_model.h"

#include <QFrame>

class QLabel;
class QTreeView;

namespace lapidary {

// The hits of the running search, one row for each; the list floats below the search field.
class SearchResults : public QFrame {
    Q_OBJECT
public:
    explicit SearchResults(QWidget* parent = nullptr);

    void setAnswer(const SearchIndexPtr& index, const ScopeTreePtr& tree,
                   const SearchAnswer& answer);
    void setCurrent(int number);
    void showNote(const QString& note);
    const SearchModel& hits() const { return *m_model; }
    QTreeView* tree() const { return m_tree; }
    QSize sizeHint() const override;

signals:
    void hitChosen(int number);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();

    SearchModel* m_model;
    QLabel* m_note;
    QTreeView* m_tree;
};

} // namespace lapidary
