// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot_task.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// The user's choices for a search, as they were typed.
struct AutopilotChoice {
    std::string budget;            // "size=3.7x", "gzip=1MB"; empty: as small as possible
    std::string accuracy = "0.5%"; // share of answers that may be lost, or "30 dB"
    int seconds = 60;
    int seed = 1;
    std::string kept; // layers that stay in float, separated by blanks

    bool operator==(const AutopilotChoice&) const = default;
};

// The files that the autopilot has built from a document's graph so far, and the one of them that
// the user looks at.
class AutopilotSession : public QObject {
    Q_OBJECT
public:
    explicit AutopilotSession(QThreadPool* pool, QObject* parent = nullptr);

    const AutopilotChoice& choice() const { return m_choice; }
    void setChoice(AutopilotChoice choice); // the results are kept until the next search

    // The start of a search: the graph after the first `steps` items of the recipe.
    struct Start {
        GraphEntry entry;
        std::string path; // of the model, for its variables and files
        std::size_t steps = 0;
    };
    void search(Start start, AutopilotTask task);
    void refuse(const QString& why); // shows the reason why nothing can be searched
    void cancel();                   // keeps the points found so far

    bool isBusy() const { return m_job.isRunning(); }
    // The result so far, also while the search goes on; null before the first search. Its points
    // have no files.
    const std::shared_ptr<const Autopilot>& found() const { return m_found; }
    const AutopilotOptions& limits() const { return m_limits; }
    const GraphPtr& graph() const { return m_graph; } // the graph that is searched
    std::size_t steps() const { return m_steps; }
    const QString& failure() const { return m_failure; } // of the last search; empty: none
    // The index of the point that is looked at: the chosen one, until the user looks at another.
    std::optional<std::size_t> current() const;
    void setCurrent(std::size_t point);

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);

signals:
    void changed();
    void choiceChanged();
    void busyChanged();
    void progressed(int permille);

private:
    struct Heard; // what a running search reported, read on this thread
    void takeHeard();
    void take(Autopilot found);

    AutopilotChoice m_choice;
    AutopilotTask m_task;
    AutopilotOptions m_limits;
    GraphPtr m_graph;
    std::size_t m_steps = 0;
    std::shared_ptr<Heard> m_heard; // null: no search is running
    std::shared_ptr<const Autopilot> m_found;
    Recipe m_current; // of the point that the user looks at; empty: the chosen point is shown
    QString m_failure;
    LatestJob m_job;
};

} // namespace lapidary
