// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/node.h"
#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The fields of a line of text that are a key and its value, as in InitializeTableFromTextFile.
struct TextColumns {
    static constexpr std::int64_t lineNumber = -1;
    static constexpr std::int64_t wholeLine = -2;

    std::int64_t key = 0; // the number of a column, or one of those above
    std::int64_t value = 0;
    std::int64_t most = -1; // vocab_size: the number of lines that are read; -1: all
    std::string delimiter = "\t";
    DType keyType = DType::Invalid;
    DType valueType = DType::Invalid;
};

// Reads the attributes of such a node, for a table of these types.
TextColumns textColumnsOf(const Node& filler, DType keyType, DType valueType);

// Returns the key and the value of each line, as the bytes of an element (of a string: the string).
// Errors name the line or the column: it is missing, it is not a number of the type, its type is
// impossible for the column, or there are fewer lines than vocab_size.
Result<std::vector<std::pair<std::string, std::string>>> textRows(std::string_view content,
                                                                  const TextColumns& columns);

} // namespace lapidary
