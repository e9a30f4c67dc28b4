// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/state/optimizer.h"

#include "graph_model/ops/op_registry.h"

#include <algorithm>

namespace lapidary {
namespace {

Status checkNumbers(const KernelContext& context, const TrainingInputs& inputs, DType dtype)
{
    for (const std::size_t i : inputs.numbers) {
        const Value& number = context.input(i);
        if (!number.isScalar())
            return context.error("its input " + std::to_string(i) +
                                 " must be a single number, but is " + dimsText(number.dims()));
        if (number.dtype() != dtype && number.integers().empty())
            return context.error("its input " + std::to_string(i) + " is " +
                                 dtypeName(number.dtype()) + ", but the variable is " +
                                 dtypeName(dtype));
    }
    return Done{};
}

// Returns whether a gradient of rows has their sizes, and as many rows as there are indices.
bool fitsRows(const Dims& gradient, const Dims& variable, const Value& rows)
{
    return !variable.empty() && gradient.size() == variable.size() && rows.isVector() &&
           gradient[0] == rows.dim(0) &&
           std::equal(gradient.begin() + 1, gradient.end(), variable.begin() + 1);
}

Status checkTrained(const KernelContext& context, const TrainingInputs& inputs,
                    const std::vector<std::shared_ptr<Variable>>& all)
{
    const Value& trained = all[0]->value();
    for (const auto& each : all)
        RETURN_IF_ERROR(checkChange(context, *each, trained));
    const Value& gradient = context.input(inputs.gradient);
    if (!inputs.rows)
        RETURN_IF_ERROR(checkChange(context, *all[0], gradient));
    if (inputs.rows && (gradient.dtype() != trained.dtype() ||
                        !fitsRows(gradient.dims(), trained.dims(), context.input(*inputs.rows))))
        return context.error("a gradient of type " + dtypeName(gradient.dtype()) + " " +
                             dimsText(gradient.dims()) + " for " +
                             std::to_string(context.input(*inputs.rows).elements()) +
                             " rows does not fit the variable " + all[0]->name() + " of type " +
                             dtypeName(trained.dtype()) + " " + dimsText(trained.dims()));
    return checkNumbers(context, inputs, trained.dtype());
}

} // namespace

Result<TrainingInputs> trainingInputs(const KernelContext& context)
{
    const OpSpec* const spec = findOp(context.node().op());
    if (spec == nullptr || spec->inputs.size() != context.inputCount())
        return context.error("has another number of inputs than its op");
    TrainingInputs inputs;
    for (std::size_t i = 0; i < spec->inputs.size(); ++i) {
        const std::string_view name = spec->inputs[i].name;
        if (spec->inputs[i].isReference || spec->inputs[i].dtype == DType::Resource)
            inputs.variables.push_back(i);
        else if (name == "grad" || name == "delta")
            inputs.gradient = i;
        else if (name == "indices")
            inputs.rows = i;
        else
            inputs.numbers.push_back(i);
    }
    if (inputs.variables.empty() || inputs.variables.size() > mostTrainedSlots ||
        inputs.gradient == 0)
        return context.error("needs variables and a gradient");
    return inputs;
}

Result<TrainedVariables> TrainedVariables::take(KernelContext& context,
                                                const TrainingInputs& inputs)
{
    TrainedVariables taken;
    std::vector<std::shared_ptr<Variable>> all;
    for (const std::size_t i : inputs.variables) {
        ASSIGN_OR_RETURN(auto variable, initializedInput(context, i));
        all.push_back(std::move(variable));
    }
    RETURN_IF_ERROR(checkTrained(context, inputs, all));
    for (const auto& each : all) {
        const auto known = std::ranges::find(taken.m_variables, each);
        taken.m_slots.push_back(std::size_t(known - taken.m_variables.begin()));
        if (known != taken.m_variables.end())
            continue;
        ASSIGN_OR_RETURN(auto value, each->take(context));
        taken.m_variables.push_back(each);
        taken.m_values.push_back(std::move(value));
    }
    return taken;
}

TrainedVariables::~TrainedVariables()
{
    for (std::size_t i = 0; i < m_variables.size(); ++i)
        m_variables[i]->set(std::move(m_values[i]));
}

Result<std::vector<std::int64_t>> trainedRows(const KernelContext& context,
                                              const TrainingInputs& inputs, const Dims& variable)
{
    if (!inputs.rows)
        return std::vector<std::int64_t>();
    std::vector<std::int64_t> rows = context.input(*inputs.rows).integers();
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] < 0 || rows[i] >= variable[0])
            return context.error("index " + std::to_string(rows[i]) + " (element " +
                                 std::to_string(i) + " of the indices) is not a row of " +
                                 dimsText(variable));
    return rows;
}

} // namespace lapidary
