// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/rebuild_script.h"

#include "app/document/document.h"
#include "app/window/parts/file_questions.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/window_parts.h"
#include "graph_model/write/write_model.h"
#include "transforms/recipe/repro_script.h"

#include <algorithm>
#include <optional>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Returns the steps that made the shown state; none while one of them is still running.
std::optional<Recipe> stepsOfState(const RecipeSession& session)
{
    Recipe steps;
    for (std::size_t i = 0; i < std::min(session.shown(), session.places().size()); ++i) {
        const RecipeSession::Place& place = session.places()[i];
        if (place.status == RecipeSession::Status::Waiting)
            return {};
        if (place.status == RecipeSession::Status::Applied)
            steps.push_back(session.items()[i].step);
    }
    return steps;
}

// The file may have been rewritten since it was read; small files are not kept open.
Status checkUnchanged(const ModelFile& file, std::size_t number, const Job& job)
{
    ASSIGN_OR_RETURN(const auto now, readModel(file.path, job, {.check = false}));
    if (number < now.graphs.size()) {
        const auto then = graphSha256(*file.graphs[number].graph, false, job);
        const auto again = graphSha256(*now.graphs[number].graph, false, job);
        if (then && again && then.value() == again.value())
            return Done{};
        if (job.cancelled())
            return cancelledError();
    }
    return Error{ErrorCode::BadFile, file.path.string() +
                                         ": the file changed since it was opened; reload it "
                                         "before a script is made of it"};
}

Status writeScript(const std::filesystem::path& to, Reproduction made, const ModelFile& file,
                   const Graph& state, const Job& job)
{
    RETURN_IF_ERROR(checkUnchanged(file, made.graphNumber.value_or(0), job));
    ASSIGN_OR_RETURN(auto digest, graphSha256(state, made.isText, job));
    made.resultSha256 = std::move(digest);
    const auto script = reproScript(made, job);
    return script ? writeReproScript(to, script.value()) : Status(script.error());
}

// Returns the index of the recipe's graph in a file that holds several.
std::optional<std::size_t> chosenGraph(const Document& document, const RecipeSession& recipe)
{
    const std::vector<GraphEntry>& graphs = document.file().model()->graphs;
    const auto mine = std::ranges::find(graphs, recipe.base(), &GraphEntry::graph);
    if (graphs.size() < 2 || mine == graphs.end())
        return {};
    return std::size_t(mine - graphs.begin());
}

Recipe shownRecipe(const RecipeSession& session)
{
    RecipeDraft draft = session.draft();
    if (session.shown() > 0)
        draft.items.resize(std::min(draft.items.size(), session.shown()));
    return recipeOf(draft);
}

Reproduction reproduction(const Document& document, const RecipeSession& recipe, Recipe steps)
{
    Reproduction made;
    made.input = document.file().path();
    made.graphNumber = chosenGraph(document, recipe);
    made.inputs = recipe.ends().inputs;
    made.outputs = recipe.ends().outputs;
    made.recipe = std::move(steps);
    return made;
}

} // namespace

std::string commandFor(const Document& document, const RecipeSession& recipe)
{
    Reproduction made = reproduction(document, recipe, shownRecipe(recipe));
    made.result = "out.pb";
    return transformCommand(made);
}

bool canRebuild(const Document& document, const RecipeSession& recipe)
{
    if (!document.file().model() || document.graphs().isOriginal() ||
        document.graph() != recipe.shownGraph())
        return false;
    const auto steps = stepsOfState(recipe);
    return steps && !steps->empty();
}

void askToSaveScript(const WindowParts& window, const Document& document,
                     const RecipeSession& recipe)
{
    Reproduction made = reproduction(document, recipe, *stepsOfState(recipe));
    made.version = LAPIDARY_VERSION;
    const GraphPtr state = document.graph();
    made.result = window.writer->pathOf(state);
    made.isText = !made.result.empty() && isTextPath(made.result);
    const auto write = [writer = window.writer, made, state,
                        file = document.file().model()](const QString& path) mutable {
        const std::filesystem::path script = path.toStdString();
        if (made.result.empty())
            made.result = script.parent_path() / (made.input.stem().string() + ".transformed.pb");
        writer->write(path, [made, state, file](const std::filesystem::path& to, const Job& job) {
            return writeScript(to, made, *file, *state, job);
        });
    };
    window.questions->askToWrite(u"Save the script"_s, u"rebuild.sh"_s,
                                 u"Shell scripts (*.sh);;All files (*)"_s, write);
}

} // namespace lapidary
