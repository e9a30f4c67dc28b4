// SPDX-License-Identifier: Apache-2.0
#include "views/models/run/detection_text.h"

#include "views/models/display_text.h"

#include <QStringList>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QStringList leftOut(const Detections& found)
{
    QStringList parts;
    const auto add = [&](std::int64_t count, const QString& one, const QString& more) {
        if (count > 0)
            parts.append(exactText(count) + u' ' + (count == 1 ? one : more));
    };
    add(found.lower, u"with a lower score"_s, u"with a lower score"_s);
    add(found.overlapping, u"that overlaps a better one"_s, u"that overlap a better one"_s);
    add(found.further, u"beyond the most"_s, u"beyond the most"_s);
    add(found.notBoxes, u"without a size"_s, u"without a size"_s);
    return parts;
}

} // namespace

QString orderName(BoxOrder order)
{
    switch (order) {
    case BoxOrder::TopLeftBottomRight: return u"yxyx"_s;
    case BoxOrder::LeftTopRightBottom: return u"xyxy"_s;
    case BoxOrder::CenterAndSize: break;
    }
    return u"cxcywh"_s;
}

QString foundText(const Detections& found)
{
    const auto shown = std::int64_t(found.boxes.size());
    const QStringList without = leftOut(found);
    if (without.isEmpty())
        return counted(shown, u"box"_s, u"boxes"_s);
    return u"%1 of %2; left out: %3"_s.arg(
        exactText(shown), counted(found.all, u"box"_s, u"boxes"_s), without.join(u", "_s));
}

QString takenText(const Detections& found)
{
    QString text = u"Numbers are "_s + orderName(found.order);
    if (found.hasObjectness)
        text += u", scores are those of classes times that of any object"_s;
    if (found.noObject != NoObject::None)
        text += found.noObject == NoObject::First ? u", class 0 is background"_s
                                                  : u", the last class is background"_s;
    if (found.kind != ScoreKind::Plain)
        text += found.kind == ScoreKind::Softmax ? u", scores are the softmax of logits"_s
                                                 : u", scores are the sigmoid of logits"_s;
    return text;
}

} // namespace lapidary
