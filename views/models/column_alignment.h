// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// Returns the alignment of a table's column, for Qt::TextAlignmentRole of its cells and of its
// title: numbers at the right, texts at the left, both centered vertically.
int columnAlignment(bool isOfNumbers);

} // namespace lapidary
