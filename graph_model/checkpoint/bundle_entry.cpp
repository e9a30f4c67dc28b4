// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/bundle_entry.h"

#include "graph_model/base/wire.h"

#include <utility>

namespace lapidary {

BundleEntry decodeBundleEntry(std::string_view proto)
{
    BundleEntry entry;
    WireReader reader(proto);
    while (reader.next()) {
        const bool isNumber = reader.type() == WireType::Varint;
        switch (reader.field()) {
        case 1: entry.dtype = isNumber ? DType(std::int32_t(reader.varint())) : entry.dtype; break;
        case 2: entry.shape = decodeShape(reader.bytes()); break;
        case 3: entry.shard = std::int32_t(reader.varint()); break;
        case 4: entry.offset = std::int64_t(reader.varint()); break;
        case 5: entry.size = std::int64_t(reader.varint()); break;
        case 6: entry.crc = std::uint32_t(reader.varint()); break;
        case 7: {
            auto slice = decodeSlice(reader.bytes());
            entry.isWhole &= slice.has_value();
            entry.slices.push_back(slice ? std::move(*slice) : Slice());
            break;
        }
        default: break;
        }
    }
    entry.isWhole &= !reader.failed();
    return entry;
}

BundleHeader decodeBundleHeader(std::string_view proto)
{
    BundleHeader header;
    WireReader reader(proto);
    while (reader.next()) {
        if (reader.field() == 1)
            header.shards = std::int32_t(reader.varint());
        else if (reader.field() == 2)
            header.isBigEndian = reader.varint() == 1;
        else if (reader.field() == 3)
            header.version = reader.bytes();
    }
    header.isWhole = !reader.failed();
    return header;
}

} // namespace lapidary
