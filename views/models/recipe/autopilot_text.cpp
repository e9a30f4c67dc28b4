// SPDX-License-Identifier: Apache-2.0
#include "views/models/recipe/autopilot_text.h"

#include "views/models/display_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

QString formText(LayerForm form)
{
    if (form == LayerForm::Float)
        return u"float"_s;
    if (form == LayerForm::Run8)
        return u"computed in 8 bits"_s;
    return u"%1 bits%2"_s.arg(formBits(form))
        .arg(isPerChannel(form) ? u" per channel"_s : QString());
}

QString decibelText(double decibels)
{
    if (std::isinf(decibels))
        return decibels > 0 ? u"exact"_s : u"\u2212\u221e dB"_s;
    return QString::number(decibels, 'f', 1).replace(u'-', QChar(0x2212)) + u" dB"_s;
}

QString changeText(std::int64_t before, std::int64_t after)
{
    if (after <= 0 || before <= 0 || after == before)
        return u"as large"_s;
    if (after < before)
        return u"%1 times smaller"_s.arg(double(before) / double(after), 0, 'f', 2);
    return u"%1 % larger"_s.arg(100.0 * double(after - before) / double(before), 0, 'f', 1);
}

QString lossText(const AutopilotPoint& point)
{
    const double percent = 100 * std::max(point.loss, 0.0);
    if (point.isEstimated)
        return u"at most %1 % lost, estimated without data"_s.arg(percent, 0, 'f', 1);
    return percent > 0 ? u"%1 % of answers lost"_s.arg(percent, 0, 'f', 1) : u"no answer lost"_s;
}

QString formsText(const AutopilotPoint& point)
{
    QStringList parts;
    for (const LayerForm form : allLayerForms()) {
        const auto count = std::ranges::count(point.layers, form, &NamedForms::value_type::second);
        if (count > 0)
            parts.append((parts.isEmpty() ? counted(count, u"layer"_s) : exactText(count)) +
                         (form == LayerForm::Run8 ? u" "_s : u" in "_s) + formText(form));
    }
    return parts.join(u", "_s) + (point.isEqualized ? u"; equalized"_s : QString());
}

QString speedText(std::int64_t before, std::int64_t after)
{
    return u"%1 times as fast on this machine"_s.arg(
        after > 0 ? double(before) / double(after) : 0.0, 0, 'f', 2);
}

QString differenceText(const AutopilotPoint& point, const AutopilotPoint& other, int most)
{
    QStringList lines;
    int more = 0;
    for (const auto& [name, form] : point.layers) {
        const auto same = std::ranges::find(other.layers, name, &NamedForms::value_type::first);
        if (same == other.layers.end() || same->second == form)
            continue;
        if (lines.size() < most)
            lines.append(
                u"%1: %2, here %3"_s.arg(plainText(name), formText(same->second), formText(form)));
        else
            ++more;
    }
    if (more > 0)
        lines.append(u"and %1 more"_s.arg(counted(more, u"layer"_s)));
    return lines.join(u'\n');
}

} // namespace lapidary
