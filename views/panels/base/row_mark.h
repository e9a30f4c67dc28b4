// SPDX-License-Identifier: Apache-2.0
#pragma once

class QEvent;
class QRect;

namespace lapidary {

// Tells whether an event on a row asks to switch its mark: a left click within the first
// `markSpace` pixels of the row, or the space key.
bool togglesMark(const QEvent& event, const QRect& row, int markSpace);

} // namespace lapidary
