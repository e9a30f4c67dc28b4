// SPDX-License-Identifier: Apache-2.0
#include "app/window/export/export_for_device.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/base/open_shape.h"
#include "app/document/document.h"
#include "app/window/export/export_dialog.h"
#include "app/window/parts/document_opener.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "graph_model/base/digits.h"
#include "graph_model/graph/stored_variables.h"
#include "graph_model/interface/input_setting.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/known_tensor.h"
#include "graph_model/write/byte_source.h"
#include "runner/setup/model_interface.h"
#include "transforms/export/without_variables.h"
#include "views/models/latest_job.h"

#include <QMainWindow>
#include <QPointer>

#include <algorithm>
#include <filesystem>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

namespace fs = std::filesystem;

// The model to export, as it was when the dialog opened.
struct ExportTask {
    GraphEntry entry;
    std::string model; // its file
};

// Tells whether the graph that calls a network is exported instead, because the weights are
// variables, whose values are known there by name.
bool exportsCaller(const Document& document)
{
    return document.graphs().isInNetwork() && hasStoredVariable(*document.graph());
}

ExportTask taskOf(const Document& document)
{
    const GraphChoice& graphs = document.graphs();
    const std::string model = document.file().path().string();
    if (exportsCaller(document))
        return {graphs.entry(), model};
    ExportTask task{graphs.isInNetwork() ? *graphs.network() : graphs.entry(), model};
    task.entry.graph = document.graph();
    return task;
}

// Fills in the inputs and outputs of the graph that calls the network.
void proposeCaller(const GraphEntry& entry, ExportProposal& proposal)
{
    const auto interface = modelInterface(entry, {});
    if (!interface)
        return; // the fields are then empty, with a request to fill them in
    for (const FeedTarget& input : interface->inputs)
        proposal.inputs.push_back({entry.graph->find(parseInput(input.tensor).node), input.tensor,
                                   input.dtype, input.shape});
    proposal.outputs = interface->outputs;
}

void proposeShown(const Document& document, ExportProposal& proposal)
{
    for (const ChosenTensor& input : document.interface().choice().inputs) {
        proposal.inputs.push_back(input);
        proposal.inputs.back().shape = document.interface().shapeOf(input);
    }
    for (const ChosenTensor& output : document.interface().choice().outputs)
        proposal.outputs.push_back(output.tensor);
}

ExportProposal proposalOf(const Document& document, const ExportTask& task)
{
    ExportProposal proposal;
    const bool isCaller = exportsCaller(document);
    if (isCaller)
        proposeCaller(task.entry, proposal);
    else
        proposeShown(document, proposal);
    proposal.setting = [graph = task.entry.graph](const std::string& tensor) -> std::string {
        const Input named = parseInput(tensor);
        const auto setting =
            inputSetting(*graph, {graph->find(named.node), std::max(named.port, 0)});
        return setting ? shortestDigits(float(setting->value)) : std::string();
    };
    proposal.hasVariables = hasStoredVariable(*task.entry.graph);
    proposal.checkpoint = QString::fromStdString(document.file().checkpoint().string());
    const fs::path model = document.file().path();
    std::error_code ignored;
    const fs::path folder = fs::is_directory(model, ignored) ? model : model.parent_path();
    const std::string stem = model.has_stem() ? model.stem().string() : "model";
    // A model in one of the formats is exported to the other one: its own name is in use.
    const char* ending = model.extension() == ".tflite" ? ".onnx" : ".tflite";
    proposal.path = QString::fromStdString((folder / (stem + ending)).string());
    proposal.hasLoops = std::ranges::any_of(task.entry.graph->nodes(), [](const NodePtr& node) {
        return isLoopCond(node->op()) || callKind(node->op()) == CallKind::Loop;
    });
    proposal.describe =
        [graph = task.entry.graph,
         shapes = isCaller ? nullptr : document.picture().shapes()](const std::string& tensor) {
            const Input named = parseInput(tensor);
            ChosenTensor chosen{graph->find(named.node), tensor, DType::Invalid, Shape{{}, true}};
            if (!chosen.node.isValid() || named.isControl())
                return chosen;
            const TensorLabel known = knownTensor(*graph, shapes ? &shapes->inferred : nullptr,
                                                  {chosen.node, std::max(named.port, 0)});
            chosen.dtype = known.dtype;
            chosen.shape = known.shape;
            return chosen;
        };
    return proposal;
}

// Checks that the export does not replace the file that is open.
Status checkPath(const ExportTask& task, const QString& path)
{
    std::error_code ignored;
    if (fs::equivalent(task.model, path.toStdString(), ignored))
        return Error{ErrorCode::InvalidArgument,
                     path.toStdString() + " is the file that is open; choose another name"};
    return Done{};
}

