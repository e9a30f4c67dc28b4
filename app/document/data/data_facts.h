// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/data/data_session.h"
#include "views/models/node_facts.h"

namespace lapidary {

// What the numbers of the session say of a node.
FactSections dataFacts(const DataSession& session, ItemId item);

} // namespace lapidary
