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

// The user's wishes for a search, as they were typed.
struct AutopilotChoice {
    std::string budget;            // "size=3.7x", "gzip=1MB"; empty: as small as it can be
    std::string accuracy = "0.5%"; // of answers that may be lost, or "30 dB"
    int seconds = 60;
    int seed = 1;
    std::string kept; // layers that stay in float, with blanks between

    bool operator==(const AutopilotChoice&) const = default;
};

// The files that the autopilot builds of a document's graph, as they come, and the one of them that
// is looked at.
class AutopilotSession : public QObject {
    Q_OBJECT
public:
    explicit AutopilotSession(QThreadPool* pool, QObject* parent = nullptr);

    const AutopilotChoice& choice() const { return m_choice; }
    void setChoice(AutopilotChoice choice); // what was found stays until the next search

    // The start of a search: the graph after the first `steps` items of the recipe.
    struct Start {
        GraphEntry entry;
        std::string path; // of the model, for its variables and files
        std::size_t steps = 0;
    };
    void search(Start start, AutopilotTask task);
    void refuse(const QString& why); // nothing can be searched
    void cancel();                   // the points that were found stay

    bool isBusy() const { return m_job.isRunning(); }
    // The result so far, also while the search goes on; null before the first search. Its points
    // have no files.
    const std::shared_ptr<const Autopilot>& found() const { return m_found; }
    const AutopilotOptions& limits() const { return m_limits; }
    const GraphPtr& graph() const { return m_graph; } // that is searched
    std::size_t steps() const { return m_steps; }
    const QString& failure() const { return m_failure; } // of the last search; empty: none
    // The point that is looked at: the one that was chosen, until the user looks at another.
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
    struct Heard; // what a search told, read here
    void takeHeard();
    void take(Autopilot found);

    AutopilotChoice m_choice;
    AutopilotTask m_task;
    AutopilotOptions m_limits;
    GraphPtr m_graph;
    std::size_t m_steps = 0;
    std::shared_ptr<Heard> m_heard; // null: no search goes on
    std::shared_ptr<const Autopilot> m_found;
    Recipe m_current; // of the point that the user looks at; empty: of the chosen one
    QString m_failure;
    LatestJob m_job;
};

} // namespace lapidary
