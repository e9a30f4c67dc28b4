// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <QObject>
#include <QString>

namespace lapidary {

class ComparedViews;
class DocumentView;
struct ComparedDocument;
struct WindowParts;
struct WorkPools;

// Shows several graphs in one tab, and the differences between them.
class Comparison : public QObject {
    Q_OBJECT
public:
    Comparison(const WindowParts& parts, WorkPools& pools, QObject* parent = nullptr);

    ComparedViews* views() const; // of the current tab; null: no comparison
    // Compares with another model; if `isAdded`, beside the graphs that are already compared.
    void withFile(const QString& path, bool isAdded = false);
    void withNextTab();
    // Compares with another version of the current tab's graph, which does not change later.
    void withGraph(GraphPtr graph, const QString& name, bool isBefore, bool isAdded = false);
    void closePane(DocumentView* guest);
    void end();
    void showActiveSide(); // shows the side that the user acts on in the panels

private:
    void with(ComparedDocument other);
    void switchList();

    const WindowParts& m_parts;
    WorkPools& m_pools;
};

} // namespace lapidary
