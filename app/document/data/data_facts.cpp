// SPDX-License-Identifier: Apache-2.0
#include "app/document/data/data_facts.h"

#include "views/models/data/data_text.h"
#include "views/models/display_text.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

FactSections dataFacts(const DataSession& session, ItemId item)
{
    const DataTablePtr& table = session.table();
    const auto row =
        table && item.isValid() && item.isNode() ? table->rowOf(item.node()) : std::nullopt;
    if (!row)
        return {};
    FactSection section{u"Node data"_s, {}, {}};
    for (std::size_t column = 0; column < table->columns().size(); ++column) {
        const auto number = table->number(*row, column);
        if (!number)
            continue;
        const DataTable::Column& of = table->columns()[column];
        section.facts.push_back({plainText(of.name),
                                 dataText(*number, of.unit),
                                 {},
                                 QString::number(*number, 'g', 17) + u' ' + plainText(of.unit) +
                                     u"\n"_s + plainText(of.source),
                                 {}});
    }
    return section.facts.empty() ? FactSections() : FactSections{std::move(section)};
}

} // namespace lapidary
