// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/export/lower/lowering.h"
#include "transforms/export/lower/op_page.h"
#include "transforms/export/lower/op_reasons.h"

namespace lapidary {

TEST_CASE("the handbook's page of exported ops has a row for each rule and each refusal",
          "[reference]")
{
    const std::string page = exportOpsPage();
    const std::size_t refused = page.find("## What is refused by name");
    REQUIRE(refused != std::string::npos);
    for (const LowerRow& rule : allLowerRows()) {
        INFO(rule.op);
        const std::string row = "\n| " + std::string(rule.op) + " | " + std::string(rule.becomes);
        CHECK(page.find(row + " | " + std::string(rule.condition)) < refused);
        CHECK(page.find("\n| " + std::string(rule.op) + " | ", refused) == std::string::npos);
    }
    for (const RefusedOp& each : refusedOps()) {
        INFO(each.op);
        const std::string row = "\n| " + std::string(each.op) + " | it ";
        CHECK(page.find(row + std::string(each.reason), refused) != std::string::npos);
    }
}

} // namespace lapidary
