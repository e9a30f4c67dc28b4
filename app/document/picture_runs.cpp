// SPDX-License-Identifier: Apache-2.0
#include "app/document/picture_runs.h"

#include "app/document/recipe/recipe_edits.h"
#include "runner/feeds/feed_text.h"
#include "runner/setup/compute_tensors.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool mayBePicture(const Shape& shape)
{
    return shape.unknownRank || shape.dims.size() == 4;
}

std::string firstOf(const std::vector<ChosenTensor>& tensors)
{
    return tensors.empty() ? std::string() : tensors.front().tensor;
}

// Returns the plan for running the shown graph on pictures.
ClassifyPlan classifyPlanOf(const Document& document)
{
    const FolderChoice& choice = document.pictures().choice();
    const InterfaceChoice& ends = document.interface().choice();
    ClassifyPlan plan;
    plan.labeling.feed.mean = choice.mean;
    plan.labeling.feed.std = choice.std;
    plan.labeling.input = pictureInput(document);
    plan.labeling.output = firstOf(ends.outputs);
    // Other inputs are fed as in any other run, except those that the output does not need.
    plan.run = planTo(*document.graph(), {.tensors = {plan.labeling.output},
                                          .plan = document.feeds().plan(),
                                          .known = {},
                                          .function = {}});
    plan.name = "the graph";
    return plan;
}

std::vector<FedInput> fedBeside(const Document& document, const ClassifyPlan& plan)
{
    std::vector<FedInput> others;
    for (const FedInput& input : document.feeds().inputs())
        if (input.tensor.tensor != plan.labeling.input &&
            std::ranges::find(plan.run.feeds, input.tensor.tensor, &RunPlan::Feed::tensor) !=
                plan.run.feeds.end())
            others.push_back(input);
    return others;
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
    else
        for (const FedInput& input : fedBeside(document, classifyPlanOf(document)))
            if (why.isEmpty() && input.check.isWrong)
                why = u"%1, which is fed besides the pictures: %2"_s.arg(
                    plainText(input.tensor.tensor), input.check.says);
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

std::string pictureInput(const Document& document)
{
    const auto& inputs = document.interface().choice().inputs;
    const auto found = std::ranges::find_if(inputs, [&](const ChosenTensor& input) {
        return mayBePicture(document.interface().shapeOf(input));
    });
    return found != inputs.end() ? found->tensor : firstOf(inputs);
}

std::vector<FedInput> fedBesidePictures(const Document& document)
{
    const InterfaceChoice& ends = document.interface().choice();
    if (!document.file().isUsable() || ends.inputs.size() < 2 || ends.outputs.empty())
        return {};
    return fedBeside(document, classifyPlanOf(document));
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
        const auto& inputs = document.interface().choice().inputs;
        const auto at =
            std::size_t(std::ranges::find(inputs, task.plan.labeling.input, &ChosenTensor::tensor) -
                        inputs.begin());
        task.otherInput =
            named(at < names.inputs.size() ? names.inputs[at].tensor : firstOf(names.inputs));
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

std::optional<PictureFeed> fedPicture(const Document& document)
{
    const std::string input = pictureInput(document);
    const auto& inputs = document.feeds().inputs();
    const auto at = std::ranges::find_if(
        inputs, [&](const FedInput& fed) { return fed.tensor.tensor == input; });
    const auto source =
        at != inputs.end() ? parseFeedSource(at->words) : Result<FeedSource>(Error{});
    const auto* picture = source.ok() ? std::get_if<PictureFeed>(&*source) : nullptr;
    return picture != nullptr ? std::optional(*picture) : std::nullopt;
}

void feedPicture(Document& document, const std::string& path)
{
    const FolderChoice& choice = document.pictures().choice();
    const std::string input = pictureInput(document);
    if (!input.empty())
        document.feeds().setWords(
            input,
            feedSourceText(PictureFeed{.path = path, .mean = choice.mean, .std = choice.std}));
}

} // namespace lapidary
