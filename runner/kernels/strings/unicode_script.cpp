// SPDX-License-Identifier: Apache-2.0
// UnicodeScript: the script of each code point, by ICU's number; -1 if it is not a code point.
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lapidary {
namespace {

struct ScriptChange {
    std::int32_t first = 0; // first code point of the script
    std::int32_t script = 0;
};

// Sorted by code point; the first entry is for code point 0.
constexpr auto scriptChanges = std::to_array<ScriptChange>({
#include "unicode_scripts.inc"
});

std::int32_t scriptOf(std::int32_t point)
{
    if (point < 0 || point > 0x10FFFF)
        return -1;
    const auto* const next =
        std::ranges::upper_bound(scriptChanges, point, {}, &ScriptChange::first);
    return std::prev(next)->script;
}

Status runUnicodeScript(KernelContext& context)
{
    const Value& points = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int32, points.dims()));
    std::ranges::transform(points.as<std::int32_t>(), made.mutableAs<std::int32_t>().begin(),
                           scriptOf);
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(UnicodeScript, runUnicodeScript);

} // namespace lapidary
