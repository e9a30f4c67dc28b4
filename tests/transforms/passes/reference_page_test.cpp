// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/source_folder.h"
#include "transforms/passes/reference_page.h"

#include <fstream>
#include <iterator>

namespace lapidary {

TEST_CASE("every pass says what it does to a small graph", "[reference]")
{
    for (const Pass* pass : allPasses()) {
        INFO(pass->name);
        CHECK_FALSE(pass->before.empty());
        CHECK_FALSE(pass->after.empty());
        CHECK(pass->before != pass->after);
        for (const std::string_view sentences : {pass->declines, pass->differences})
            CHECK((sentences.empty() || sentences.ends_with('.')));
        const std::string text = passReference(*pass);
        for (const ParameterSpec& spec : pass->parameters)
            CHECK(text.find("- `" + std::string(spec.name) + "` (" +
                            std::string(parameterTypeName(spec.type))) != std::string::npos);
    }
}

TEST_CASE("the handbook's page of passes is the one that the table gives", "[reference]")
{
    std::ifstream file(sourceFolder() / "resources/help/passes.md", std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(file), {}};
    INFO("make it anew: lapidary transform --reference > resources/help/passes.md");
    CHECK((committed == passReferencePage()));
}

} // namespace lapidary
