// SPDX-License-Identifier: Apache-2.0
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
