// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

class GraphChoice;
class InterfaceSession;
class OpenedFile;
class Picture;
class RecipeSession;

// Connects the recipe of a graph to its picture and interface: the picture shows the states that
// the recipe leads to instead of the file's graph.
class ShownState {
public:
    ShownState(const OpenedFile& file, const GraphChoice& graphs, Picture& picture,
               const InterfaceSession& interface, RecipeSession& recipe);

    void start();                // with the chosen graph of the file
    void renewEnds();            // passes the chosen interface to the recipe
    void follow();               // shows the state that the recipe wants to be shown
    std::uint64_t bytes() const; // size of the file, or of the state shown

private:
    using Shapes = std::vector<std::pair<std::string, Shape>>;

    const OpenedFile& m_file;
    const GraphChoice& m_graphs;
    Picture& m_picture;
    const InterfaceSession& m_interface;
    RecipeSession& m_recipe;
    Shapes m_fedShapes; // sizes of inputs for the verification of states
};

} // namespace lapidary
