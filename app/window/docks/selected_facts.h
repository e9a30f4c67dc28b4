// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/models/node_facts.h"

namespace lapidary {

// Of several selected boxes, which they are.
FactSections selectedFacts(const Document& document);
// The note of the box that is selected, if it has one.
FactSections noteFacts(const Document& document);
// All of them as lines, to tell whether they changed.
QString textOf(const FactSections& sections);

} // namespace lapidary
