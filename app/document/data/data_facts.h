// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/data/data_session.h"
#include "views/models/node_facts.h"

namespace lapidary {

// Returns the session's numbers for a node or scope.
FactSections dataFacts(const DataSession& session, ItemId item);

} // namespace lapidary
