// SPDX-License-Identifier: Apache-2.0
#include "app/base/parsed_json.h"
#include "app/boxed/plan_message.h"
#include "tests/catch.h"

using namespace lapidary;

TEST_CASE("a plan goes into the box with all that its session is told", "[boxed]")
{
    MemoryPool pool(1U << 20);
    RunPlan plan;
    plan.session.decodesWeights = true;
    plan.session.drawsAlike = true;
    plan.session.threads = 3;
    const RunPlan sent = runPlanOf(messageOf(plan), pool);
    CHECK(sent.session.decodesWeights);
    CHECK(sent.session.drawsAlike);
    CHECK(sent.session.threads == 3);
    CHECK_FALSE(runPlanOf(messageOf(RunPlan()), pool).session.decodesWeights);
}

TEST_CASE("an answer that nests deeper than any message is refused", "[boxed]")
{
    const auto read = [](const Message& message) { return message.size(); };
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '\x81') + '\xf6'; // lists of one element in CBOR, and null
    };
    CHECK(decodeMessage(nested(mostJsonNesting), read).ok());
    for (const std::size_t depth : {mostJsonNesting + 1, std::size_t(1'000'000)}) {
        const auto refused = decodeMessage(nested(depth), read);
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().message ==
              "the process that runs graphs gave an answer that cannot be read");
    }
}
