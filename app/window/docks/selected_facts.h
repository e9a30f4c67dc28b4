// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/models/node_facts.h"

namespace lapidary {

// Returns the list of the selected boxes if there are several; else nothing.
FactSections selectedFacts(const Document& document);
// Returns the note of the selected box, if it has one.
FactSections noteFacts(const Document& document);
// Returns the facts as lines, to tell whether they changed.
QString textOf(const FactSections& sections);

} // namespace lapidary
