// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace lapidary {

// Gives a widget that floats above the window a shadow; other widgets have none.
void castShadow(QWidget* floating);

} // namespace lapidary
