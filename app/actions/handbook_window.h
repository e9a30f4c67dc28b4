// SPDX-License-Identifier: Apache-2.0
#pragma once

class QString;
class QWidget;

namespace lapidary {

// The handbook in a window that need not be answered: its contents with a search at the left, the
// page at the right. It begins with `firstPage`, whose list of links is the contents.
void showHandbook(QWidget* window, const QString& firstPage);

} // namespace lapidary
