// SPDX-License-Identifier: Apache-2.0
#include "app/window/run/feed_rows.h"

#include "app/document/document.h"
#include "graph_model/interface/interface_flags.h"
#include "views/models/display_text.h"
#include "views/panels/run/picture_view.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Removes the input's name from a message, because the row shows it already.
QString withoutName(const QString& says, const QString& tensor)
{
    const QString name = u"input '"_s + tensor + u"' "_s;
    return says.startsWith(name) ? says.sliced(name.size()) : says;
}

} // namespace

FeedRows feedRows(const Document& document)
{
    FeedRows fed;
    for (const FedInput& input : document.feeds().inputs()) {
        const QString tensor = plainText(input.tensor.tensor);
        const bool isKnown = !input.shape.unknownRank;
        const FeedCheck& check = input.check;
        const QString says = check.inTable.isEmpty() ? check.says : check.inTable;
        fed.rows.push_back(
            {tensor, plainText(dtypeName(input.tensor.dtype)),
             isKnown ? plainText(typedShape(input.shape)).replace(u"-1"_s, u"?"_s) : u"?"_s,
             plainText(input.words), withoutName(says, tensor), check.isWrong});
        if (check.picture)
            fed.pictures[tensor] = imageOf(*check.picture);
    }
    return fed;
}

QString faultOf(const std::vector<FeedRow>& rows)
{
    const auto wrong = std::ranges::count_if(rows, &FeedRow::isWrong);
    if (wrong == 0)
        return {};
    return rows.size() == 1 ? u"The input cannot be fed"_s
                            : u"%1 of %2 inputs cannot be fed"_s.arg(
                                  exactText(wrong), exactText(std::int64_t(rows.size())));
}

} // namespace lapidary
