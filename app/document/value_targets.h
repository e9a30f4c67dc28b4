// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/run/value_runs.h"

#include <QString>

namespace lapidary {

class Document;

// The values that are computed for the selected node or scope.
struct SelectedTarget {
    QString name; // of the node or scope; empty: no selection
    ValueTarget what;
    QString obstacle = {}; // why nothing can be computed; empty: it can be tried
};

SelectedTarget selectedTarget(const Document& document);

// Returns the graph whose run computes a target: the one that is shown, or that of the file, which
// calls the function.
const GraphPtr& graphOf(const Document& document, const ValueTarget& target);

} // namespace lapidary
