// SPDX-License-Identifier: Apache-2.0
// TFLite's variables, which keep values from one run to the next. A run of a file begins with their
// initial values.
#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t mostElements = 1 << 24;

// Returns zeros in the form of the operator's output: codes if it has scales.
std::string zerosOf(LiftDraft& d)
{
    const auto dims = d.outDims();
    std::int64_t count = 1;
    for (const std::int64_t dim : dims.value_or(LiftDraft::Ints{0}))
        count = dim > 0 && count <= mostElements / dim ? count * dim : 0;
    if (count == 0 || d.outType() != DType::Float)
        return {};
    // A constant with one element fills the whole shape.
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::Float));
    writer.bytes(2, encodeShape({*dims, false}));
    writer.bytes(5, std::string(sizeof(float), '\0'));
    return d.step("Const", {},
                  {typeAttr("dtype", DType::Float), {"value", attr::fromTensorProto(proto)}});
}

} // namespace

bool liftTfliteVariable(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if (op != "VARIABLE" && op != "READ_VARIABLE")
        return false;
    if (op == "READ_VARIABLE" && !d.firstReads().contains(d.id()))
        return false;
    const std::string zeros = zerosOf(d);
    if (zeros.empty())
        return false;
    d.give({zeros});
    return true;
}

} // namespace lapidary
