// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>

namespace lapidary {

Status checkTextSize(const KernelContext& context, std::uint64_t bytes)
{
    if (bytes <= context.session().pool.limitBytes() / 4)
        return Done{};
    return context.error("would make " + std::to_string(bytes) +
                         " bytes of text, more than a quarter of the memory limit");
}

std::size_t nextCharacter(std::string_view text, std::size_t at)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    std::size_t length = 1;
    if (lead >= 0xF0 && lead < 0xF8)
        length = 4;
    else if (lead >= 0xE0 && lead < 0xF0)
        length = 3;
    else if (lead >= 0xC0 && lead < 0xE0)
        length = 2;
    return std::min(at + length, text.size());
}

Status giveNumbers(KernelContext& context, std::size_t output,
                   const std::vector<std::int64_t>& numbers)
{
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(output, DType::Int64, {std::int64_t(numbers.size())}));
    std::ranges::copy(numbers, made.mutableAs<std::int64_t>().begin());
    return Done{};
}

} // namespace lapidary
