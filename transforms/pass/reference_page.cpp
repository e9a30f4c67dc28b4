// SPDX-License-Identifier: Apache-2.0
// Makes the page of all passes from nothing but the table of passes.
#include "transforms/pass/reference_page.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::string_view introduction = R"(# All passes

This page is made from the table of passes: `lapidary transform --reference` prints it, and
`lapidary transform --describe PASS` the part of one pass. How recipes are written is said in
[transforming](transforming.md). Every pass also takes `ignore_errors=true`: where it fails, it is
left out.

All passes keep the version stamp and the function library, inline_functions and lower_control_flow
without the functions that nothing calls any more, and give back the very same graph where there is
nothing to do. Where TensorFlow's tool crashes on a node without a name or without an attribute, the
node is left alone here, or the pass fails with a message that names it.
)";

// Fills each line with as many words as fit.
std::string wrapped(const std::string& text, const std::string& indent)
{
    constexpr std::size_t width = 100;
    std::string out;
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t blank = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, blank - at);
        at = blank + 1;
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            out += line + "\n";
            line = indent + word;
        } else {
            line += (line.empty() ? "" : " ") + word;
        }
    }
    return out + line + "\n";
}

std::string block(std::string_view title, std::string_view lines)
{
    std::string out;
    std::string lead(title);
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        out += "    " + lead + std::string(lines.substr(0, end)) + "\n";
        lead = std::string(title.size(), ' ');
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return out;
}

std::string parameterLine(const ParameterSpec& spec)
{
    std::string line =
        "- `" + std::string(spec.name) + "` (" + std::string(parameterTypeName(spec.type));
    if (spec.isRequired)
        line += ", required";
    if (spec.isRepeated)
        line += ", may be repeated";
    if (!spec.defaultText.empty())
        line += ", default `" + std::string(spec.defaultText) + "`";
    return wrapped(line + "): " + std::string(spec.help), "  ");
}

} // namespace

std::string passReference(const Pass& pass)
{
    std::string out = "## " + std::string(pass.name) + "\n\n" +
                      wrapped(std::string(pass.summary), "") + "\n" +
                      block("before:  ", pass.before) + block("after:   ", pass.after);
    if (!pass.parameters.empty())
        out += "\n";
    for (const ParameterSpec& spec : pass.parameters)
        out += parameterLine(spec);
    if (!pass.declines.empty())
        out += "\n" + wrapped("**Leaves alone:** " + std::string(pass.declines), "");
    if (!pass.differences.empty())
        out += "\n" + wrapped("**Against the original:** " + std::string(pass.differences), "");
    if (pass.repeats)
        out += "\n" + wrapped("A second run changes the graph again, as the original's does.", "");
    return out;
}

std::string passReferencePage()
{
    std::string page(introduction);
    for (const Pass* pass : allPasses())
        page += "\n" + passReference(*pass);
    return page;
}

} // namespace lapidary
