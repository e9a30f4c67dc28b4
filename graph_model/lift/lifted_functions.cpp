// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lifted_functions.h"

namespace lapidary {

void LiftedFunctions::keep(std::shared_ptr<Function> function)
{
    m_library->byName.emplace(function->name, m_library->functions.size());
    m_library->functions.push_back(std::move(function));
}

void LiftedFunctions::add(const Function& function, GraphPtr body)
{
    auto lifted = std::make_shared<Function>(function);
    lifted->body = std::move(body);
    keep(std::move(lifted));
}

void LiftedFunctions::add(const std::string& name, std::span<const DType> arguments,
                          std::span<const DType> results, GraphPtr body)
{
    auto function = std::make_shared<Function>();
    function->owner = makeBuffer(std::string(name));
    function->name = function->owner->bytes();
    for (const DType dtype : arguments)
        function->arguments.push_back({function->name, dtype, {}});
    for (const DType dtype : results)
        function->results.push_back({function->name, dtype, {}});
    function->body = std::move(body);
    keep(std::move(function));
}

FunctionPtr LiftedFunctions::find(std::string_view name) const
{
    FunctionPtr lifted = m_library->find(name);
    return lifted != nullptr || m_source == nullptr ? lifted : m_source->find(name);
}

std::shared_ptr<const FunctionLibrary> LiftedFunctions::library() const
{
    return m_library->functions.empty() ? nullptr : m_library;
}

} // namespace lapidary