Result<ExportReport> exportTo(const ExportTask& task, const ExportWish& wish,
                              const std::string& path, const Job& job)
{
    ExportPlan plan = wish.plan;
    ASSIGN_OR_RETURN(ExportStart start, withoutVariables(task.entry, {task.model, wish.checkpoint},
                                                         plan.interface, job));
    ASSIGN_OR_RETURN(ExportReport report, exportBoxed(start.entry, task.model, plan, job));
    report.notes.insert(report.notes.begin(), start.notes.begin(), start.notes.end());
    if (report.file) {
        RETURN_IF_ERROR(writeFileAtomically(path, report.file->source()));
    }
    return report;
}

struct ProposedSize {
    std::string input;
    Shape shape;
};

// Returns sizes for the inputs that leave some open. Each proposal takes the previous ones into
// account.
std::vector<ProposedSize> proposedSizes(const Graph& graph, const std::vector<std::string>& open,
                                        InterfaceChoice choice, const Job& job)
{
    std::vector<ProposedSize> made;
    for (const std::string& input : open) {
        const std::string proposed = proposeShape(graph, input, choice, job).proposed;
        const auto shape = parseShape(proposed);
        if (proposed.empty() || !shape)
            continue;
        made.push_back({input, *shape});
        for (ChosenTensor& chosen : choice.inputs)
            if (chosen.tensor == input)
                chosen.shape = *shape;
    }
    return made;
}

void proposeSizes(ExportDialog& dialog, LatestJob& job, const GraphPtr& graph)
{
    const std::vector<std::string> open = dialog.fields().openInputs();
    if (open.empty())
        return job.cancel();
    InterfaceChoice choice;
    choice.inputs = dialog.fields().inputs();
    job.start(
        [graph, open, choice](const Job& work) -> Result<std::vector<ProposedSize>> {
            return proposedSizes(*graph, open, choice, work);
        },
        [&dialog](const Result<std::vector<ProposedSize>>& sizes) {
            if (!sizes)
                return;
            for (const ProposedSize& size : *sizes)
                dialog.fields().propose(size.input, size.shape);
        });
}

void start(ExportDialog& dialog, LatestJob& job, const ExportTask& task, const ExportWish& wish)
{
    dialog.setRunning(wish.plan.ranges && !wish.plan.ranges->pictures.empty());
    job.start([task, wish, path = dialog.fields().path().toStdString()](
                  const Job& work) { return exportTo(task, wish, path, work); },
              [&dialog, wish](const Result<ExportReport>& report) {
                  if (report)
                      dialog.setReport(*report, wish.plan);
                  else
                      dialog.setFault(report.error());
              });
}

// Begins the export if the fields are complete, and the user does not want to keep an existing
// file.
void confirm(const WindowParts& window, ExportDialog& dialog, LatestJob& job,
             const ExportTask& task)
{
    const auto wish = dialog.fields().wish();
    if (!wish)
        return dialog.setFault(wish.error());
    const QString path = dialog.fields().path();
    if (const Status fits = checkPath(task, path); !fits)
        return dialog.setFault(fits.error());
    const auto begin = [asked = QPointer(&dialog), &job, task, wish = *wish](const QString&) {
        if (asked)
            start(*asked, job, task, wish);
    };
    if (path == dialog.writtenPath())
        begin(path); // the export wrote that file itself
    else
        window.questions->confirm(&dialog, path, begin);
}

} // namespace

ExportDialog* askToExport(const WindowParts& window)
{
    const Document& document = *window.tabs->document();
    const ExportTask task = taskOf(document);
    auto* dialog = new ExportDialog(proposalOf(document, task), window.window);
    auto* job = new LatestJob(dialog);
    QObject::connect(&document, &QObject::destroyed, dialog, &QObject::deleteLater);
    QObject::connect(job, &LatestJob::progressed, dialog, &ExportDialog::setProgress);
    QObject::connect(dialog, &ExportDialog::confirmed, dialog, [&window, dialog, job, task] {
        if (!dialog->isRunning())
            confirm(window, *dialog, *job, task);
    });
    QObject::connect(dialog, &ExportDialog::stopRequested, job, [dialog, job] {
        job->cancel();
        dialog->setFault({ErrorCode::Cancelled, "Stopped; nothing was written"});
    });
    QObject::connect(dialog, &ExportDialog::openRequested, dialog,
                     [&window, dialog](const QString& path) {
                         dialog->accept();
                         window.opener->open(path);
                     });
    auto* sizes = new LatestJob(dialog);
    const auto propose = [dialog, sizes, graph = task.entry.graph] {
        proposeSizes(*dialog, *sizes, graph);
    };
    QObject::connect(sizes, &LatestJob::runningChanged, dialog, &ExportDialog::setProposing);
    QObject::connect(&dialog->fields(), &ExportFields::inputsListed, sizes, propose);
    propose();
    dialog->open();
    return dialog;
}

bool isExporting(const QWidget& window)
{
    const auto dialogs = window.findChildren<ExportDialog*>(QString(), Qt::FindDirectChildrenOnly);
    return std::ranges::any_of(dialogs, [](const ExportDialog* dialog) {
        return dialog->isRunning() || dialog->isProposing();
    });
}

} // namespace lapidary
