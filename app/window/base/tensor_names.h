// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <string>
#include <vector>

namespace lapidary {

// Convert tensors to a field's text, "logits, boxes:1", and back; blanks around a comma are
// ignored.
QString namesText(const std::vector<std::string>& tensors);
std::vector<std::string> namesIn(const QString& text);

} // namespace lapidary
