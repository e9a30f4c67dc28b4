// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary {

class Document;
class RecipeSession;
struct WindowParts;

// Returns the command line for the steps up to the shown state; for all steps if the original is
// shown.
std::string commandFor(const Document& document, const RecipeSession& recipe);

// Tells whether a state is shown whose steps are known.
bool canRebuild(const Document& document, const RecipeSession& recipe);
// Asks where to write a script that makes the shown state from the file again and checks both.
void askToSaveScript(const WindowParts& window, const Document& document,
                     const RecipeSession& recipe);

} // namespace lapidary
