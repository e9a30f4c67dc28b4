// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace lapidary {

class ExportDialog;
struct WindowParts;

// Asks how to export the shown graph to TFLite or ONNX, and exports it. Returns the dialog, which
// shows errors and the report.
ExportDialog* askToExport(const WindowParts& window);

// Tells whether a dialog of the window is exporting, or searching for sizes.
bool isExporting(const QWidget& window);

} // namespace lapidary
