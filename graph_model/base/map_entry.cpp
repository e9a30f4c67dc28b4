// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/map_entry.h"

#include "graph_model/base/wire.h"

namespace lapidary {

std::pair<std::string_view, std::string_view> readMapEntry(std::string_view entry)
{
    std::pair<std::string_view, std::string_view> pair;
    WireReader reader(entry);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (reader.field() == 1)
            pair.first = reader.bytes();
        else if (reader.field() == 2)
            pair.second = reader.bytes();
    }
    return pair;
}

} // namespace lapidary
