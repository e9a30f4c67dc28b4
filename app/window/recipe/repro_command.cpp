// SPDX-License-Identifier: Apache-2.0
// The script that makes the state shown again.
#include "app/window/main_window.h"
#include "app/window/window_commands.h"
#include "graph_model/write/write_model.h"
#include "transforms/recipe/repro_script.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// The steps that made the state shown; nothing while one of them still runs.
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

// The file may have been written anew since it was read, and small ones are not kept open.
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

} // namespace

std::optional<std::size_t> WindowCommands::chosenGraph() const
{
    const std::vector<GraphEntry>& graphs = document()->file()->graphs;
    const auto mine = std::ranges::find(graphs, recipe()->base(), &GraphEntry::graph);
    if (graphs.size() < 2 || mine == graphs.end())
        return {};
    return std::size_t(mine - graphs.begin());
}

bool WindowCommands::canSaveScript() const
{
    if (recipe() == nullptr || !document()->file() || document()->isOriginal() ||
        document()->graph() != recipe()->shownGraph())
        return false;
    const auto steps = stepsOfState(*recipe());
    return steps && !steps->empty();
}

void WindowCommands::saveScript()
{
    Reproduction made;
    made.input = document()->path();
    made.graphNumber = chosenGraph();
    made.inputs = recipe()->ends().inputs;
    made.outputs = recipe()->ends().outputs;
    made.recipe = *stepsOfState(*recipe());
    made.version = LAPIDARY_VERSION;
    const GraphPtr state = document()->graph();
    if (m_savedState.lock() == state) {
        made.result = m_savedTo;
        made.isText = isTextPath(made.result);
    }
    const auto write = [this, made, state, file = document()->file()](const QString& path) mutable {
        const std::filesystem::path script = path.toStdString();
        if (made.result.empty())
            made.result = script.parent_path() / (made.input.stem().string() + ".transformed.pb");
        m_window.startWriting(path,
                              [made, state, file](const std::filesystem::path& to, const Job& job) {
                                  return writeScript(to, made, *file, *state, job);
                              });
    };
    askForFile(u"Save the script"_s, u"rebuild.sh"_s, u"Shell scripts (*.sh);;All files (*)"_s,
               write);
}

} // namespace lapidary
