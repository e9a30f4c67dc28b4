// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/picture/graph_view.h"
#include "views/models/latest_job.h"
#include "views/models/problem_model.h"

#include <QObject>

namespace lapidary {

class DocumentWork;
class GraphChoice;
class OpenedFile;
class Picture;

// The problems of a file and of the graph that is shown. Each graph of the file is checked once,
// after its first picture.
class GraphCheck : public QObject {
    Q_OBJECT
public:
    enum class State { Pending, Done, Stopped };

    GraphCheck(DocumentWork& work, const OpenedFile& file, const GraphChoice& graphs,
               const Picture& picture, QObject* parent = nullptr);

    State state() const { return m_state; }
    // The problems that are known so far; the same pointer until there are others.
    ProblemsPtr problems() const;
    void reset(State state); // for another graph; emits nothing
    void start();            // if it is pending
    void stop();             // if it is pending

signals:
    void changed(); // the graph was checked, or the check was stopped

private:
    // The parts of the list; null: none.
    struct Sources {
        ProblemsPtr file;
        ProblemsPtr entry;
        ProblemsPtr found;
        GraphShapesPtr shapes;

        bool operator==(const Sources&) const = default;
    };

    Sources sources() const;
    ProblemsPtr listOf(const Sources& sources) const;
    void setState(State state);

    const OpenedFile& m_file;
    const GraphChoice& m_graphs;
    const Picture& m_picture;
    State m_state = State::Pending;
    ProblemsPtr m_found;
    mutable Sources m_sources; // of m_list
    mutable ProblemsPtr m_list = std::make_shared<Problems>();
    LatestJob m_job;
};

} // namespace lapidary
