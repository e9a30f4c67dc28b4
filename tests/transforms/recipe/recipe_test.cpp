// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/recipe/recipe.h"

namespace lapidary {
namespace {

std::string faultOf(const char* text)
{
    const auto recipe = parseRecipe(text, RecipeSyntax::Strict);
    return recipe ? "" : recipe.error().message;
}

} // namespace

TEST_CASE("a recipe that is printed reads as the same recipe", "[recipe]")
{
    for (const char* text :
         {"", "remove_device", "remove_device sort_by_execution_order",
          "strip_unused_nodes(name=x, type_for_name=int64, shape_for_name=\"1,2\", name=y)",
          "set_device(device=\"/cpu:0\", if_default=true)",
          "rename_op(old_op_name=\"a\\\"b\", "
          "new_op_name=\"\")"}) {
        INFO(text);
        const auto recipe = parseRecipe(text, RecipeSyntax::Strict);
        REQUIRE(recipe.ok());
        const auto again = parseRecipe(printRecipe(*recipe), RecipeSyntax::Strict);
        REQUIRE(again.ok());
        CHECK(*again == *recipe);
    }
}

TEST_CASE("faults of a recipe say where they are and what was meant", "[recipe]")
{
    CHECK(faultOf("remove_devise").find("did you mean remove_device?") != std::string::npos);
    CHECK(faultOf("remove_device\n  set_device(devise=a)").find("line 2, column 14") !=
          std::string::npos);
    CHECK(faultOf("set_device(devise=a)").find("did you mean device?") != std::string::npos);
    CHECK(faultOf("rename_node(name=a, to=b)").find("it has old_name and new_name") !=
          std::string::npos);
    CHECK(faultOf("set_device(device=a").find("expected \")\"") != std::string::npos);
    CHECK(faultOf("set_device(device=a:b)").find("column 20") != std::string::npos);
    CHECK(faultOf("remove_device, set_device").find("column 14") != std::string::npos);
}

TEST_CASE("white space before a closing parenthesis is not a fault here", "[recipe]")
{
    CHECK(faultOf("set_device(\n  device=a,\n  if_default=true\n)").empty());
    CHECK(faultOf("remove_device \\\n sort_by_execution_order").empty());
    CHECK_FALSE(parseRecipe("set_device(device=a )", RecipeSyntax::Original).ok());
}

} // namespace lapidary
