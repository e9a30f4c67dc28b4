#include "transforms/recipe/text_fault.h"

#include "graph_model/base/printable.h"

#include <algorithm>

namespace lapidary {

Error textFault(std::string_view kind, std::string_view text, std::size_t at,
                const std::string& what)
{
    constexpr std::size_t shown = 40;
    const std::string_view before = text.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
    std::string where;
    if (at < text.size())
        where = " at \"" + printable(text.substr(at, shown)) + "\"";
    return {ErrorCode::InvalidArgument, std::string(kind) + ", line " + std::to_string(line) +
                                            ", column " + std::to_string(column) + ": " + what +
                                            where};
}

} // namespace lapidary
