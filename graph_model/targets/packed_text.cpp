// SPDX-License-Identifier: Apache-2.0
#include "graph_model/targets/packed_text.h"

#include "graph_model/base/text.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include <zlib.h>

namespace lapidary {

std::string unpackText(const PackedText& packed)
{
    std::string text(packed.textSize, '\0');
    uLongf size = uLongf(text.size());
    [[maybe_unused]] const int outcome =
        uncompress(reinterpret_cast<Bytef*>(text.data()), &size, packed.bytes.data(),
                   uLong(packed.bytes.size()));
    assert(outcome == Z_OK && size == text.size());
    return text;
}

void forEachRow(std::string_view table, std::size_t columns,
                const std::function<void(std::span<const std::string_view> fields)>& take)
{
    std::vector<std::string_view> fields;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        std::string_view line = table.substr(0, end);
        table.remove_prefix(std::min(end + 1, table.size()));
        if (line.starts_with('#'))
            continue;
        fields.clear();
        while (true) {
            const std::size_t tab = std::min(line.find('\t'), line.size());
            fields.push_back(line.substr(0, tab));
            if (tab == line.size())
                break;
            line.remove_prefix(tab + 1);
        }
        fields.resize(std::max(fields.size(), columns));
        take(fields);
    }
}

std::string_view nextItem(std::string_view& rest, char separator)
{
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view item = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return trimmed(item);
}

} // namespace lapidary
