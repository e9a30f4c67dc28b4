// SPDX-License-Identifier: Apache-2.0
// StringStrip: each string without ASCII white space at its beginning and end.
#include "runner/guard/run_guard.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runStringStrip(KernelContext& context)
{
    constexpr std::string_view spaces = " \t\n\v\f\r";
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::String, context.input(0).dims()));
    auto to = made.mutableStrings().begin();
    for (const std::string& text : context.input(0).strings()) {
        stopPoint();
        const std::size_t first = text.find_first_not_of(spaces);
        *to++ = first == text.npos ? std::string()
                                   : text.substr(first, text.find_last_not_of(spaces) + 1 - first);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(StringStrip, runStringStrip);

} // namespace lapidary
