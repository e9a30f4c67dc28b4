// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace lapidary {

// A part of a name that is shown in a list of names, and what it is worth there.
struct ListNamePart {
    enum class Worth {
        Common,  // every name of the list has it, or nothing, at this place
        Varies,  // other names have another one, but the neighbors in the list have the same
        Differs, // a neighbor has another one
    };
    QString text;
    Worth worth = Worth::Differs;
};
using ListName = std::vector<ListNamePart>;

// Returns the parts with "/" between them. Where `fits` refuses that, parts that are worth less
// become "…", and then the longest ones are cut in the middle, so that neighbors in the list can
// still be told apart.
QString shortened(const ListName& name, const std::function<bool(const QString&)>& fits);

} // namespace lapidary
