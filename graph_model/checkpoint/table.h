// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/job.h"
#include "graph_model/check/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct TableEntry {
    std::string key;
    std::string_view value;
};

// A sorted string table, the container of both checkpoint formats (spec: tools, section 8), read as
// a whole. Values point into the file, or into `unpacked` if their block is compressed.
struct Table {
    std::vector<TableEntry> entries; // in file order
    std::vector<BufferPtr> unpacked;
    bool isSorted = true;         // keys strictly ascending
    std::optional<Problem> fault; // the reason why the table cannot be used
};
// Never allocates by a size that the file merely claims. O(bytes).
Table readTable(std::string_view file, const Job& job);

} // namespace lapidary
