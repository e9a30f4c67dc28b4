// SPDX-License-Identifier: Apache-2.0
// The languages that users write: recipes and motifs. Tries random words of the grammar, and
// recipes with random mistakes. LAPIDARY_FUZZ_SECONDS sets the duration, and LAPIDARY_FUZZ_SEED
// another seed than that of every build.
#include "tests/catch.h"
#include "tests/fuzz/asked.h"
#include "tests/graph_testing.h"
#include "transforms/match/motif.h"
#include "transforms/recipe/run_recipe.h"
#include "transforms/recipe/suggestion.h"

#include <array>
#include <chrono>
#include <random>
#include <set>

namespace lapidary::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int leastRounds = 20'000;

class Rounds {
public:
    bool next() { return m_done++ < leastRounds || Clock::now() - m_begin < m_asked; }

private:
    int m_done = 0;
    Clock::time_point m_begin = Clock::now();
    std::chrono::duration<double> m_asked{askedSeconds()};
};

std::string pick(const std::vector<std::string>& words, std::mt19937& random)
{
    return words[random() % words.size()];
}

std::vector<std::string> recipeWords()
{
    std::vector<std::string> words{"(",
                                   ")",
                                   ",",
                                   "=",
                                   "\"",
                                   "'",
                                   " ",
                                   "\n",
                                   "\\",
                                   ";",
                                   "true",
                                   "false",
                                   "1,224,3",
                                   "-1",
                                   "1e9",
                                   "0",
                                   "\t",
                                   "*",
                                   "x",
                                   "x:0",
                                   "\\\n",
                                   "^x",
                                   "",
                                   "/cpu:0",
                                   "é",
                                   "-",
                                   ".",
                                   "float",
                                   "ignore_errors",
                                   "nan",
                                   "99999999999"};
    std::set<std::string> names;
    for (const Pass* pass : allPasses())
        for (const ParameterSpec& spec : pass->parameters)
            names.emplace(spec.name);
    words.insert(words.end(), names.begin(), names.end());
    for (const std::string& name : passNames())
        words.push_back(name);
    return words;
}

// Mostly well-formed texts, so that the parser's later parts are reached as well.
std::string randomRecipe(const std::vector<std::string>& words, std::mt19937& random)
{
    std::string text;
    const auto passes = allPasses();
    for (unsigned steps = random() % 4; steps-- > 0;) {
        const Pass& pass = *passes[random() % passes.size()];
        text += std::string(pass.name);
        if (!pass.parameters.empty() && random() % 2 == 0) {
            const ParameterSpec& spec = pass.parameters[random() % pass.parameters.size()];
            const std::string quote = random() % 2 == 0 ? "\"" : "";
            text += "(" + std::string(spec.name) + "=" + quote + pick(words, random) + quote + ")";
        }
        text += random() % 2 == 0 ? " " : "\n";
    }
    for (unsigned changes = random() % 3; changes-- > 0;)
        text.insert(random() % (text.size() + 1), pick(words, random));
    if (!text.empty() && random() % 4 == 0)
        text[random() % text.size()] = char(random());
    if (!text.empty() && random() % 4 == 0)
        text.erase(random() % text.size(), 1 + random() % 3);
    return text;
}

std::string randomWords(const std::vector<std::string>& words, std::mt19937& random)
{
    std::string text;
    for (unsigned count = random() % 12; count-- > 0;)
        text += random() % 20 == 0 ? std::string(1, char(random())) : pick(words, random);
    return text;
}

void checkPlace(const Error& error, const char* kind)
{
    INFO(error.message);
    CHECK(error.message.rfind(std::string(kind) + ", line ", 0) == 0);
    CHECK(error.message.find(", column ") != std::string::npos);
    CHECK(error.message.find('\n') == std::string::npos);
}

void checkRecipe(const std::string& text, const GraphPtr& graph)
{
    INFO(text);
    for (const RecipeSyntax syntax : {RecipeSyntax::Strict, RecipeSyntax::Original}) {
        const auto recipe = parseRecipe(text, syntax);
        if (!recipe) {
            checkPlace(recipe.error(), "recipe");
            continue;
        }
        const std::string printed = printRecipe(*recipe);
        INFO(printed);
        const auto again = parseRecipe(printed, syntax);
        REQUIRE(again.ok());
        CHECK(*again == *recipe);
        const RecipeRun run = runRecipe(graph, *recipe, {"x"}, {"y"}, Job());
        CHECK((run.ok() || run.fault.size() > 10));
    }
}

void checkMotif(const std::string& text, const Graph& graph)
{
    INFO(text);
    const auto motif = parseMotif(text);
    if (!motif)
        return checkPlace(motif.error(), "motif");
    REQUIRE(findMotif(graph, *motif, 100, Job()).ok());
}

GraphPtr smallGraph()
{
    return graph("x = Placeholder()\n"
                 "i = Identity(x)\n"
                 "r = Relu(i)\n"
                 "r2 = Relu(i)\n"
                 "s = Add(r, r2, ^i)\n"
                 "y = Identity(s)\n");
}

} // namespace

TEST_CASE("fuzz: recipes", "[fuzz][grammar]")
{
    std::mt19937 random = askedRandom(20260102);
    const std::vector<std::string> words = recipeWords();
    const GraphPtr where = smallGraph();
    for (Rounds rounds; rounds.next();)
        checkRecipe(random() % 3 == 0 ? randomWords(words, random) : randomRecipe(words, random),
                    where);
}

TEST_CASE("fuzz: motifs", "[fuzz][grammar]")
{
    std::mt19937 random = askedRandom(20260103);
    const std::vector<std::string> words{"Relu",
                                         "Add",
                                         "*",
                                         "?",
                                         "->",
                                         "-0->",
                                         "-^->",
                                         "|",
                                         "[",
                                         "]",
                                         "=",
                                         "!=",
                                         ",",
                                         "\"",
                                         "\\",
                                         "name",
                                         "T",
                                         "1",
                                         "[1]",
                                         "-",
                                         ">",
                                         "^",
                                         " ",
                                         "\n",
                                         "@",
                                         "-1",
                                         "x*",
                                         "é",
                                         "",
                                         "[T=float]",
                                         "[name!=\"x\"]",
                                         "99999999999"};
    const GraphPtr where = smallGraph();
    for (Rounds rounds; rounds.next();)
        checkMotif(randomWords(words, random), *where);
}

} // namespace lapidary::fuzz
