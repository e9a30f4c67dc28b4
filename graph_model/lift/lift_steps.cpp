// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_steps.h"

#include <algorithm>
#include <cmath>

namespace lapidary::steps {

std::string cast(LiftDraft& d, const std::string& x, DType from, DType to)
{
    return from == to || from == DType::Invalid
               ? x
               : d.step("Cast", {x}, {typeAttr("SrcT", from), typeAttr("DstT", to)});
}

std::string scalar(LiftDraft& d, DType dtype, double value)
{
    if (dtype == DType::Float)
        return d.oneFloat(float(value));
    constexpr double most = 4.0e18;
    const auto whole = [&] {
        return std::isnan(value) ? 0 : std::int64_t(std::clamp(value, -most, most));
    };
    if (dtype == DType::Int32)
        return d.oneInt(whole());
    if (dtype == DType::Int64)
        return d.oneInt64(whole());
    return cast(d, d.oneFloat(float(value)), DType::Float, dtype);
}

std::string both(LiftDraft& d, std::string_view op, const std::string& a, const std::string& b,
                 DType dtype)
{
    return d.step(op, {a, b}, {typeAttr("T", dtype)});
}

std::string one(LiftDraft& d, std::string_view op, const std::string& x, DType dtype)
{
    return d.step(op, {x}, {typeAttr("T", dtype)});
}

std::string sizes(LiftDraft& d, const std::string& x, DType dtype, DType ofSizes)
{
    return d.step("Shape", {x}, {typeAttr("T", dtype), typeAttr("out_type", ofSizes)});
}

std::string part(LiftDraft& d, const std::string& list, std::int64_t first, std::int64_t count,
                 DType dtype)
{
    const std::string begin = d.intList({first});
    const std::string size = d.intList({count});
    return d.step("Slice", {list, begin, size},
                  {typeAttr("T", dtype), typeAttr("Index", DType::Int32)});
}

std::string sizeAt(LiftDraft& d, const std::string& x, DType dtype, std::int64_t axis,
                   DType ofSizes)
{
    return gather(d, sizes(d, x, dtype, ofSizes), ofSizes, d.oneInt(axis), DType::Int32, 0);
}

std::string concat(LiftDraft& d, std::vector<std::string> parts, std::int64_t axis, DType dtype)
{
    const auto count = std::int64_t(parts.size());
    parts.push_back(d.oneInt(axis));
    return d.step(
        "ConcatV2", std::move(parts),
        {typeAttr("T", dtype), typeAttr("Tidx", DType::Int32), {"N", attr::fromInt(count)}});
}

std::string reshape(LiftDraft& d, const std::string& x, DType dtype, const std::string& target,
                    DType ofSizes)
{
    return d.step("Reshape", {x, target}, {typeAttr("T", dtype), typeAttr("Tshape", ofSizes)});
}

std::string expandDims(LiftDraft& d, const std::string& x, DType dtype, std::int64_t axis)
{
    return d.step("ExpandDims", {x, d.oneInt(axis)},
                  {typeAttr("T", dtype), typeAttr("Tdim", DType::Int32)});
}

std::string gather(LiftDraft& d, const std::string& x, DType dtype, const std::string& places,
                   DType ofPlaces, std::int64_t axis)
{
    return d.step("GatherV2", {x, places, d.oneInt(axis)},
                  {typeAttr("Tparams", dtype),
                   typeAttr("Tindices", ofPlaces),
                   typeAttr("Taxis", DType::Int32),
                   {"batch_dims", attr::fromInt(0)}});
}

std::string select(LiftDraft& d, const std::string& condition, const std::string& then,
                   const std::string& other, DType dtype)
{
    return d.step("SelectV2", {condition, then, other}, {typeAttr("T", dtype)});
}

std::string reduce(LiftDraft& d, std::string_view op, const std::string& x, DType dtype,
                   const LiftDraft::Ints& axes, bool keeps)
{
    return d.step(op, {x, d.intList(axes)},
                  {typeAttr("T", dtype),
                   typeAttr("Tidx", DType::Int32),
                   {"keep_dims", attr::fromBool(keeps)}});
}

std::vector<std::string> ports(const std::string& made, std::size_t count)
{
    std::vector<std::string> outputs{made};
    for (std::size_t port = 1; port < count; ++port)
        outputs.push_back(tensorName(made, std::int32_t(port)));
    return outputs;
}

} // namespace lapidary::steps
