// SPDX-License-Identifier: Apache-2.0
// Print: passes its input on and writes the data, at most first_n times. PrintV2: writes a text.
// The text is kept for the caller of the run.
#include "runner/kernels/checks/value_text.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::size_t mostText = 1 << 26; // bytes in one step; the rest is dropped

struct Calls {
    std::int64_t count = 0;
};

void write(KernelContext& context, std::string_view text)
{
    std::string& printed = context.session().printed;
    printed += text.substr(0, mostText - std::min(mostText, printed.size()));
}

Status runPrint(KernelContext& context)
{
    auto& calls = context.state<Calls>();
    const std::int64_t most = context.intAttr("first_n", -1);
    if (most < 0 || calls.count < most) {
        ++calls.count;
        std::string text(context.stringAttr("message"));
        for (std::size_t i = 1; i < context.inputCount(); ++i)
            text += "[" + summaryText(context.input(i), context.intAttr("summarize", 3)) + "]";
        write(context, text + "\n");
    }
    return context.setOutput(0, context.input(0));
}

Status runV2(KernelContext& context)
{
    const Value& text = context.input(0);
    // The runtime only requires that there is one element, unlike the import.
    if (text.elements() != 1)
        return context.error("its input must be a scalar, but its shape is " +
                             dimsText(text.dims()));
    constexpr std::array<std::string_view, 5> streams{"stderr", "stdout", "log(info)",
                                                      "log(warning)", "log(error)"};
    const std::string_view stream = context.stringAttr("output_stream", "stderr");
    if (std::ranges::find(streams, stream) == streams.end())
        return context.error("cannot print to '" + std::string(stream) +
                             "'; stderr, stdout and log(info|warning|error) can be printed to");
    const bool hasEnd = context.node().hasAttr("end");
    if (!stream.starts_with("log"))
        write(context,
              text.strings()[0] + (hasEnd ? std::string(context.stringAttr("end")) : "\n"));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Print, runPrint);
LAPIDARY_KERNEL(PrintV2, runV2);

} // namespace lapidary
