// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace lapidary {

// Gives a widget that floats above the window the only shadow there is.
void castShadow(QWidget* floating);

} // namespace lapidary
