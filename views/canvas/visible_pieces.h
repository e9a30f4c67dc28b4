#pragma once

#include <QPainterPath>
#include <QRectF>

namespace lapidary {

// What of a line can be seen in `area`: its pieces (halved while they are far larger than the
// area) whose control points' box meets it. A stroker's time goes with the length of a line, and
// the routes of a large picture are thousands of screens long. Where the line is `dashed` each
// piece begins its dashes anew, so that they stand still while the area moves.
QPainterPath visiblePieces(const QPainterPath& path, const QRectF& area, bool dashed);

} // namespace lapidary
