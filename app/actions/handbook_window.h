// SPDX-License-Identifier: Apache-2.0
#pragma once

class QString;
class QWidget;

namespace lapidary {

// Shows the handbook in a modeless window: its contents with a search at the left, the page at the
// right. It begins with `firstPage`, whose list of links is the contents.
void showHandbook(QWidget* window, const QString& firstPage);

} // namespace lapidary
