// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace lapidary {

class ExportDialog;
struct WindowParts;

// Asks how the graph that is shown is to be exported to TFLite or ONNX, and does it. Errors and the
// report are shown in the dialog, which is returned.
ExportDialog* askToExport(const WindowParts& window);

// Returns whether a dialog of the window exports something now, or looks for sizes.
bool isExporting(const QWidget& window);

} // namespace lapidary
