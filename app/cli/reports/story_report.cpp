// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/story_report.h"

#include "graph_model/base/printable.h"

#include <ostream>

namespace lapidary {

void printStory(const DifferenceList& list, std::ostream& out)
{
    const DifferenceStory& story = list.story;
    if (story.summary.empty())
        return;
    out << story.summary << ".\n";
    if (!list.isLong())
        return;
    for (const StoryRow& row : story.rows)
        out << "  " << (row.scope.empty() ? "(no scope)" : printable(row.scope)) << ": "
            << ruleText(row.rule, row.changes.size()) << '\n';
    out << '\n';
}

Json storyJson(const DifferenceList& list)
{
    Json changes = Json::array();
    for (const StoryRow& row : list.story.rows)
        for (const std::uint32_t c : row.changes) {
            const Change& change = list.story.changes[c];
            Json nodes = Json::array();
            for (const std::uint32_t step : change.steps)
                nodes.push_back(list.steps[step].name);
            changes.push_back({{"rule", row.rule},
                               {"scope", row.scope},
                               {"before", change.before},
                               {"after", change.after},
                               {"nodes", std::move(nodes)}});
        }
    return changes;
}

} // namespace lapidary
