// SPDX-License-Identifier: Apache-2.0
#include "app/document/picture_runs.h"

#include "app/document/recipe/recipe_edits.h"
#include "runner/feeds/feed_text.h"

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

std::string firstOf(const std::vector<ChosenTensor>& tensors)
{
    return tensors.empty() ? std::string() : tensors.front().tensor;
}

// How the graph that is shown is run on pictures.
ClassifyPlan classifyPlanOf(const Document& document)
{
    const FolderChoice& choice = document.pictures().choice();
    const InterfaceChoice& ends = document.interface().choice();
    ClassifyPlan plan;
    plan.labeling.feed.mean = choice.mean;
    plan.labeling.feed.std = choice.std;
    plan.labeling.input = firstOf(ends.inputs);
    plan.labeling.output = firstOf(ends.outputs);
    plan.run = document.feeds().plan();
    plan.run.feeds.clear();
    // What else has to be fed is an error that names it.
    std::erase_if(plan.run.shapes,
                  [&](const auto& shape) { return shape.first != plan.labeling.input; });
    plan.name = "the graph";
    return plan;
}

bool isReady(const Document& document)
{
    if (!canProfile(document))
        return false;
    const InterfaceChoice& ends = document.interface().choice();
    QString why;
    if (!document.pictures().choice().isReady())
        why = u"Choose a folder of pictures first"_s;
    else if (ends.inputs.empty() || ends.outputs.empty())
        why = u"Mark an input (I) and an output (O) first"_s;
    if (!why.isEmpty())
        document.pictures().refuse(why);
    return why.isEmpty();
}

} // namespace

std::vector<PeerState> peerStates(const Document& document)
{
    const RecipeSession& recipe = document.recipe();
    std::vector<PeerState> peers;
    if (!document.file().isUsable() || document.graphs().isInFunction())
        return peers;
    if (recipe.base() && recipe.base() != document.graph())
        peers.push_back({0, recipe.base()});
    for (std::size_t i = 0; i < recipe.places().size(); ++i) {
        const RecipeSession::Place& place = recipe.places()[i];
        if (place.status == RecipeSession::Status::Applied && place.state &&
            place.state->graph() != document.graph())
            peers.push_back({i + 1, place.state->graph()});
    }
    return peers;
}

void evaluatePictures(Document& document, const PeerState* peer)
{
    if (!isReady(document))
        return;
    EvaluateTask task{.folder = document.pictures().choice().folder,
                      .plan = classifyPlanOf(document)};
    if (task.folder.labels.empty() && peer == nullptr)
        return document.pictures().refuse(
            u"Choose the file of labels, or a state to compare with"_s);
    if (peer != nullptr) {
        task.other = peer->graph;
        const InterfaceChoice names = document.interface().originalChoice();
        const auto named = [&](const std::string& tensor) {
            return tensor.empty() ? tensor
                                  : namesAfter(document.recipe(), peer->steps, {tensor}).front();
        };
        task.otherInput = named(firstOf(names.inputs));
        task.otherOutput = named(firstOf(names.outputs));
    }
    document.pictures().evaluate(shownEntry(document), document.file().path().string(),
                                 std::move(task));
}

void observePictures(Document& document, const std::string& log)
{
    if (isReady(document))
        document.pictures().observe(shownEntry(document), document.file().path().string(),
                                    classifyPlanOf(document), log);
}

void freezeObserved(Document& document, const std::string& log)
{
    RecipeSession& recipe = document.recipe();
    RecipeStep freeze{"freeze_requantization_ranges", {}};
    freeze.parameters.add("min_max_log_file", log);
    const std::size_t at = recipe.shown();
    RecipeDraft draft = withAppliedItem(recipe.draft(), at, {std::move(freeze), true});
    draft = withAppliedItem(std::move(draft), at + 1, {{"strip_unused_nodes", {}}, true});
    recipe.change(std::move(draft));
    recipe.show(at + 2);
}

void feedPicture(Document& document, const std::string& path)
{
    const FolderChoice& choice = document.pictures().choice();
    const auto& inputs = document.feeds().inputs();
    if (!inputs.empty())
        document.feeds().setWords(
            inputs.front().tensor.tensor,
            feedSourceText(PictureFeed{.path = path, .mean = choice.mean, .std = choice.std}));
}

} // namespace lapidary
