// SPDX-License-Identifier: Apache-2.0
#include "transforms/classify/observe_ranges.h"

#include "runner/feeds/picture_files.h"
#include "runner/setup/prepare_run.h"
#include "transforms/quantize/freeze_ranges.h"
#include "transforms/recipe/run_recipe.h"

#include <filesystem>
#include <utility>

namespace lapidary {
namespace {

std::string nodeOfTensor(const std::string& tensor)
{
    return tensor.substr(0, tensor.find(':'));
}

Result<GraphPtr> transformedGraph(const GraphPtr& graph, const std::string& recipe,
                                  const Labeling& labeling, const Job& job)
{
    ASSIGN_OR_RETURN(const auto steps, parseRecipe(recipe, RecipeSyntax::Strict));
    const RecipeRun run = runRecipe(graph, steps, {nodeOfTensor(labeling.input)},
                                    {nodeOfTensor(labeling.output)}, job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    return run.result(graph);
}

struct FolderPictures {
    std::filesystem::path folder;
    std::vector<std::string> names;
};

// Returns the text that the graph prints while it runs over all pictures that can be read.
Result<std::string> printedBy(const GraphEntry& entry, const std::string& path,
                              const FolderPictures& pictures, ClassifyPlan plan,
                              UnreadPictures& unread, const Job& job)
{
    Labeling& labeling = plan.labeling;
    ASSIGN_OR_RETURN(auto prepared,
                     prepareRun(entry, path, pictureRunPlan(std::move(plan.run), labeling), job));
    Session& session = prepared.session;
    std::string log;
    for (std::size_t i = 0; i < pictures.names.size(); ++i) {
        labeling.image = (pictures.folder / pictures.names[i]).string();
        auto image = readImage(labeling, session, job);
        if (!image && isFaultOfPicture(image.error())) {
            unread.push_back({i, image.error().message});
            continue;
        }
        RETURN_IF_ERROR(image);
        RETURN_IF_ERROR(session.run(withImage(prepared.request, labeling, *std::move(image)), job));
        log += session.printed();
        job.progress(shareOf(i + 1, pictures.names.size()));
    }
    return log;
}

} // namespace

Result<RangeObservation> observeRanges(const GraphEntry& entry, const std::string& path,
                                       const std::string& images, ClassifyPlan plan,
                                       const RangeChoice& choice, const Job& job)
{
    ASSIGN_OR_RETURN(auto names, picturesIn(images));
    const FolderPictures pictures{images, std::move(names)};
    RETURN_IF_ERROR(completeLabeling(plan.labeling, entry));
    const std::string output = plan.labeling.output;
    GraphEntry logged = entry;
    ASSIGN_OR_RETURN(logged.graph,
                     transformedGraph(entry.graph,
                                      "insert_logging(op=RequantizationRange, show_name=true, "
                                      "message=\"__requant_min_max:\")",
                                      plan.labeling, job));
    RangeObservation found;
    UnreadPictures unread;
    ASSIGN_OR_RETURN(found.log, printedBy(logged, path, pictures, std::move(plan), unread, job));
    RETURN_IF_ERROR(someRead(unread, pictures.names.size()));
    found.pictures = pictures.names.size() - unread.size();
    for (UnreadPicture& picture : unread)
        found.unread.push_back(std::move(picture.why));
    found.ranges = frozenRanges(parseRangeLog(found.log), choice);
    if (found.ranges.empty())
        return Error{ErrorCode::InvalidArgument,
                     "measures no ranges before " + output +
                         "; the preset arm-8bit makes a graph that does"};
    return found;
}

Result<GraphPtr> withRanges(const GraphPtr& graph, const FrozenRanges& ranges,
                            const Labeling& labeling, const Job& job)
{
    ASSIGN_OR_RETURN(auto frozen, freezeRanges(graph, ranges,
                                               {.inputs = {nodeOfTensor(labeling.input)},
                                                .outputs = {nodeOfTensor(labeling.output)},
                                                .parameters = {}}));
    return transformedGraph(frozen.graph, "strip_unused_nodes", labeling, job);
}

} // namespace lapidary
