// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"
#include "views/models/latest_job.h"

#include <QObject>

namespace lapidary {

class DocumentWork;
class GraphChoice;
class OpenedFile;
class Picture;

// Describes what is wrong with a file and the graph that is shown. Each graph of the file is
// checked once, when its first picture is there.
class GraphCheck : public QObject {
    Q_OBJECT
public:
    enum class State { Pending, Done, Stopped };

    GraphCheck(DocumentWork& work, const OpenedFile& file, const GraphChoice& graphs,
               const Picture& picture, QObject* parent = nullptr);

    State state() const { return m_state; }
    Problems problems() const; // as far as known
    void reset(State state);   // for another graph; says nothing
    void start();              // where it is pending
    void stop();               // where it is pending

signals:
    void changed(); // the graph was checked, or will not be

private:
    void setState(State state);

    const OpenedFile& m_file;
    const GraphChoice& m_graphs;
    const Picture& m_picture;
    State m_state = State::Pending;
    Problems m_found;
    LatestJob m_job;
};

} // namespace lapidary
