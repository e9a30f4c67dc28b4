// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/benchmark_log.h"
#include "runner/profile/profile_file.h"
#include "tests/fuzz/targets/targets.h"
#include "transforms/match/motif.h"
#include "transforms/recipe/recipe.h"

namespace lapidary::fuzz {

void readAnyProfile(std::string_view bytes)
{
    const auto profile = readProfile(bytes, Job());
    promise(!profile || profile->step.has_value() != profile->log.has_value(),
            "a profile is of one kind");
}

void readDeviceLog(std::string_view bytes)
{
    (void)readBenchmarkLog(bytes);
}

void readRecipe(std::string_view bytes)
{
    (void)parseRecipe(bytes, RecipeSyntax::Original);
    const auto recipe = parseRecipe(bytes, RecipeSyntax::Strict);
    if (!recipe)
        return;
    const auto again = parseRecipe(printRecipe(*recipe), RecipeSyntax::Strict);
    promise(again.ok() && printRecipe(*again) == printRecipe(*recipe),
            "a recipe that is printed is the same recipe");
}

void readMotif(std::string_view bytes)
{
    const auto motif = parseMotif(bytes);
    promise(!motif || !motif->empty(), "a motif has a step");
}

} // namespace lapidary::fuzz
