// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/export_plan.h"

#include "graph_model/interface/interface_flags.h"
#include "graph_model/lift/lift_graph.h"
#include "runner/feeds/picture_files.h"
#include "runner/setup/model_interface.h"
#include "transforms/export/find_cut.h"
#include "transforms/verify/end_names.h"
#include "transforms/verify/verify_graphs.h"

#include <string_view>
#include <unordered_map>
#include <utility>

namespace lapidary {
namespace {

std::vector<ExportedEnd> endsOf(const PortableModel& model, const std::vector<TensorIndex>& tensors)
{
    std::vector<ExportedEnd> ends;
    for (const TensorIndex index : tensors)
        ends.push_back({model.at(index).name, model.at(index).dtype, model.at(index).dims});
    return ends;
}

ModelExportOptions optionsOf(const ExportPlan& plan, const Job& job)
{
    ModelExportOptions options;
    options.target = plan.target;
    options.weights = plan.weights;
    options.ends = plan.ends;
    options.reducesRange = plan.reducesRange;
    options.opset = plan.opset;
    options.description = plan.description;
    if (plan.ranges)
        options.measure = [&plan, &job](const PortableModel& model) {
            return measureRanges(model, *plan.ranges, job);
        };
    return options;
}

std::unordered_map<std::string_view, const ExportedEnd*>
endsByName(const std::vector<ExportedEnd>& ends)
{
    std::unordered_map<std::string_view, const ExportedEnd*> named;
    for (const ExportedEnd& end : ends)
        named.emplace(end.name, &end);
    return named;
}

FeedSource sourceFor(const ExportPlan& plan, const ExportedEnd* input)
{
    RandomFeed random;
    if (plan.ranges && input != nullptr && input->dtype == DType::Float) {
        const FrozenRange range = plan.ranges->pixelRange();
        random.range = SeededRange{range.min, range.max};
    }
    return random;
}

// Makes the plan that feeds both the same values, in the sizes of the file.
Result<VerifyPlan> checkPlan(const GraphEntry& model, const ExportPlan& plan,
                             const ExportReport& report)
{
    const auto names = endNamesInFile(model);
    VerifyPlan check;
    check.run.otherInputs.reset();
    check.run.fetches = plan.interface.outputs;
    const auto inputs = endsByName(report.inputs);
    for (const std::string& tensor : plan.interface.inputs) {
        const auto name = names.find(withPort(tensor));
        auto found = inputs.find(name == names.end() ? tensorAsFlag(tensor) : name->second);
        if (found == inputs.end())
            found = inputs.find(tensorAsFlag(tensor));
        const ExportedEnd* const input = found == inputs.end() ? nullptr : found->second;
        check.run.feeds.push_back({tensor, sourceFor(plan, input)});
        if (input != nullptr)
            check.run.shapes.emplace_back(tensor, Shape{input->dims, false});
    }
    for (const auto& [name, value] : plan.interface.fixed)
        check.run.feeds.push_back({name, WrittenFeed{value}});
    if (!plan.ranges || plan.ranges->pictures.empty())
        return check;
    ASSIGN_OR_RETURN(const auto pictures, picturesIn(plan.ranges->pictures));
    const ImageFeed& feed = plan.ranges->feed;
    for (const std::string& picture : pictures)
        check.pictures.push_back({(std::filesystem::path(plan.ranges->pictures) / picture).string(),
                                  feed.mean, feed.std});
    return check;
}

Result<ExportReport> runNamed(const GraphPtr& model, const ExportPlan& plan, EndNames endNames,
                              const Job& job)
{
    ModelExportOptions options = optionsOf(plan, job);
    options.endNames = std::move(endNames);
    // ONNX represents codes of 8 bits by pairs around float operators.
    const bool keepsCodes = plan.target == ExportTarget::Onnx && !plan.ranges;
    ASSIGN_OR_RETURN(const GraphPtr graph,
                     liftGraph(model, job,
                               keepsCodes ? CodedOperators::AsPairs : CodedOperators::AsWritten,
                               plan.interface.shapes));
    ASSIGN_OR_RETURN(ExportedModel made, exportModel(graph, plan.interface, options, job));
    ExportReport report;
    report.operators = std::move(made.operators);
    report.merged = std::move(made.merged);
    report.dropped = std::move(made.dropped);
    report.notes = std::move(made.notes);
    report.refused = std::move(made.refused);
    if (!report.refused.empty()) {
        ASSIGN_OR_RETURN(report.cut,
                         findExportCut(graph, plan.interface, report.refused, options, job));
        return report;
    }
    report.file = std::move(made.file);
    report.inputs = endsOf(made.model, made.model.inputs);
    report.outputs = endsOf(made.model, made.model.outputs);
    return report;
}

Result<Verification> compared(const GraphEntry& model, const std::filesystem::path& path,
                              const ExportPlan& plan, const ExportReport& report, const Job& job)
{
    ASSIGN_OR_RETURN(std::string bytes, report.file->bytes());
    ASSIGN_OR_RETURN(const ModelFile file,
                     readModelBytes(std::move(bytes), "the exported file", job, {.check = false}));
    if (file.isRefused())
        return Error{ErrorCode::Internal, "the exported file cannot be read back"};
    ASSIGN_OR_RETURN(const VerifyPlan check, checkPlan(model, plan, report));
    return verifyGraphs({model, path}, {file.graphs.front(), path}, check, job);
}

Result<Verification> check(const GraphEntry& model, const std::filesystem::path& path,
                           const ExportPlan& plan, const ExportReport& report, const Job& job)
{
    if (plan.ends == QuantizedEnds::Float)
        return compared(model, path, plan, report, job);
    ExportPlan between = plan;
    between.ends = QuantizedEnds::Float;
    ASSIGN_OR_RETURN(const ExportReport same, runExport(model, between, job));
    return compared(model, path, between, same, job);
}

} // namespace

Result<ExportReport> runExport(const GraphPtr& model, const ExportPlan& plan, const Job& job)
{
    return runNamed(model, plan, {}, job);
}

Result<ExportReport> runExport(const GraphEntry& model, const ExportPlan& plan, const Job& job)
{
    return runNamed(model.graph, plan, endNamesInFile(model), job);
}

Result<ExportReport> runCheckedExport(const GraphEntry& model, const std::filesystem::path& path,
                                      const ExportPlan& plan, const Job& job)
{
    ASSIGN_OR_RETURN(ExportReport report, runExport(model, plan, job));
    if (!report.file)
        return report;
    auto made = check(model, path, plan, report, job);
    if (made)
        report.check = *std::move(made);
    else if (made.error().code == ErrorCode::Cancelled)
        return made.error();
    else
        report.notes.push_back("not compared with the model: " + made.error().message);
    return report;
}

const VerifiedPair* worstLayer(const Verification& check)
{
    const auto share = [](const VerifiedPair& pair) {
        const double most = pair.agreement.magnitude;
        return most > 0 ? pair.agreement.maxAbs / most : pair.agreement.maxAbs;
    };
    const VerifiedPair* worst = nullptr;
    for (const VerifiedPair& pair : check.pairs)
        if (!pair.isOutput && !pair.isUndone && (worst == nullptr || share(pair) > share(*worst)))
            worst = &pair;
    return worst;
}

} // namespace lapidary
