// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/passes/pass_cases.h"

#include "transforms/pass/remote_processor.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

// Filled before main(), as Catch2 registers tests; sorted, so that the order of linking does not
// matter.
AllPassCases& declaredCases()
{
    static AllPassCases cases;
    return cases;
}

} // namespace

CasesOf::CasesOf(const char* pass, PassCases cases)
{
    declaredCases().emplace(pass, std::move(cases));
}

const AllPassCases& passCases()
{
    return declaredCases();
}

PatternCases allPatternCases(const TestFolder& folder)
{
    PatternCases all;
    for (const auto& [pass, cases] : passCases())
        if (cases.patterns != nullptr)
            for (PatternCase& one : cases.patterns(folder))
                all.push_back(std::move(one));
    return all;
}

std::string passOf(const std::string& step)
{
    return step.substr(0, step.find('('));
}

bool isAvailable(const Pass& pass)
{
    return pass.run != needsRemoteProcessor;
}

bool namesNodes(const Pass& pass)
{
    return std::ranges::any_of(pass.parameters, [](const ParameterSpec& spec) {
        return spec.role == ParameterRole::Target;
    });
}

} // namespace lapidary
