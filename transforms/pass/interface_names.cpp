// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/interface_names.h"

namespace lapidary {

std::string_view nodeOfInput(std::string_view text)
{
    if (text.starts_with('^'))
        text.remove_prefix(1);
    return text.substr(0, text.find(':'));
}

std::set<std::string, std::less<>> interfaceNodes(const PassArgs& args)
{
    std::set<std::string, std::less<>> names;
    for (const auto* list : {&args.inputs, &args.outputs})
        for (const std::string& name : *list)
            names.emplace(nodeOfInput(name));
    return names;
}

} // namespace lapidary
