// SPDX-License-Identifier: Apache-2.0
#include "app/window/profile/device_run.h"

#include "app/device/adb_run.h"
#include "app/document/document.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/profile/device_dialog.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "runner/profile/read_node_profile.h"
#include "views/models/display_text.h"

#include <QMainWindow>
#include <QPointer>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

namespace fs = std::filesystem;

// The measurement, and the folder of the copied file unless that is the model's
// own.
struct DeviceTask {
    DevicePlan plan;
    std::string model;
    GraphPtr graph; // to be written to `model` first; null: that exists
    std::shared_ptr<QTemporaryDir> folder;
};

// benchmark_model reads a GraphDef: the file itself can be used if it is one and its graph is
// shown.
bool isFileShown(const Document& document)
{
    return document.graphs().isOriginal() &&
           document.file().model()->format == FileFormat::GraphDefBinary;
}

DeviceRequest requestFor(const Document& document)
{
    DeviceRequest request;
    const fs::path path = document.file().path();
    const fs::path stem = path.parent_path() / path.stem();
    request.model = path.string();
    request.tool = builtTool;
    request.folder = "/data/local/tmp";
    request.log = stem.string();
    request.results = stem.string();
    return request;
}

void addInterface(const Document& document, DeviceRequest& request)
{
    const InterfaceChoice& choice = document.interface().choice();
    for (const ChosenTensor& input : choice.inputs)
        request.inputs.push_back({.tensor = input.tensor,
                                  .dtype = input.dtype,
                                  .shape = document.interface().shapeOf(input)});
    std::vector<std::string> outputs;
    for (const ChosenTensor& output : choice.outputs)
        outputs.push_back(output.tensor);
    addOutputs(*document.graph(), outputs, request);
}

// Returns the reason why a device cannot load the model, whatever is computed.
QString faultOf(const Document& document)
{
    const auto& nodes = document.graph()->nodes();
    const auto variable = std::ranges::find_if(
        nodes, [](const NodePtr& node) { return isStoredVariable(node->op()); });
    if (document.interface().choice().outputs.empty())
        return u"There is no output to compute: mark an output (O)"_s;
    return variable == nodes.end()
               ? QString()
               : u"%1 is a variable, and benchmark_model loads none: freeze the graph first"_s.arg(
                     plainText((*variable)->name()));
}

Result<DeviceTask> taskFor(const Document& document, DeviceRequest request)
{
    DeviceTask task;
    if (!isFileShown(document)) {
        task.folder = std::make_shared<QTemporaryDir>();
        if (!task.folder->isValid())
            return Error{ErrorCode::Io, task.folder->errorString().toStdString()};
        task.graph = document.graph();
        const std::string name = fs::path(request.model).stem().string() + ".pb";
        request.model = (fs::path(task.folder->path().toStdString()) / name).string();
    }
    task.model = request.model;
    ASSIGN_OR_RETURN(task.plan, planDeviceRun(request));
    return task;
}

// Progress is the share of the steps that were begun.
Result<NodeProfilePtr> measure(const DeviceTask& task, const Job& job)
{
    if (task.graph) {
        RETURN_IF_ERROR(writeFileAtomically(task.model, graphDefSource(*task.graph)));
    }
    std::size_t begun = 0;
    const auto tell = [&](const std::string&) {
        job.progress((double(begun++) + 0.5) / double(task.plan.steps.size()));
    };
    RETURN_IF_ERROR(runOnDevice(task.plan, tell, job));
    return readNodeProfile(task.plan.log, job);
}

QStringList titlesOf(const DevicePlan& plan)
{
    QStringList titles;
    for (const DeviceStep& step : plan.steps)
        titles.append(plainText(step.title));
    return titles;
}

// Connects the dialog, which owns the run, with its progress.
void watch(ProfileSession& session, DeviceDialog& dialog, const WindowParts& window)
{
    QObject::connect(&session, &ProfileSession::progressed, &dialog, &DeviceDialog::setProgress);
    QObject::connect(&dialog, &DeviceDialog::stopRequested, &session, [&session, &dialog] {
        session.cancel();
        dialog.setFault(u"Stopped; the copied files are removed from the device"_s);
    });
    QObject::connect(&session, &ProfileSession::measured, &dialog, [&dialog, &window] {
        if (!dialog.isRunning())
            return;
        window.docks->showProfile();
        window.status->notice(u"The log is in %1"_s.arg(plainText(dialog.request().log)));
        dialog.accept();
    });
    QObject::connect(&session, &ProfileSession::changed, &dialog, [&session, &dialog] {
        if (dialog.isRunning() && !session.failure().isEmpty())
            dialog.setFault(session.failure());
    });
}

} // namespace

void askToRunOnDevice(const WindowParts& window)
{
    const QPointer<Document> document = window.tabs->document();
    auto* dialog = new DeviceDialog(requestFor(*document), window.window);
    watch(document->profile(), *dialog, window);
    QObject::connect(document.data(), &QObject::destroyed, dialog, &QObject::deleteLater);
    QObject::connect(dialog, &DeviceDialog::confirmed, dialog, [document, dialog] {
        if (const QString fault = faultOf(*document); !fault.isEmpty())
            return dialog->setFault(fault);
        DeviceRequest request = dialog->request();
        addInterface(*document, request);
        auto task = taskFor(*document, std::move(request));
        if (!task)
            return dialog->setFault(plainText(task.error().message));
        dialog->setSteps(titlesOf(task->plan));
        document->profile().measure(
            [task = *std::move(task)](const Job& job) { return measure(task, job); },
            u"Measuring on a device"_s);
    });
    dialog->open();
}

} // namespace lapidary
