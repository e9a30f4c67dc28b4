// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/picture/graph_view.h"
#include "graph_model/explore/search_index.h"
#include "graph_model/scopes/prepared_scope.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

namespace lapidary {

// The search of one document: keeps the index of the shown graph, answers the newest query, and
// steps through its hits. A query may be the message of a program that could not load the graph;
// then the hits are the nodes that the message is about.
class SearchSession : public QObject {
    Q_OBJECT
public:
    explicit SearchSession(QObject* parent = nullptr);

    // `shapes` may be null; then the search uses the shapes that the file declares.
    void setGraph(PreparationPtr preparation, GraphShapesPtr shapes);
    void setQuery(const QString& query);
    const QString& query() const { return m_query; }

    const SearchAnswer& answer() const { return m_answer; }
    const SearchIndexPtr& index() const { return m_index; } // null before the first answer
    int current() const { return m_current; }               // -1: no hit is current
    NodeId currentNode() const;
    // Goes `by` hits forward or back in the order of the list; wraps around.
    void step(int by);
    void setCurrent(int number);
    bool isBusy() const { return m_job.isRunning(); }

signals:
    void answered();       // the answer is new; current is -1
    void currentChanged(); // the view should go there
    void failed(const QString& why);
    void busyChanged();

private:
    void ask();

    PreparationPtr m_preparation;
    GraphShapesPtr m_shapes;
    SearchIndexPtr m_index;
    QString m_query;
    SearchAnswer m_answer;
    int m_current = -1;
    LatestJob m_job;
};

// Returns the facts about a node's tensors that the search may use; `shapes` may be null.
SearchFacts searchFacts(const Graph& graph, const InferredShapes* shapes, NodeId id);

} // namespace lapidary
