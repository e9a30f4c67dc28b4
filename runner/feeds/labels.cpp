// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/labels.h"

#include "graph_model/base/mapped_file.h"

#include <algorithm>
#include <string_view>

namespace lapidary {

Result<std::vector<std::string>> readLabels(const std::string& path)
{
    ASSIGN_OR_RETURN(const auto file, openFile(path));
    std::vector<std::string> labels;
    std::string_view left = file->bytes();
    while (!left.empty()) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        std::string_view line = left.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        labels.emplace_back(line);
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return labels;
}

} // namespace lapidary
