// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"
#include "graph_model/graph/graph.h"
#include "views/canvas/paint/picture_state.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace lapidary {

class DocumentWork;
class InterfaceSession;
class Picture;

// The items that are not dimmed in a picture: a trace, else what the chosen interface keeps.
class Highlight : public QObject {
    Q_OBJECT
public:
    Highlight(DocumentWork& work, const Picture& picture, const InterfaceSession& interface,
              QObject* parent = nullptr);

    ItemSetPtr items() const; // null: all items
    void traceUp(const std::vector<NodeId>& from);
    void traceDown(const std::vector<NodeId>& from);
    void tracePaths(NodeId a, NodeId b);
    // Sets one end of the paths that tracePathsTo() shows.
    void startPath(NodeId node);
    NodeId pathStart() const; // invalid: none is set in the graph that is shown
    void tracePathsTo(NodeId node) { tracePaths(pathStart(), node); }
    void clearTrace();
    void forgetTrace(); // the trace of a graph that is no longer shown; emits nothing

signals:
    void changed();

private:
    void trace(std::function<Result<std::vector<bool>>(const Job&)> work, QString title);

    DocumentWork& m_work;
    const Picture& m_picture;
    const InterfaceSession& m_interface;
    ItemSetPtr m_trace;
    NodeId m_pathStart;
    GraphPtr m_pathGraph; // the graph of m_pathStart
    LatestJob m_job;
};

} // namespace lapidary
