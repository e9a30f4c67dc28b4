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

// From now on, the functions below, and passes that compute constants (delegated_evaluation.h), run
// graphs in a sandboxed process of `program`, which is this program (serve_boxed.h); if it is
// empty, in this process, without a sandbox. Must be called before threads are started. A crash in
// the sandbox is an error that names the node that was running; a cancelled job ends the process.
void runGraphsWith(std::filesystem::path program);

// Calls profileRun() for a graph that was read from `path`.
Result<NodeProfilePtr> profileBoxed(const GraphEntry& entry, const std::string& path,
                                    const InterfaceChoice& choice, const ProfileRunOptions& options,
                                    const Job& job);

// Two graphs of one file that should compute the same.
struct VerifyTask {
    const GraphEntry& entry; // of the first graph
    GraphPtr other;
    std::string path; // of the file
    VerifyPlan plan;
};
// Calls verifyGraphs().
Result<Verification> verifyBoxed(const VerifyTask& task, const Job& job);

// Calls runCheckedExport().
Result<ExportReport> exportBoxed(const GraphEntry& entry, const std::string& path,
                                 const ExportPlan& plan, const Job& job);

// Calls evaluateFolder() for a graph that was read from `path`. `hear` is called in the calling
// thread.
Result<FolderEvaluation> classifyBoxed(const GraphEntry& entry, const std::string& path,
                                       const EvaluateTask& task, const HearScore& hear,
                                       const Job& job);

// Calls observeRanges() for a graph that was read from `path`.
Result<RangeObservation> observeBoxed(const GraphEntry& entry, const std::string& path,
                                      const std::string& images, const ClassifyPlan& plan,
                                      const RangeChoice& choice, const Job& job);

// Calls measureSensitivity() for a graph that was read from `path`.
Result<Sensitivity> sensitivityBoxed(const GraphEntry& entry, const std::string& path,
                                     const SensitivityTask& task, const Job& job);

// Calls runAutopilotTask(); the points have no files. `hear` is called in the calling thread; if
// the job is cancelled, it was called for every point before.
Result<Autopilot> autopilotBoxed(const GraphEntry& entry, const std::string& path,
                                 const AutopilotTask& task, const HearAutopilot& hear,
                                 const Job& job);

// Returns a sentence on the restrictions that this system cannot impose on such a process; empty if
// there are none.
std::string sandboxGaps();

} // namespace lapidary
