// SPDX-License-Identifier: Apache-2.0
// RegexReplace, RegexFullMatch and their static forms (RE2's syntax; `\1` in a rewrite is a group).
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"

#include <memory>

#include <re2/re2.h>

namespace lapidary {
namespace {

// The last pattern, compiled once.
struct Compiled {
    std::unique_ptr<RE2> expression;
};

// Returns the pattern of the attribute if the op is static, else that of input 1.
Result<const RE2*> pattern(KernelContext& context)
{
    const bool isStatic = context.node().op().starts_with("Static");
    if (!isStatic && !context.input(1).isScalar())
        return context.error("the pattern must be a scalar");
    const std::string text =
        isStatic ? std::string(context.stringAttr("pattern")) : context.input(1).strings()[0];
    auto& compiled = context.state<Compiled>();
    if (!compiled.expression || compiled.expression->pattern() != text) {
        RE2::Options options;
        options.set_log_errors(false);
        compiled.expression = std::make_unique<RE2>(text, options);
    }
    if (!compiled.expression->ok())
        return context.error("the pattern '" + text.substr(0, 100) +
                             "' is not valid: " + compiled.expression->error());
    return compiled.expression.get();
}

Status runReplace(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto expression, pattern(context));
    const bool isStatic = context.node().op().starts_with("Static");
    if (!isStatic && !context.input(2).isScalar())
        return context.error("the rewrite must be a scalar");
    const std::string rewrite =
        isStatic ? std::string(context.stringAttr("rewrite")) : context.input(2).strings()[0];
    const bool everywhere = context.boolAttr("replace_global", true);
    Status status = Done{};
    const Status given = mapStrings(context, [&](std::string text) {
        if (everywhere)
            RE2::GlobalReplace(&text, *expression, rewrite);
        else
            RE2::Replace(&text, *expression, rewrite);
        if (status)
            status = checkTextSize(context, text.size());
        return text;
    });
    return status ? given : status;
}

Status runMatch(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto expression, pattern(context));
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, x.dims()));
    for (std::size_t i = 0; i < x.strings().size(); ++i)
        made.mutableAs<bool>()[i] = RE2::FullMatch(x.strings()[i], *expression);
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(RegexReplace, runReplace);
LAPIDARY_KERNEL(StaticRegexReplace, runReplace);
LAPIDARY_KERNEL(RegexFullMatch, runMatch);
LAPIDARY_KERNEL(StaticRegexFullMatch, runMatch);

} // namespace lapidary
