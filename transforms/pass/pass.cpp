// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/pass.h"

#include <algorithm>

namespace lapidary {

std::string_view parameterTypeName(ParameterType type)
{
    switch (type) {
    case ParameterType::String: return "string";
    case ParameterType::Bool: return "bool";
    case ParameterType::Int32: return "int32";
    case ParameterType::Int64: return "int64";
    case ParameterType::Float: return "float";
    case ParameterType::Shape: return "shape";
    case ParameterType::Dtype: return "dtype";
    }
    return "";
}

std::size_t matchesOf(const Findings& findings)
{
    return std::size_t(std::ranges::count_if(findings, &std::string::empty, &Finding::why));
}

const Pass* findPass(std::string_view name)
{
    const auto passes = allPasses();
    const auto found = std::ranges::find(passes, name, &Pass::name);
    return found == passes.end() ? nullptr : *found;
}

} // namespace lapidary
