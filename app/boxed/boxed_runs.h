// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"
#include "runner/setup/profile_run.h"
#include "transforms/accuracy/autopilot_task.h"
#include "transforms/accuracy/sensitivity.h"
#include "transforms/classify/observe_ranges.h"
#include "transforms/export/export_plan.h"
#include "transforms/verify/verify_graphs.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// From now on the functions below, and passes that compute constants (delegated_evaluation.h), run
// graphs in a sandboxed process of `program`, which is this one (serve_boxed.h); empty: in this
// process, without a sandbox. Must be called before threads start. A crash there is an error that
// names the node that ran, and a cancelled job ends the process.
void runGraphsWith(std::filesystem::path program);

// profileRun() of a graph that was read from `path`.
Result<NodeProfilePtr> profileBoxed(const GraphEntry& entry, const std::string& path,
                                    const InterfaceChoice& choice, const ProfileRunOptions& options,
                                    const Job& job);

// Two graphs of one file, which are to compute the same.
struct VerifyTask {
    const GraphEntry& entry; // of the first
    GraphPtr other;
    std::string path; // the file's
    VerifyPlan plan;
};
// verifyGraphs().
Result<Verification> verifyBoxed(const VerifyTask& task, const Job& job);

// runCheckedExport().
Result<ExportReport> exportBoxed(const GraphEntry& entry, const std::string& path,
                                 const ExportPlan& plan, const Job& job);

// evaluateFolder() of a graph that was read from `path`. `hear` is called in the calling thread.
Result<FolderEvaluation> classifyBoxed(const GraphEntry& entry, const std::string& path,
                                       const EvaluateTask& task, const HearScore& hear,
                                       const Job& job);

// observeRanges() of a graph that was read from `path`.
Result<RangeObservation> observeBoxed(const GraphEntry& entry, const std::string& path,
                                      const std::string& images, const ClassifyPlan& plan,
                                      const RangeChoice& choice, const Job& job);

// measureSensitivity() of a graph that was read from `path`.
Result<Sensitivity> sensitivityBoxed(const GraphEntry& entry, const std::string& path,
                                     const SensitivityTask& task, const Job& job);

// runAutopilotTask(); points come without their files. `hear` is called in the calling thread, and
// has heard of every point when the job is cancelled.
Result<Autopilot> autopilotBoxed(const GraphEntry& entry, const std::string& path,
                                 const AutopilotTask& task, const HearAutopilot& hear,
                                 const Job& job);

// Returns which restrictions this system cannot impose on such a process, in a sentence; empty:
// none.
std::string sandboxGaps();

} // namespace lapidary
