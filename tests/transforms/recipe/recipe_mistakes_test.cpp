// SPDX-License-Identifier: Apache-2.0
// A mistake at every position of a recipe: either an error names line and column, or the recipe can
// still be read.
#include "tests/catch.h"
#include "transforms/recipe/recipe.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace lapidary {
namespace {

const std::string texts[] = {
    "remove_device",
    "strip_unused_nodes(type=float, shape=\"1,299,299,3\")\n"
    "remove_nodes(op=Identity, op=CheckNumerics)\n"
    "fold_constants(ignore_errors=true)\n"
    "fold_batch_norms\n"
    "fold_old_batch_norms\n",
    "add_default_attributes fold_old_batch_norms \\\n"
    "  quantize_weights(minimum_size=1024)\tquantize_nodes(input_min=-1.5,input_max=2.5e3)\n"
    "\n"
    "  set_device(\n"
    "    device=\"/job:a b/task:0\",\n"
    "    if_default=true\n"
    "  ) sort_by_execution_order",
};

struct Place {
    std::size_t line = 0;
    std::size_t column = 0;
};

std::optional<Place> placeIn(const std::string& message)
{
    Place place;
    if (std::sscanf(message.c_str(), "recipe, line %zu, column %zu: ", &place.line, // NOLINT
                    &place.column) != 2)
        return std::nullopt;
    return place;
}

// Returns the byte of a position; nothing if the text has no such position.
std::optional<std::size_t> offsetOf(const std::string& text, Place place)
{
    std::size_t start = 0;
    for (std::size_t line = 1; line < place.line; ++line) {
        start = text.find('\n', start);
        if (start == std::string::npos)
            return std::nullopt;
        ++start;
    }
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::size_t offset = start + place.column - 1;
    return place.column >= 1 && offset <= end ? std::optional(offset) : std::nullopt;
}

std::vector<std::string> namesOf(const Recipe& recipe)
{
    std::vector<std::string> names;
    for (const RecipeStep& step : recipe) {
        names.push_back(step.pass);
        for (const auto& [name, value] : step.parameters.entries())
            names.push_back("  " + name);
    }
    return names;
}

// Returns the offset of the error; nothing if the text can be read.
std::optional<std::size_t> errorIn(const std::string& text)
{
    const auto recipe = parseRecipe(text, RecipeSyntax::Strict);
    if (recipe)
        return std::nullopt;
    const std::string& message = recipe.error().message;
    INFO(message);
    const auto place = placeIn(message);
    REQUIRE(place);
    const auto offset = offsetOf(text, *place);
    REQUIRE(offset);
    CHECK(message.find('\n') == std::string::npos);
    return offset;
}

bool isQuoted(const std::string& text, std::size_t at)
{
    return std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '"') % 2 == 1;
}

// Mistakes that can still be read only change values, or omit an element of a list.
void checkMistake(const std::string& text)
{
    INFO(text);
    if (errorIn(text))
        return;
    const auto recipe = parseRecipe(text, RecipeSyntax::Strict);
    CHECK(parseRecipe(printRecipe(*recipe), RecipeSyntax::Strict).value() == *recipe);
}

} // namespace

TEST_CASE("a character that belongs nowhere is an error at its token", "[recipe]")
{
    constexpr std::size_t longestName = 40;
    for (const std::string& text : texts) {
        REQUIRE_FALSE(errorIn(text));
        for (std::size_t i = 0; i <= text.size(); ++i) {
            if (isQuoted(text, i))
                continue;
            for (const char wrong : {'%', ';', '\x01', '\xff'}) {
                std::string mistaken = text;
                mistaken.insert(i, 1, wrong);
                INFO(mistaken);
                const auto error = errorIn(mistaken);
                REQUIRE(error);
                CHECK(*error <= i);
                CHECK(i - *error <= longestName);
            }
        }
    }
}

TEST_CASE("a letter too many or too few in a name is an error at the name", "[recipe]")
{
    for (const std::string& text : texts) {
        const auto right = namesOf(parseRecipe(text, RecipeSyntax::Strict).value());
        for (std::size_t i = 0; i <= text.size(); ++i) {
            for (const bool inserts : {true, false}) {
                std::string mistaken = text;
                if (inserts)
                    mistaken.insert(i, 1, 'q');
                else
                    mistaken.erase(i, 1);
                INFO(mistaken);
                if (errorIn(mistaken))
                    continue;
                // A recipe that can still be read names the same passes and parameters: the mistake
                // is in a value, in white space, or in an optional mark.
                CHECK(namesOf(parseRecipe(mistaken, RecipeSyntax::Strict).value()) == right);
            }
        }
    }
}

TEST_CASE("no mistake at any position ends in anything but a recipe or a place", "[recipe]")
{
    for (const std::string& text : texts) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            for (const char added : std::string("(),=\"'\\ \n/.-_x0")) {
                std::string mistaken = text;
                checkMistake(mistaken.insert(i, 1, added));
                mistaken = text;
                mistaken[i] = added;
                checkMistake(mistaken);
            }
            checkMistake(text.substr(0, i));
            checkMistake(text.substr(i));
            std::string swapped = text;
            if (i + 1 < text.size())
                std::swap(swapped[i], swapped[i + 1]);
            checkMistake(swapped);
        }
    }
}

} // namespace lapidary
