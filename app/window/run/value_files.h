// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/value_report.h"

#include <QString>

#include <memory>
#include <string>

namespace lapidary {

struct WindowParts;

// Returns a value in the format of the file's extension: .npy; .csv, of the slice that is shown if
// it is shown as a table; .png, of the picture, or of the heat map if it has no picture.
Result<std::string> valueBytes(const ValueReport& report, const QString& path, const Job& job);

// Asks where a value is to be written, and writes it there. `tensor`: its name, "x:0".
void askToSaveValue(const WindowParts& window, std::shared_ptr<const ValueReport> report,
                    const std::string& tensor);

// Returns what is shown as lines of numbers; fails if they are too many for a clipboard.
Result<std::string> valueLines(const ValueReport& report, const Job& job);

} // namespace lapidary
