// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lifted_functions.h"

#include <algorithm>

namespace lapidary {
namespace {

// Reduces `kept` to the facts that both callers have in common. Returns whether it changed.
bool widen(TensorState& kept, const TensorState& other)
{
    const bool isKnown = kept.known == other.known ||
                         (kept.known && other.known && !kept.known->floats &&
                          !other.known->floats && kept.known->items == other.known->items);
    Shape common = commonShape(kept.shape, other.shape);
    const bool isWider = common != kept.shape || (kept.known && !isKnown);
    kept.shape = std::move(common);
    if (!isKnown)
        kept.known = nullptr;
    return isWider;
}

// Adds the types of a body that the file does not declare.
void addTypes(std::vector<FunctionArgument>& ends, const std::vector<TensorState>& states)
{
    for (std::size_t i = 0; i < std::min(ends.size(), states.size()); ++i)
        if (ends[i].dtype == DType::Invalid)
            ends[i].dtype = states[i].dtype;
}

constexpr std::size_t mostLevels = 64; // of nested calls of functions
constexpr int mostLifts = 8;           // of one body, for different sizes of its callers

} // namespace

void LiftedFunctions::keep(std::shared_ptr<Function> function)
{
    const auto [at, isNew] = m_library->byName.emplace(function->name, m_library->functions.size());
    if (isNew) {
        m_library->functions.push_back(std::move(function));
        return;
    }
    // The name in this entry is a view of the other function's own.
    const std::size_t place = at->second;
    m_library->byName.erase(at);
    m_library->byName.emplace(function->name, place);
    m_library->functions[place] = std::move(function);
}

bool LiftedFunctions::lift(const Function& function, Call& call)
{
    m_inProgress.insert(function.name);
    call.results.clear();
    GraphPtr body = m_lifter(function, call.arguments, call.results);
    m_inProgress.erase(function.name);
    if (body == nullptr)
        return false;
    auto lifted = std::make_shared<Function>(function);
    lifted->body = std::move(body);
    addTypes(lifted->arguments, call.arguments);
    addTypes(lifted->results, call.results);
    keep(std::move(lifted));
    return true;
}

LiftedFunctions::Called LiftedFunctions::call(std::string_view name,
                                              std::vector<TensorState> arguments)
{
    const FunctionPtr source = find(name);
    // A caller with fewer arguments than the body has could expand to more than the file contains.
    if (source == nullptr || m_inProgress.contains(source->name) ||
        m_inProgress.size() >= mostLevels || arguments.size() != source->arguments.size())
        return {};
    const auto [at, isNew] = m_calls.try_emplace(std::string(name));
    Call& call = at->second;
    bool isWider = isNew;
    if (isNew)
        call.arguments = std::move(arguments);
    else
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
            isWider = widen(call.arguments[i], arguments[i]) || isWider;
    if (isWider && ++call.lifts > mostLifts)
        for (TensorState& argument : call.arguments) { // so that nothing later is wider
            argument.shape = unknownShape();
            argument.known = nullptr;
        }
    if (isWider && !lift(*source, call))
        return {};
    return {m_library->find(name), call.results};
}

bool LiftedFunctions::liftRest()
{
    if (m_source == nullptr)
        return true;
    for (const FunctionPtr& function : m_source->functions) {
        const auto [at, isNew] = m_calls.try_emplace(std::string(function->name));
        if (!isNew)
            continue;
        at->second.arguments.resize(function->arguments.size());
        if (!lift(*function, at->second))
            return false;
    }
    return true;
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
    return m_source == nullptr ? nullptr : m_source->find(name);
}

std::shared_ptr<const FunctionLibrary> LiftedFunctions::library() const
{
    return m_library->functions.empty() ? nullptr : m_library;
}

} // namespace lapidary
