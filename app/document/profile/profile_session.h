// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/base/open_shape.h"
#include "graph_model/scopes/prepared_scope.h"
#include "runner/profile/machine_peaks.h"
#include "runner/profile/profile_sums.h"
#include "runner/setup/profile_run.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace lapidary {

// The profile of a document's graph, measured by a run here or read from a file. It is kept when
// another version of the graph is shown; its rows are matched to that version by name.
class ProfileSession : public QObject {
    Q_OBJECT
public:
    explicit ProfileSession(QThreadPool* runPool = nullptr, QObject* parent = nullptr);

    void run(GraphEntry entry, std::string path, InterfaceChoice choice);
    // Opens a profile for the graph of setGraph(), as measure() does.
    void open(const std::filesystem::path& path);
    // Takes a profile that `work` measures in some other way; `title` is shown meanwhile.
    using Work = std::function<Result<NodeProfilePtr>(const Job&)>;
    void measure(Work work, QString title);
    void clear();
    void cancel(); // the previous profile is kept
    bool isBusy() const
    {
        return m_workJob.isRunning() || m_matchJob.isRunning() || m_peakJob.isRunning();
    }
    QString jobTitle() const;

    // Sets the graph to which rows are matched. `function`: the one whose body the graph is; empty
    // for a graph of the file.
    void setGraph(PreparationPtr preparation, std::string function);

    const NodeProfilePtr& profile() const { return m_profile; } // null: there is none
    // The graph that the profile is of.
    const GraphPtr& measuredGraph() const { return m_measuredGraph; }
    // Tells whether another state of the graph is shown than the one that was measured.
    bool isOfOther() const
    {
        return m_profile && m_function.empty() && m_measuredGraph != shownGraph();
    }
    // Null until the rows are matched to the graph of setGraph().
    const ProfileSumsPtr& sums() const { return m_sums; }
    // Returns the sums of the last run here if another profile is shown over the same graph; else
    // null.
    const ProfileSumsPtr& sumsHere() const { return m_sumsHere; }
    const QString& failure() const { return m_failure; } // of the last attempt; empty: none
    // The input whose sizes the last run needed; null if there is none.
    const std::shared_ptr<const OpenShape>& openShape() const { return m_openShape; }
    bool isMeasuredHere() const { return m_profile && m_profile == m_profileHere; }
    // Measures the peak performance of this machine, once; emits peaksMeasured() then.
    void wantPeaks();
    const std::optional<MachinePeaks>& peaks() const { return m_peaks; }

signals:
    void measured(); // there is a new profile
    void changed();  // other sums, or another failure
    void peaksMeasured();
    void busyChanged();
    void progressed(int permille);

private:
    using Asked = std::shared_ptr<OpenShape>;
    void start(Work work, QString title, GraphPtr graph, bool isHere, Asked asked = nullptr);
    void take(Result<NodeProfilePtr> profile, GraphPtr graph, bool isHere);
    void match();
    GraphPtr shownGraph() const;

    PreparationPtr m_preparation;
    std::string m_function;
    NodeProfilePtr m_profile;
    GraphPtr m_measuredGraph;
    ProfileSumsPtr m_sums;
    NodeProfilePtr m_profileHere; // the last one that was measured here
    ProfileSumsPtr m_sumsHere;
    QString m_failure;
    std::shared_ptr<const OpenShape> m_openShape;
    QString m_title;
    LatestJob m_workJob;
    std::optional<MachinePeaks> m_peaks;
    LatestJob m_matchJob;
    LatestJob m_peakJob;
};

} // namespace lapidary
