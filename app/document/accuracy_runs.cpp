// SPDX-License-Identifier: Apache-2.0
#include "app/document/accuracy_runs.h"

#include "app/document/recipe/recipe_edits.h"
#include "graph_model/graph/stored_variables.h"
#include "transforms/pass/number_values.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Returns the graph after the first `steps` items; null if they were not run.
GraphPtr graphAfter(const RecipeSession& recipe, std::size_t steps)
{
    for (std::size_t i = std::min(steps, recipe.places().size()); i > 0; --i) {
        const RecipeSession::Place& place = recipe.places()[i - 1];
        if (place.status == RecipeSession::Status::Off)
            continue;
        return place.status == RecipeSession::Status::Applied && place.state ? place.state->graph()
                                                                             : nullptr;
    }
    return recipe.base();
}

Recipe stepsAfter(const RecipeSession& recipe, std::size_t steps)
{
    Recipe after;
    for (std::size_t i = steps; i < recipe.items().size(); ++i)
        if (recipe.items()[i].isOn)
            after.push_back(recipe.items()[i].step);
    return after;
}

// Tells whether the shown graph was made by a point of the last search.
bool isShowingPoint(const Document& document)
{
    const AutopilotSession& session = document.autopilot();
    const auto& found = session.found();
    for (std::size_t i = 0; found && i < found->points.size(); ++i)
        if (isPointUsed(document, i))
            return document.recipe().shown() > session.steps();
    return false;
}

// Returns the feeds that the user chose; the values of other inputs are generated.
RunPlan probingPlan(const Document& document)
{
    RunPlan plan = document.feeds().plan();
    const RunPlan usual;
    plan.otherInputs = usual.otherInputs;
    for (const FedInput& input : document.feeds().inputs())
        if (input.words == FeedSession::usualWords)
            std::erase_if(plan.feeds, [&](const RunPlan::Feed& feed) {
                return feed.tensor == input.tensor.tensor;
            });
    return plan;
}

// Sets the recipe's inputs and outputs by their names after the first `steps` items.
void setEnds(const RecipeSession& recipe, std::size_t steps, std::vector<std::string>& inputs,
             std::vector<std::string>& outputs)
{
    inputs = namesAfter(recipe, steps, recipe.ends().inputs);
    outputs = namesAfter(recipe, steps, recipe.ends().outputs);
}

std::vector<std::string> wordsOf(const std::string& text)
{
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(std::move(word));
    return words;
}

// Parses "30 dB" and "30dB".
std::optional<double> decibelsOf(std::string_view text)
{
    if (!text.ends_with("dB"))
        return {};
    text.remove_suffix(2);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    const auto number = floatValue(text);
    return number && std::isfinite(*number) && *number > 0 ? std::optional(double(*number))
                                                           : std::nullopt;
}

// Sets what the search makes small, and what must not change.
Status takeBudget(const AutopilotChoice& choice, AutopilotTask& task)
{
    const auto wrong = [](std::string why) {
        return Error{ErrorCode::InvalidArgument, std::move(why)};
    };
    if (!choice.budget.empty()) {
        task.size = parseSizeBudget(choice.budget);
        if (!task.size)
            return wrong((choice.budget.starts_with("time=") ? "a time is 2x, 5ms or 800us, not '"
                                                             : "a size is 3.7x, 1.2MB or 500kB, "
                                                               "not '") +
                         choice.budget.substr(choice.budget.find('=') + 1) + "'");
    }
    task.leastDb = decibelsOf(choice.accuracy);
    const auto loss = parseLoss(choice.accuracy);
    if (!task.leastDb && !loss)
        return wrong("a loss is a share, as in 0.5%, or 30 dB, not '" + choice.accuracy + "'");
    task.mostLoss = loss.value_or(task.mostLoss);
    return Done{};
}

