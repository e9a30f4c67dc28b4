// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/unread_output_shapes.h"

#include <algorithm>

namespace lapidary {

bool hasUnreadOutputShapes(std::string_view op)
{
    constexpr std::string_view names[] = {"Barrier",
                                          "BarrierIncompleteSize",
                                          "BarrierReadySize",
                                          "ConditionalAccumulator",
                                          "FIFOQueue",
                                          "FixedLengthRecordReader",
                                          "HashTable",
                                          "IdentityReader",
                                          "LMDBReader",
                                          "MutableHashTable",
                                          "MutableHashTableOfTensors",
                                          "PaddingFIFOQueue",
                                          "PriorityQueue",
                                          "QueueSize",
                                          "RandomShuffleQueue",
                                          "RefEnter",
                                          "RefIdentity",
                                          "RefMerge",
                                          "RefNextIteration",
                                          "RefSwitch",
                                          "SparseConditionalAccumulator",
                                          "Stack",
                                          "TFRecordReader",
                                          "TextLineReader",
                                          "WholeFileReader"};
    static_assert(std::ranges::is_sorted(names));
    return std::ranges::binary_search(names, op);
}

} // namespace lapidary
