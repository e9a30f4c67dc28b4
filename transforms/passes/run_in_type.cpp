// SPDX-License-Identifier: Apache-2.0
// run_in_type
//
// For builds that have a kernel for another type only. The result is the same if every value can be
// represented in both types: verify checks that.
#include "transforms/support/run_in_type.h"

#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "op",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "op of the nodes to change",
                  .isRequired = true},
    ParameterSpec{.name = "from",
                  .type = ParameterType::Dtype,
                  .help = "dtype that they compute in now",
                  .isRequired = true},
    ParameterSpec{.name = "to",
                  .type = ParameterType::Dtype,
                  .help = "dtype to compute in",
                  .isRequired = true},
    ParameterSpec{.name = "attr",
                  .type = ParameterType::String,
                  .role = ParameterRole::Attribute,
                  .defaultText = "T",
                  .help = "attribute with the dtype"},
};

Result<DType> typeOf(const Parameters& values, std::string_view name)
{
    ASSIGN_OR_RETURN(const auto text, values.required(name, "run_in_type"));
    const auto type = parseDtype(text);
    if (!type || isReference(*type))
        return Error{ErrorCode::InvalidArgument,
                     "\"" + text + "\" is not a dtype; write float, int32, uint8..."};
    return *type;
}

Result<TypeDetour> detourOf(const PassArgs& args)
{
    TypeDetour detour;
    ASSIGN_OR_RETURN(detour.op, args.parameters.required("op", "run_in_type"));
    ASSIGN_OR_RETURN(detour.from, typeOf(args.parameters, "from"));
    ASSIGN_OR_RETURN(detour.to, typeOf(args.parameters, "to"));
    ASSIGN_OR_RETURN(detour.attr, args.parameters.oneString("attr", "T"));
    if (detour.from == detour.to)
        return Error{ErrorCode::InvalidArgument, "from and to are the same type"};
    return detour;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto detour, detourOf(args));
    return findDetours(*graph, detour, args, job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto detour, detourOf(args));
    return takeDetours(graph, detour, args, job);
}

} // namespace

const Pass passes::runInType{
    .name = "run_in_type",
    .summary =
        "Runs an op in another dtype, between casts, if a phone has a kernel only for that one.",
    .before = "y = Slice(x, begin, size), x int64",
    .after = "y/int32_0 = Cast(x)\n"
             "y/in_int32 = Slice(y/int32_0, begin, size)\n"
             "y = Cast(y/in_int32), with op=Slice, from=int64, to=int32",
    .declines = "Inputs of the model, ops that are not defined for the other type, and those that "
                "use a variable, table, TensorArray or list. Values that the other type cannot "
                "represent are changed.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
