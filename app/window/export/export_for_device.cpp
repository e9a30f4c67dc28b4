// SPDX-License-Identifier: Apache-2.0
#include "app/window/export/export_for_device.h"

#include "app/boxed/boxed_runs.h"
#include "app/document/document.h"
#include "app/window/export/export_dialog.h"
#include "app/window/parts/document_opener.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/known_tensor.h"
#include "graph_model/write/byte_source.h"
#include "views/models/latest_job.h"

#include <QMainWindow>
#include <QPointer>

#include <algorithm>
#include <filesystem>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

namespace fs = std::filesystem;

// Describes what is exported, as it was when the dialog opened.
struct ExportTask {
    GraphEntry entry;
    std::string model; // its file
};

ExportTask taskOf(const Document& document)
{
    const GraphChoice& graphs = document.graphs();
    ExportTask task{graphs.isInNetwork() ? *graphs.network() : graphs.entry(),
                    document.file().path().string()};
    task.entry.graph = document.graph();
    return task;
}

ExportProposal proposalOf(const Document& document)
{
    ExportProposal proposal;
    for (const ChosenTensor& input : document.interface().choice().inputs) {
        proposal.inputs.push_back(input);
        proposal.inputs.back().shape = document.interface().shapeOf(input);
    }
    for (const ChosenTensor& output : document.interface().choice().outputs)
        proposal.outputs.push_back(output.tensor);
    const fs::path model = document.file().path();
    std::error_code ignored;
    const fs::path folder = fs::is_directory(model, ignored) ? model : model.parent_path();
    const std::string stem = model.has_stem() ? model.stem().string() : "model";
    proposal.path = QString::fromStdString((folder / (stem + ".tflite")).string());
    proposal.hasLoops = std::ranges::any_of(document.graph()->nodes(), [](const NodePtr& node) {
        return isLoopCond(node->op()) || callKind(node->op()) == CallKind::Loop;
    });
    proposal.describe = [graph = document.graph(),
                         shapes = document.picture().shapes()](const std::string& tensor) {
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

// The file that is open is never written to.
Status checkPath(const ExportTask& task, const QString& path)
{
    std::error_code ignored;
    if (fs::equivalent(task.model, path.toStdString(), ignored))
        return Error{ErrorCode::InvalidArgument,
                     path.toStdString() + " is the file that is open; choose another name"};
    return Done{};
}

Result<ExportReport> exportTo(const ExportTask& task, const ExportPlan& plan,
                              const std::string& path, const Job& job)
{
    ASSIGN_OR_RETURN(ExportReport report, exportBoxed(task.entry, task.model, plan, job));
    if (report.file) {
        RETURN_IF_ERROR(writeFileAtomically(path, report.file->source()));
    }
    return report;
}

void start(ExportDialog& dialog, LatestJob& job, const ExportTask& task, const ExportPlan& plan)
{
    dialog.setRunning(plan.ranges && !plan.ranges->pictures.empty());
    job.start([task, plan, path = dialog.fields().path().toStdString()](
                  const Job& work) { return exportTo(task, plan, path, work); },
              [&dialog, plan](const Result<ExportReport>& report) {
                  if (report)
                      dialog.setReport(*report, plan);
                  else
                      dialog.setFault(report.error());
              });
}

// Begins where the fields are filled in, and the user does not keep a file that is there.
void confirm(const WindowParts& window, ExportDialog& dialog, LatestJob& job,
             const ExportTask& task)
{
    const auto plan = dialog.fields().plan();
    if (!plan)
        return dialog.setFault(plan.error());
    const QString path = dialog.fields().path();
    if (const Status fits = checkPath(task, path); !fits)
        return dialog.setFault(fits.error());
    const auto begin = [asked = QPointer(&dialog), &job, task, plan = *plan](const QString&) {
        if (asked)
            start(*asked, job, task, plan);
    };
    if (path == dialog.writtenPath())
        begin(path); // the file is its own
    else
        window.questions->confirm(&dialog, path, begin);
}

} // namespace

ExportDialog* askToExport(const WindowParts& window)
{
    const Document& document = *window.tabs->document();
    auto* dialog = new ExportDialog(proposalOf(document), window.window);
    auto* job = new LatestJob(dialog);
    QObject::connect(&document, &QObject::destroyed, dialog, &QObject::deleteLater);
    QObject::connect(job, &LatestJob::progressed, dialog, &ExportDialog::setProgress);
    QObject::connect(dialog, &ExportDialog::confirmed, dialog,
                     [&window, dialog, job, task = taskOf(document)] {
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
    dialog->open();
    return dialog;
}

bool isExporting(const QWidget& window)
{
    const auto dialogs = window.findChildren<ExportDialog*>(QString(), Qt::FindDirectChildrenOnly);
    return std::ranges::any_of(dialogs, &ExportDialog::isRunning);
}

} // namespace lapidary
