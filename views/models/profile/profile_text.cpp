// SPDX-License-Identifier: Apache-2.0
#include "views/models/profile/profile_text.h"

#include "views/models/display_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double millisecond = 1e6; // in ns

TimeColumn millisecondColumn()
{
    return {u"ms"_s, millisecond, 3};
}

} // namespace

QString timeText(double nanoseconds)
{
    if (nanoseconds > 0 && nanoseconds < 50)
        return u"%1 ns"_s.arg(std::max(nanoseconds, 1.0), 0, 'f', 0);
    if (nanoseconds < 999'500)
        return u"%1 \u00B5s"_s.arg(nanoseconds / 1000, 0, 'f', nanoseconds < 99'950 ? 1 : 0);
    return durationText(nanoseconds / millisecond);
}

QString TimeColumn::text(double time) const
{
    return QString::number(time / nanoseconds, 'f', decimals);
}

TimeColumn timeColumn(double largest)
{
    if (largest < millisecond)
        return {u"\u00B5s"_s, 1e3, 1};
    return millisecondColumn();
}

QString flopsText(std::int64_t flops)
{
    static constexpr std::array<QStringView, 5> units{u" FLOP", u" kFLOP", u" MFLOP", u" GFLOP",
                                                      u" TFLOP"};
    double number = double(flops);
    std::size_t unit = 0;
    while (std::abs(number) >= 999.5 && unit + 1 < units.size()) {
        number /= 1000;
        ++unit;
    }
    const int digits = unit == 0 || std::abs(number) >= 99.95 ? 0
                       : std::abs(number) < 9.995             ? 2
                                                              : 1;
    return QString::number(number, 'f', digits) + units[unit].toString();
}

QString shareText(double share)
{
    const double percent = share * 100;
    if (percent > 0 && percent < 0.05)
        return u"< 0.1 %"_s;
    return u"%1 %"_s.arg(percent, 0, 'f', 1);
}

} // namespace lapidary
