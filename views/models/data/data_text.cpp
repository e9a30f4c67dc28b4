// SPDX-License-Identifier: Apache-2.0
#include "views/models/data/data_text.h"

#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double mostWhole = 9e15; // a double represents integers up to this exactly

QString unknownText(const DataTable::Column& column)
{
    constexpr std::size_t most = 3;
    QStringList names;
    for (std::size_t i = 0; i < std::min(column.unknown.size(), most); ++i)
        names.append(plainText(column.unknown[i]));
    if (column.unknown.size() > most)
        names.append(u"\u2026"_s);
    return u"; %1 not in this graph: %2"_s.arg(
        counted(std::int64_t(column.unknown.size()), u"name"_s), names.join(u", "_s));
}

// Tells whether each number has its own unit: "7.72 GFLOP", "2.1 MFLOP".
bool isScaled(std::string_view unit)
{
    return unit == "B" || unit == "FLOP";
}

} // namespace

QString dataText(double number, std::string_view unit)
{
    const bool isCount = number >= 0 && number < mostWhole;
    if (unit == "FLOP" && isCount)
        return flopsText(std::int64_t(number));
    if (unit == "B" && isCount)
        return bytesText(std::uint64_t(number));
    if (unit.empty() && isCount && number >= 1000 && std::floor(number) == number)
        return countText(std::int64_t(number));
    const QString text = valueText(number, 4);
    return unit.empty() ? text : text + u' ' + plainText(unit);
}

QString dataCell(double number, const DataTable::Column& column)
{
    return column.unit.empty() || isScaled(column.unit) ? dataText(number, column.unit)
                                                        : valueText(number, 4);
}

QString dataTitle(const DataTable::Column& column)
{
    return column.unit.empty() || isScaled(column.unit)
               ? plainText(column.name)
               : plainText(column.name) + u", "_s + plainText(column.unit);
}

QString dataSummary(const DataTable& table, std::size_t at)
{
    const DataTable::Column& column = table.columns()[at];
    QString text = u"%1: %2 of %3"_s.arg(plainText(column.source), exactText(column.nodes),
                                         counted(std::int64_t(table.graph()->size()), u"node"_s));
    if (column.isByPosition)
        text += u", by their positions"_s;
    if (!column.unknown.empty())
        text += unknownText(column);
    if (column.withoutNumber > 0)
        text += u"; %1 without a number"_s.arg(exactText(column.withoutNumber));
    return text;
}

} // namespace lapidary
