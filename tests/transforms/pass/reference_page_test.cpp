// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/pass/reference_page.h"

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

TEST_CASE("the handbook's page of passes has every pass, in the order of the table", "[reference]")
{
    const std::string page = passReferencePage();
    std::size_t at = 0;
    for (const Pass* pass : allPasses()) {
        INFO(pass->name);
        const std::size_t found = page.find(passReference(*pass), at);
        REQUIRE(found != std::string::npos);
        at = found;
    }
}

} // namespace lapidary
