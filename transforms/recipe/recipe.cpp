// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/recipe.h"

#include "graph_model/base/text_cursor.h"
#include "transforms/recipe/suggestion.h"

#include <algorithm>

namespace lapidary {
namespace {

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isBareCharacter(char c)
{
    return isNameCharacter(c) || c == '.' || c == '/' || c == '-';
}

class Parser : private TextCursor {
public:
    Parser(std::string_view text, RecipeSyntax syntax)
        : TextCursor("recipe", text)
        , m_isStrict(syntax == RecipeSyntax::Strict)
    {
    }

    Result<Recipe> parse()
    {
        Recipe recipe;
        while (skipSpace(), !atEnd()) {
            const std::size_t start = at();
            RecipeStep step{takeWhile(isNameCharacter), {}};
            if (step.pass.empty())
                return expected("the name of a pass");
            RETURN_IF_ERROR(checkPassName(step.pass, start));
            if (take('(')) {
                ASSIGN_OR_RETURN(const auto closed, parameters(step));
                if (!closed && m_isStrict)
                    return expected("\")\", which ends the parameters of " + step.pass);
                if (!closed)
                    break; // the original drops the unfinished step silently
            }
            recipe.push_back(std::move(step));
        }
        return recipe;
    }

private:
    // Skips blanks, and in strict recipes a backslash at the end of a line, which continues it.
    void skipSpace()
    {
        TextCursor::skipSpace();
        while (m_isStrict && rest().starts_with("\\\n")) {
            skip(2);
            TextCursor::skipSpace();
        }
    }

    // Returns whether the list was closed; false at the end of the text.
    Result<bool> parameters(RecipeStep& step)
    {
        while (!atEnd()) {
            if (take(')'))
                return true;
            take(',');
            skipSpace();
            if (m_isStrict && take(')'))
                return true;
            if (atEnd())
                return false;
            const std::size_t start = at();
            const std::string name = takeWhile(isNameCharacter);
            if (name.empty())
                return expected("the name of a parameter");
            RETURN_IF_ERROR(checkParameterName(step.pass, name, start));
            if (!take('='))
                return expected("\"=\" after " + name);
            if (atEnd())
                return false;
            ASSIGN_OR_RETURN(auto value, parameterValue());
            step.parameters.add(name, std::move(value));
        }
        return false;
    }

    Result<std::string> parameterValue()
    {
        std::string value;
        if (take('"')) {
            const std::size_t start = at();
            while (!atEnd() && current() != '"')
                skip(current() == '\\' ? 2 : 1);
            if (atEnd())
                return expected("a closing quote");
            value = from(start);
            skip();
        } else {
            value = takeWhile(isBareCharacter);
            if (value.empty())
                return expected("a value; quote it where it has other characters than letters, "
                                "digits and _./-");
        }
        take('"');
        take('\'');
        if (m_isStrict)
            skipSpace();
        return value;
    }

    Status checkPassName(const std::string& name, std::size_t at) const
    {
        if (!m_isStrict || findPass(name) != nullptr)
            return Done{};
        return errorAt(at, "there is no pass " + name + suggestion(name, passNames()));
    }

    static std::string all(const std::vector<std::string>& names)
    {
        std::string text = names.empty() ? "; it has none" : "; it has ";
        for (std::size_t i = 0; i < names.size(); ++i)
            text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
        return text;
    }

    Status checkParameterName(const std::string& pass, const std::string& name,
                              std::size_t at) const
    {
        const Pass* found = m_isStrict ? findPass(pass) : nullptr;
        if (found == nullptr || name == "ignore_errors")
            return Done{};
        std::vector<std::string> names;
        for (const ParameterSpec& spec : found->parameters) {
            if (spec.name == name)
                return Done{};
            names.emplace_back(spec.name);
        }
        const std::string near = suggestion(name, names);
        return errorAt(at, pass + " has no parameter " + name + (near.empty() ? all(names) : near));
    }

    bool m_isStrict;
};

bool isBare(std::string_view value)
{
    return !value.empty() && std::ranges::all_of(value, isBareCharacter);
}

} // namespace

Result<Recipe> parseRecipe(std::string_view text, RecipeSyntax syntax)
{
    return Parser(text, syntax).parse();
}

std::string printRecipe(const Recipe& recipe)
{
    std::string text;
    for (const RecipeStep& step : recipe) {
        text += (text.empty() ? "" : "\n") + step.pass;
        std::string list;
        for (const auto& [name, value] : step.parameters.entries())
            list += (list.empty() ? "" : ", ") + name + "=" +
                    (isBare(value) ? value : "\"" + value + "\"");
        if (!list.empty())
            text += "(" + list + ")";
    }
    return text;
}

} // namespace lapidary
