// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/attr_value.h"
#include "graph_model/ops/op_registry.h"
#include "runner/execute/session.h"
#include "runner/kernels/dispatch.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// Attributes by name, encoded by lapidary::attr ({"axis", attr::fromInt(1)}).
using NodeAttrs = std::vector<std::pair<std::string, std::string>>;

// Runs one node named "y" in a session with its inputs fed, and returns all outputs. Type
// attributes and counts that follow from the inputs (T, Tidx, N, a list of types) may be omitted.
Result<std::vector<Value>> runNode(std::string_view op, const std::vector<Value>& inputs,
                                   const NodeAttrs& attrs = {});
// Returns only the first output.
Result<Value> runOne(std::string_view op, const std::vector<Value>& inputs,
                     const NodeAttrs& attrs = {});

// Sets missing attributes that follow from the inputs. The counts decide which inputs belong to
// which argument: at most one argument of a signature may take all remaining ones.
void decideAttrs(NodeDraft& node, const OpSpec& spec, const std::vector<Value>& inputs);

// Returns a value with uninitialized elements, from a pool of its own.
Value emptyValue(DType dtype, Dims dims);
Value stringsOf(Dims dims, std::vector<std::string> strings);

// valueOf<float>({2, 2}, {1, 2, 3, 4}). The last element is repeated if some are missing.
template <class T>
Value valueOf(Dims dims, const std::vector<T>& elements)
{
    Value value = emptyValue(dtypeOf<T>(), std::move(dims));
    const auto out = value.template mutableAs<T>();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = elements[std::min(i, elements.size() - 1)];
    return value;
}

template <class T>
Value scalarOf(T element)
{
    Value value = emptyValue(dtypeOf<T>(), {});
    value.template mutableAs<T>()[0] = element;
    return value;
}

// Returns 0 (or `first`), then `step` more for each element: test data of any size.
template <class T>
Value rampOf(Dims dims, double first = 0, double step = 1)
{
    Value value = emptyValue(dtypeOf<T>(), std::move(dims));
    double next = first;
    for (T& element : value.template mutableAs<T>()) {
        element = T(float(next));
        next += step;
    }
    return value;
}

template <class T>
std::vector<T> elementsOf(const Value& value)
{
    if (value.dtype() != dtypeOf<T>())
        return {};
    const auto all = value.as<T>();
    return {all.begin(), all.end()};
}

} // namespace lapidary
