// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/value_report.h"

#include <QString>

#include <memory>
#include <string>

namespace lapidary {

struct WindowParts;

// Returns a value in the format of the file's extension: .npy; .csv, only the shown slice if the
// value is shown as a table; .png, the picture, or the heat map if there is no picture.
Result<std::string> valueBytes(const ValueReport& report, const QString& path, const Job& job);

// Asks where to write a value, and writes it. `tensor`: its name, "x:0".
void askToSaveValue(const WindowParts& window, std::shared_ptr<const ValueReport> report,
                    const std::string& tensor);

// Returns the shown values as lines of numbers; fails if there are too many for a clipboard.
Result<std::string> valueLines(const ValueReport& report, const Job& job);

} // namespace lapidary
