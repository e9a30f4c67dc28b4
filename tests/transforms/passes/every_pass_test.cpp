// SPDX-License-Identifier: Apache-2.0
// Properties of every pass of the table.
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"

#include <algorithm>

namespace lapidary {
namespace {

PassArgs argumentsOf(const Pass& pass)
{
    PassArgs args;
    args.inputs = {"x"};
    args.outputs = {"y"};
    const char* dtype = "float";
    for (const ParameterSpec& spec : pass.parameters) {
        if (!spec.isRequired)
            continue;
        const bool isDtype = spec.type == ParameterType::Dtype;
        args.parameters.add(std::string(spec.name), isDtype ? dtype : "Nothing");
        dtype = isDtype ? "int32" : dtype; // two parameters of one pass have different types
    }
    return args;
}

bool isOnlyAName(const Pass& pass) // needs a processor that this machine lacks, or a log
{
    return !isAvailable(pass) || pass.name == "freeze_requantization_ranges";
}

} // namespace

TEST_CASE("the table is sorted, and each pass says what it does", "[passes]")
{
    CHECK(std::ranges::is_sorted(allPasses(), {}, &Pass::name));
    for (const Pass* pass : allPasses()) {
        INFO(pass->name);
        CHECK(findPass(pass->name) == pass);
        CHECK(pass->summary.ends_with('.'));
        CHECK(pass->run != nullptr);
        CHECK((pass->find != nullptr) == isAvailable(*pass));
        for (const ParameterSpec& spec : pass->parameters)
            CHECK_FALSE(spec.help.empty());
    }
    CHECK(findPass("no_such_pass") == nullptr);
}

TEST_CASE("a graph that gives a pass nothing to do stays the very same", "[passes]")
{
    const GraphPtr before = GraphBuilder().placeholder("x", {2}).build();
    for (const Pass* pass : allPasses()) {
        if (isOnlyAName(*pass) || namesNodes(*pass) || pass->name == "add_default_attributes")
            continue;
        INFO(pass->name);
        PassArgs args = argumentsOf(*pass);
        args.outputs = {"x"};
        const auto edit = pass->run(before, args, Job());
        REQUIRE(edit.ok());
        CHECK(edit->graph == before);
        CHECK(edit->changes == 0);
    }
}

TEST_CASE("an empty graph is not a fault, and a cancelled job changes nothing", "[passes]")
{
    std::stop_source stop;
    stop.request_stop();
    const GraphPtr some = GraphBuilder().placeholder("x", {2}).node("y", "Identity", {"x"}).build();
    for (const Pass* pass : allPasses()) {
        if (isOnlyAName(*pass) || namesNodes(*pass))
            continue;
        INFO(pass->name);
        PassArgs args = argumentsOf(*pass);
        const auto cancelled = pass->run(some, args, Job(stop.get_token()));
        CHECK((cancelled.ok() || cancelled.error().code == ErrorCode::Cancelled));
        args.inputs.clear();
        args.outputs.clear();
        CHECK(pass->run(Graph::make({}), args, Job()).ok());
    }
}

} // namespace lapidary
