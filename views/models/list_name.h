// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace lapidary {

// A part of a name in a list of names, and its importance there.
struct ListNamePart {
    enum class Worth {
        Common,  // all names in the list have the same part at this index, or none
        Varies,  // other names have another part, but the neighbors in the list have the same
        Differs, // a neighbor has another part
    };
    QString text;
    Worth worth = Worth::Differs;
    qsizetype differsAt = -1; // index of the first letter that differs from a neighbor's; -1: not
                              // known
};
using ListName = std::vector<ListNamePart>;

// Returns the parts with "/" between them. If `fits` rejects that, less important parts become "…",
// and then the longest ones are cut in the middle, so that neighbors in the list can still be told
// apart; if that does not fit either, only the last one is left.
QString shortened(const ListName& name, const std::function<bool(const QString&)>& fits);

// Returns the name of a node or tensor without the parts that the names above and below it in a
// table share, or, if there are none, without its first ones. The parts in which it differs from
// these are kept longest, those nearest to its end first. Other texts, which have blanks or no "/",
// are returned unchanged.
QString shortenedPath(const QString& name, const std::function<bool(const QString&)>& fits,
                      const QStringList& neighbors = {});

} // namespace lapidary
