#include "transforms/pass/pass_reference.h"

#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

namespace lapidary {

TEST_CASE("every pass has an entry of its own in the reference", "[reference]")
{
    for (const Pass* pass : allPasses()) {
        INFO(pass->name);
        const PassReference& reference = referenceOf(*pass);
        CHECK(reference.name == pass->name);
        CHECK_FALSE(reference.before.empty());
        CHECK_FALSE(reference.after.empty());
        CHECK(reference.before != reference.after);
        for (const std::string_view sentences : {reference.declines, reference.differences})
            CHECK((sentences.empty() || sentences.ends_with('.')));
        const std::string text = passReference(*pass);
        for (const ParameterSpec& spec : pass->parameters)
            CHECK(text.find("- `" + std::string(spec.name) + "` (" + std::string(spec.type)) !=
                  std::string::npos);
    }
}

TEST_CASE("the handbook's page of passes is the one that the table gives", "[reference]")
{
    std::ifstream file(LAPIDARY_SOURCE_DIR "/resources/help/passes.md", std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(file), {}};
    INFO("make it anew: lapidary transform --reference > resources/help/passes.md");
    CHECK((committed == passReferencePage()));
}

} // namespace lapidary
