// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <string>

namespace lapidary {

// Fails if the strings that one op makes take more bytes than the memory limit: string data is not
// in the memory pool.
Status checkTextSize(const KernelContext& context, std::uint64_t bytes);
// Returns the end of the UTF-8 character at `at`; a byte that starts no character counts as one.
std::size_t nextCharacter(std::string_view text, std::size_t at);
// Sets an output to a vector of int64.
Status giveNumbers(KernelContext& context, std::size_t output,
                   const std::vector<std::int64_t>& numbers);

// Computes y[i] = op(x[i]).
template <class Op>
Status mapStrings(KernelContext& context, const Op& op)
{
    const Value& x = context.input(0);
    std::vector<std::string> out;
    out.reserve(x.strings().size());
    for (const std::string& text : x.strings()) {
        if (out.size() % 256 == 0 && context.job().cancelled())
            return cancelledError();
        out.push_back(op(text));
    }
    return context.setOutput(0, Value::ofStrings(x.dims(), std::move(out)));
}

} // namespace lapidary
