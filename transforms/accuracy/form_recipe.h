// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/layer_form.h"
#include "transforms/recipe/recipe.h"

#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// Layers by the names of their products, with the form of each.
using NamedForms = std::vector<std::pair<std::string, LayerForm>>;

// Returns the steps that store the layers in these forms: one for each form that occurs.
Recipe formSteps(const NamedForms& layers);
// Returns the graph after these steps; the same pointer if they find nothing to do.
Result<GraphPtr> withForms(const GraphPtr& graph, const NamedForms& layers, const Job& job);

} // namespace lapidary
