// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/transforms/pass_testing.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One node y of the op; it reads x and the tensors that are made beside it.
struct OpCase {
    std::vector<std::string> inputs;
    TestAttrs attrs = {};
    std::vector<std::int64_t> x = {1, 4, 4, 2};
    std::function<void(GraphBuilder&)> beside = {}; // x is read
    std::string behind = {};                        // an op that reads y twice and is compared
};

// Cases of ops that join rows, convert colors or compute features of sound.
std::map<std::string_view, OpCase> joiningOpCases();
// b is like x; p, q and n are computed from both: two truth values and an integer.
void addOthers(GraphBuilder& builder, const std::vector<std::int64_t>& x);
// Ops without a case of their own read x, or x and b.
OpCase caseOf(std::string_view op);

} // namespace lapidary
