// SPDX-License-Identifier: Apache-2.0
#include "app/document/file/shown_state.h"

#include "app/boxed/boxed_runs.h"
#include "app/boxed/run_limits.h"
#include "app/document/file/graph_choice.h"
#include "app/document/file/interface_session.h"
#include "app/document/file/opened_file.h"
#include "app/document/picture/picture.h"
#include "app/document/recipe/recipe_session.h"

namespace lapidary {
namespace {

std::vector<std::pair<std::string, Shape>> chosenShapes(const InterfaceChoice& choice)
{
    std::vector<std::pair<std::string, Shape>> shapes;
    for (const ChosenTensor& input : choice.inputs)
        if (!input.shape.unknownRank)
            shapes.emplace_back(input.tensor, input.shape);
    return shapes;
}

// Returns a function that compares a state with the original, with the same random inputs for both.
StateVerdicts::Verify verifier(const OpenedFile& file, const GraphChoice& graphs,
                               const std::vector<std::pair<std::string, Shape>>& shapes)
{
    return [model = file.model(), entry = std::size_t(graphs.entryNumber()),
            path = file.path().string(), shapes](const GraphPtr& original, const GraphPtr& state,
                                                 const RecipeEnds& ends, const Job& job) {
        GraphEntry before = model->graphs[entry];
        before.graph = original;
        RunPlan run;
        run.inputs = ends.inputs;
        run.otherInputs = RandomFeed{};
        run.fetches = ends.outputs;
        run.shapes = shapes;
        run.session.threads = runLimits().threads;
        run.session.memoryLimit = runLimits().memory;
        return verifyBoxed({.entry = before,
                            .other = state,
                            .path = path,
                            .plan = {.run = std::move(run), .options = {}, .pictures = {}}},
                           job);
    };
}

} // namespace

ShownState::ShownState(const OpenedFile& file, const GraphChoice& graphs, Picture& picture,
                       const InterfaceSession& interface, RecipeSession& recipe)
    : m_file(file)
    , m_graphs(graphs)
    , m_picture(picture)
    , m_interface(interface)
    , m_recipe(recipe)
{
}

void ShownState::start()
{
    m_fedShapes = chosenShapes(m_interface.originalChoice());
    m_recipe.setBase(m_graphs.entry().graph, verifier(m_file, m_graphs, m_fedShapes));
}

void ShownState::renewEnds()
{
    if (m_graphs.isInFunction())
        return;
    const InterfaceChoice choice = m_interface.originalChoice();
    m_recipe.setEnds({tensorsAsFlags(choice.inputs), tensorsAsFlags(choice.outputs)});
    Shapes shapes = chosenShapes(choice);
    if (shapes == m_fedShapes || !m_file.model())
        return;
    m_fedShapes = std::move(shapes);
    m_recipe.verdicts().setVerify(verifier(m_file, m_graphs, m_fedShapes));
}

void ShownState::follow()
{
    const GraphPtr& graph = m_recipe.shownGraph();
    if (graph && m_picture.graph() && !m_graphs.isInFunction())
        m_picture.replace(graph, m_interface.givenShapes(*graph));
}

std::uint64_t ShownState::bytes() const
{
    if (m_graphs.isOriginal())
        return m_file.model() ? m_file.model()->bytes : 0;
    for (const RecipeSession::Place& place : m_recipe.places())
        if (place.state && place.state->graph() == m_picture.graph())
            return place.state->bytes;
    return 0;
}

} // namespace lapidary
