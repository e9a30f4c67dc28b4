// SPDX-License-Identifier: Apache-2.0
// The results of the Graph Transform Tool, transform by transform and recipe by recipe.
#include "tests/catch.h"
#include "tests/goldens/transform_cases.h"

#include <filesystem>

namespace lapidary::goldens {
namespace {

// Recipes name files from the root of the recordings.
class InDataRoot {
public:
    InDataRoot()
        : m_before(std::filesystem::current_path())
    {
        std::filesystem::current_path(dataRoot());
    }
    ~InDataRoot()
    {
        std::error_code none;
        std::filesystem::current_path(m_before, none);
    }
    InDataRoot(const InDataRoot&) = delete;
    InDataRoot& operator=(const InDataRoot&) = delete;

private:
    std::filesystem::path m_before;
};

void runFolder(const std::string& folder)
{
    if (!present("goldens/" + folder))
        return;
    const InDataRoot there;
    Tally tally(folder);
    runTransformCases(folder, ownRunner(), tally);
    tally.finish();
}

TEST_CASE("transforms make of a graph what was recorded", "[transforms]")
{
    runFolder("transforms");
}

TEST_CASE("recipes make of a graph what was recorded", "[recipes]")
{
    runFolder("recipes");
}

} // namespace
} // namespace lapidary::goldens
