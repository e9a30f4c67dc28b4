// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/digits.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/printable.h"
#include "graph_model/base/text.h"
#include "graph_model/base/utf8.h"
#include "graph_model/read/sniff.h"
#include "runner/node_data/parse_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::size_t mostBytes = std::size_t(256) << 20;

Error fault(const std::string& file, const std::string& why)
{
    return {ErrorCode::BadFile, printable(file) + ": " + why};
}

} // namespace

std::optional<double> numberIn(std::string_view text, bool hasDecimalComma)
{
    std::string plain(trimmed(text));
    if (hasDecimalComma && std::ranges::count(plain, ',') == 1 &&
        plain.find('.') == std::string::npos)
        std::ranges::replace(plain, ',', '.');
    if (plain.size() > 1 && plain[0] == '+' && plain[1] != '-')
        plain.erase(0, 1);
    const auto number = parsedNumber<double>(plain);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

bool isNameTitle(std::string_view title)
{
    static constexpr std::array<std::string_view, 9> titles{"node",      "name",        "node name",
                                                            "node_name", "id",          "node_id",
                                                            "tensor",    "tensor_name", "layer"};
    return std::ranges::find(titles, lowerCase(trimmed(title))) != titles.end();
}

NodeData titledData(std::string_view title)
{
    static constexpr std::string_view brackets[]{"[]", "()"};
    NodeData data;
    const std::string_view whole = trimmed(title);
    data.name = whole;
    for (const std::string_view pair : brackets) {
        const std::size_t open = whole.rfind(pair[0]);
        if (!whole.ends_with(pair[1]) || open == std::string_view::npos || open == 0)
            continue;
        data.name = trimmed(whole.substr(0, open));
        data.unit = trimmed(whole.substr(open + 1, whole.size() - open - 2));
    }
    return data;
}

Result<std::vector<NodeData>> parseNodeData(std::string_view bytes, const std::string& file,
                                            const Job& job)
{
    if (bytes.size() > mostBytes)
        return fault(file, "is larger than 256 MB, the most that values of nodes may take");
    if (bytes.starts_with(byteOrderMark))
        bytes.remove_prefix(byteOrderMark.size());
    if (bytes.find('\0') != std::string_view::npos || !isValidUtf8(bytes))
        return fault(file, "is not text; values of nodes are read from CSV and JSON");
    const std::string_view content = trimmed(bytes);
    if (content.empty())
        return fault(file, "is empty");
    const std::string title = std::filesystem::path(file).stem().string();
    const bool isJson = content.front() == '{' || content.front() == '[';
    auto columns = isJson ? parseJsonData(content, title) : parseCsvData(bytes, title, job);
    if (!columns)
        return columns.error().code == ErrorCode::Cancelled ? columns.error()
                                                            : fault(file, columns.error().message);
    std::erase_if(*columns, [](const NodeData& data) { return data.numbers.empty(); });
    if (columns->empty())
        return fault(file, "holds no number for any node");
    if (columns->size() > mostDataColumns)
        return fault(file, "has " + std::to_string(columns->size()) + " columns of numbers; " +
                               std::to_string(mostDataColumns) + " is the maximum");
    for (NodeData& data : *columns)
        data.source = file;
    return columns;
}

Result<std::vector<NodeData>> readNodeData(const std::filesystem::path& path, const Job& job)
{
    ASSIGN_OR_RETURN(const auto buffer, openFile(path));
    return parseNodeData(buffer->bytes(), path.filename().string(), job);
}

} // namespace lapidary
