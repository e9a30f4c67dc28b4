// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/checkpoint/slice.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lapidary {

// The entry of one variable, or of one slice of it, in the index of a checkpoint of version 2.
struct BundleEntry {
    DType dtype = DType::Invalid;
    Shape shape;
    std::int32_t shard = 0;
    std::int64_t offset = 0;
    std::int64_t size = 0;
    std::uint32_t crc = 0;
    std::vector<Slice> slices;
    bool isWhole = true;   // the whole message was readable
    bool isRepeat = false; // shares its bytes with too many other entries
};
BundleEntry decodeBundleEntry(std::string_view proto);

struct BundleHeader {
    std::int32_t shards = 0;
    bool isBigEndian = false;
    std::string_view version;
    bool isWhole = true;
};
BundleHeader decodeBundleHeader(std::string_view proto);

} // namespace lapidary