// Sets the pictures. With labels, right answers are counted; without, pictures are only fed.
Status takePictures(const Document& document, AutopilotTask& task)
{
    const FolderChoice& choice = document.pictures().choice();
    if (choice.folder.images.empty() && !choice.folder.labels.empty())
        return Error{ErrorCode::InvalidArgument, "choose the folder of pictures that the labels "
                                                 "belong to, or no labels"};
    if (choice.folder.labels.empty()) {
        task.probes.samples = choice.folder.images;
        if (!choice.folder.images.empty())
            task.probes.range = {-choice.mean / choice.std, (255 - choice.mean) / choice.std};
        return Done{};
    }
    task.folder = choice.folder;
    task.classify.labeling.feed.mean = choice.mean;
    task.classify.labeling.feed.std = choice.std;
    task.classify.labeling.input = task.inputs.empty() ? "" : task.inputs.front();
    task.classify.labeling.output = task.outputs.empty() ? "" : task.outputs.front();
    task.classify.run = task.probes.run;
    task.classify.run.feeds.clear();
    task.classify.name = "the graph";
    return Done{};
}

Result<AutopilotTask> taskOf(const Document& document, std::size_t steps)
{
    const AutopilotChoice& choice = document.autopilot().choice();
    AutopilotTask task;
    RETURN_IF_ERROR(takeBudget(choice, task));
    task.probes.seed = std::uint64_t(choice.seed);
    task.probes.run = probingPlan(document);
    task.mayUseFewerProbes = true;
    task.seconds = choice.seconds;
    task.kept = wordsOf(choice.kept);
    setEnds(document.recipe(), steps, task.inputs, task.outputs);
    RETURN_IF_ERROR(takePictures(document, task));
    return task;
}

} // namespace

QString layersObstacle(const Document& document)
{
    if (!document.graphs().isInNetwork())
        return {};
    return hasStoredVariable(*document.graph())
               ? u"The weights are variables: Transform > Freeze makes constants of them first"_s
               : u"This is only a function; choose the graph of the file above the picture"_s;
}

void measureLayers(Document& document, LayerForm form)
{
    if (!canProfile(document))
        return;
    GraphEntry entry = document.graphs().entry();
    entry.graph = document.graph();
    SensitivityTask task;
    task.form = form;
    task.probes.run = probingPlan(document);
    setEnds(document.recipe(), document.recipe().shown(), task.inputs, task.outputs);
    document.sensitivity().measure(std::move(entry), document.file().path().string(),
                                   std::move(task));
}

NodeId nodeOf(const Document& document, const SensitiveLayer& layer)
{
    if (document.graph() != document.sensitivity().graph())
        return {};
    return document.graph()->find(layer.original);
}

void searchSmaller(Document& document)
{
    if (!canProfile(document))
        return;
    const RecipeSession& recipe = document.recipe();
    AutopilotSession& session = document.autopilot();
    const std::size_t steps = isShowingPoint(document) ? session.steps() : recipe.shown();
    AutopilotSession::Start start{document.graphs().entry(), document.file().path().string(),
                                  steps};
    start.entry.graph = graphAfter(recipe, steps);
    if (!start.entry.graph)
        return session.refuse(u"The shown state is not computed yet"_s);
    auto task = taskOf(document, steps);
    if (!task)
        return session.refuse(QString::fromStdString(task.error().message));
    session.search(std::move(start), *std::move(task));
}

bool isPointUsed(const Document& document, std::size_t point)
{
    const AutopilotSession& session = document.autopilot();
    const RecipeSession& recipe = document.recipe();
    return session.found() && point < session.found()->points.size() &&
           recipe.applied() == recipe.items().size() &&
           graphAfter(recipe, session.steps()) == session.graph() &&
           stepsAfter(recipe, session.steps()) == session.found()->points[point].recipe;
}

QString usePoint(Document& document, std::size_t point)
{
    AutopilotSession& session = document.autopilot();
    RecipeSession& recipe = document.recipe();
    const auto found = session.found();
    if (!found || point >= found->points.size())
        return u"No file was found yet"_s;
    if (graphAfter(recipe, session.steps()) != session.graph())
        return u"The graph that was searched is no longer there; search again"_s;
    const Recipe steps = found->points[point].recipe; // the end of a search may change the points
    if (session.isBusy())
        session.cancel();
    RecipeDraft draft;
    draft.items.assign(recipe.items().begin(),
                       recipe.items().begin() + std::ptrdiff_t(session.steps()));
    for (const RecipeStep& step : steps)
        draft.items.push_back({step, true});
    draft.applied = draft.items.size();
    const std::size_t all = draft.items.size();
    recipe.change(std::move(draft));
    recipe.show(all);
    return {};
}

} // namespace lapidary
