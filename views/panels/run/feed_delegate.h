// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/base/elided_name.h"

namespace lapidary {

// Draws the cells of the inputs. In a narrow table a cell has a second, muted line, so that every
// column shows its whole content: the type below the input, the value below its source.
class FeedDelegate : public NameDelegate {
    Q_OBJECT
public:
    using NameDelegate::NameDelegate;

    void setTwoLines(bool areTwo) { m_areTwo = areTwo; }
    bool areTwoLines() const { return m_areTwo; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    bool m_areTwo = false;
};

} // namespace lapidary
