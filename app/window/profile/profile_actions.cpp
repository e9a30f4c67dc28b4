// SPDX-License-Identifier: Apache-2.0
// The actions that measure a graph, show the measurements, and check whether it runs on another
// target.
#include "app/window/profile/profile_actions.h"

#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/profile/delta_controller.h"
#include "app/window/profile/device_run.h"
#include "runner/profile/chrome_trace.h"

#include <QDockWidget>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool canMeasure(const ActionContext& c)
{
    return c.document != nullptr && whyNotMeasured(*c.document).isEmpty();
}

QString whyNotMeasured(const ActionContext& c)
{
    return whyNotMeasured(*c.document);
}

void toggleProfile(const ActionContext& c)
{
    if (c.window.docks->isProfileShown())
        c.window.docks->tables()->hide();
    else
        c.window.docks->showProfile();
}

void profile(const ActionContext& c)
{
    c.window.docks->showProfile();
    runProfile(*c.document);
}

void toggleTarget(const ActionContext& c)
{
    if (c.window.docks->isTargetShown())
        c.window.docks->tables()->hide();
    else
        c.window.docks->showTarget();
}

// Programs load the graph that calls a network, not the network itself.
void leaveNetwork(const ActionContext& c)
{
    if (c.document->graphs().isInNetwork())
        c.document->graphs().closeFunctions(0);
}

void openProfile(const ActionContext& c)
{
    c.window.questions->askToOpen(
        u"Open a profile"_s, u"Profiles (*.log *.txt *.json *.pb *.pbtxt *.trace);;All files (*)"_s,
        [&window = c.window](const QString& path) { openProfileFile(window, path); });
}

void toggleTwoRuns(const ActionContext& c)
{
    if (c.window.delta->isShown())
        c.window.docks->tables()->hide();
    else
        c.window.delta->show();
}

bool hasTrace(const ActionContext& c)
{
    return c.document != nullptr && c.document->profile().profile() != nullptr &&
           !c.document->profile().profile()->slices.empty();
}

void askToSaveTrace(const ActionContext& c)
{
    c.window.questions->askToWrite(
        u"Save the trace"_s, u"trace.json"_s, u"Traces (*.json)"_s,
        [writer = c.window.writer, profile = c.document->profile().profile()](const QString& path) {
            writer->writeBytes(path, [profile](const Job&) -> Result<std::string> {
                return encodeChromeTrace(stepRecords(*profile));
            });
        });
}

constexpr ActionSpec profileRows[]{
    {.id = "view.profile",
     .label = "Profile",
     .help = "Shows or hides the profile table.",
     .key = "Shift+F6",
     .menu = "View/Panels",
     .run = toggleProfile,
     .isChecked = [](const ActionContext& c) { return c.window.docks->isProfileShown(); }},
    {.id = "view.twoRuns",
     .label = "Two runs",
     .help = "Shows or hides the comparison of the shown profile with a kept one.",
     .key = "Shift+F2",
     .menu = "View/Panels",
     .run = toggleTwoRuns,
     .isChecked = [](const ActionContext& c) { return c.window.delta->isShown(); }},
    {.id = "view.target",
     .label = "Target",
     .help = "Shows or hides the ops without a kernel on a phone or board.",
     .menu = "View/Panels",
     .run = toggleTarget,
     .isChecked = [](const ActionContext& c) { return c.window.docks->isTargetShown(); }},
    {.id = "graph.profile",
     .label = "Run and profile",
     .help = "Runs the graph on random inputs and measures every node.",
     .key = "F5",
     .icon = "run",
     .menu = "Graph",
     .startsGroup = true,
     .run = profile,
     .isEnabled = canMeasure,
     .obstacle = whyNotMeasured},
    {.id = "graph.openProfile",
     .label = "Open profile\u2026",
     .help = "Shows a log of benchmark_model, RunMetadata or a trace on the graph.",
     .key = "Shift+F5",
     .menu = "Graph",
     .run = openProfile,
     .isEnabled = hasScene},
    {.id = "profile.saveTrace",
     .label = "Save trace\u2026",
     .help = "Writes the start and end time of each node in the last run, for Perfetto and "
             "chrome://tracing.",
     .menu = "Graph",
     .run = askToSaveTrace,
     .isEnabled = hasTrace,
     .needs = "Measure the graph first (F5): the shown profile has no times of single runs"},
    {.id = "graph.clearProfile",
     .label = "Clear profile",
     .help = "Removes the measured profile.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.document->profile().clear(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->profile().profile() != nullptr;
         },
     .needs = needsProfile},
    {.id = "profile.keep",
     .label = "Keep profile to compare",
     .help = "Keeps the shown profile to compare the next one with it, node by node.",
     .key = "Alt+F6",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.window.delta->keep(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->profile().profile() != nullptr;
         },
     .needs = needsProfile},
    {.id = "profile.forget",
     .label = "Forget the kept profile",
     .help = "Forgets the kept profile and ends the comparison of times.",
     .menu = "Graph",
     .run = [](const ActionContext& c) { c.document->delta().forget(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->delta().hasKept();
         },
     .needs = "No profile was kept (Alt+F6)"},
    {.id = "graph.device",
     .label = "Run on a device\u2026",
     .help = "Benchmarks the graph on a phone or board and shows the result beside a local run.",
     .key = "Ctrl+F5",
     .menu = "Graph",
     .run =
         [](const ActionContext& c) {
             leaveNetwork(c);
             askToRunOnDevice(c.window);
         },
     .isEnabled = canMeasure,
     .obstacle = whyNotMeasured},
    {.id = "graph.target",
     .label = "Check for a target",
     .help = "Checks which ops do not run on a phone or board, and suggests fixes.",
     .key = "Ctrl+Shift+F5",
     .menu = "Graph",
     .run =
         [](const ActionContext& c) {
             leaveNetwork(c);
             c.window.docks->showTarget();
         },
     .isEnabled = hasScene},
};

} // namespace

const std::span<const ActionSpec> profileActions = profileRows;

void openProfileFile(const WindowParts& window, const QString& path)
{
    Document* document = window.tabs->document();
    if (document == nullptr)
        return;
    window.docks->showProfile();
    document->profile().open(path.toStdString());
}

} // namespace lapidary
