// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainterPath>
#include <QRectF>

namespace lapidary {

// Returns the parts of a line that can be seen in `area`: its pieces (halved while they are far
// larger than the area) whose control points' bounding box meets the area. Stroking takes time for
// the whole length of a line, and routes of a large picture are thousands of screens long. In a
// `dashed` line, each piece begins its dashes anew, so that they keep their positions while the
// area moves.
QPainterPath visiblePieces(const QPainterPath& path, const QRectF& area, bool dashed);

} // namespace lapidary
