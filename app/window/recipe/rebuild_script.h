// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary {

class Document;
class RecipeSession;
struct WindowParts;

// The command line for the steps up to the state that is shown; for all where that is the original.
std::string commandFor(const Document& document, const RecipeSession& recipe);

// A state is shown whose steps are known.
bool canRebuild(const Document& document, const RecipeSession& recipe);
// Asks where to write a script that makes the state shown again from the file, and checks both.
void askToSaveScript(const WindowParts& window, const Document& document,
                     const RecipeSession& recipe);

} // namespace lapidary
