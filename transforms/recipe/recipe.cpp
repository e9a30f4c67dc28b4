#include "transforms/recipe/recipe.h"

#include "transforms/recipe/suggestion.h"
#include "transforms/recipe/text_fault.h"

#include <algorithm>

namespace lapidary {
namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isBareCharacter(char c)
{
    return isNameCharacter(c) || c == '.' || c == '/' || c == '-';
}

class Parser {
public:
    Parser(std::string_view text, RecipeSyntax syntax)
        : m_text(text)
        , m_isStrict(syntax == RecipeSyntax::Strict)
    {
    }

    Result<Recipe> parse()
    {
        Recipe recipe;
        while (skipSpace(), !atEnd()) {
            const std::size_t start = m_at;
            RecipeStep step{takeWhile(isNameCharacter), {}};
            if (step.pass.empty())
                return expected("the name of a pass");
            if (const Status known = checkPassName(step.pass, start); !known)
                return known.error();
            if (take('(')) {
                const auto closed = parameters(step);
                if (!closed)
                    return closed.error();
                if (!closed.value() && m_isStrict)
                    return expected("\")\", which ends the parameters of " + step.pass);
                if (!closed.value())
                    break; // the original drops the unfinished step without a word
            }
            recipe.push_back(std::move(step));
        }
        return recipe;
    }

private:
    bool atEnd() const { return m_at == m_text.size(); }

    bool take(char c)
    {
        if (atEnd() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    void skipSpace()
    {
        while (!atEnd()) {
            const bool continues = m_isStrict && m_text.substr(m_at).starts_with("\\\n");
            if (!continues && !isSpace(m_text[m_at]))
                return;
            m_at += continues ? 2 : 1;
        }
    }

    template <class Test>
    std::string takeWhile(const Test& test)
    {
        const std::size_t start = m_at;
        while (!atEnd() && test(m_text[m_at]))
            ++m_at;
        return std::string(m_text.substr(start, m_at - start));
    }

    // Whether the list was closed; false at the end of the text.
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
            const std::size_t start = m_at;
            const std::string name = takeWhile(isNameCharacter);
            if (name.empty())
                return expected("the name of a parameter");
            if (const Status known = checkParameterName(step.pass, name, start); !known)
                return known.error();
            if (!take('='))
                return expected("\"=\" behind " + name);
            if (atEnd())
                return false;
            auto value = parameterValue();
            if (!value)
                return value.error();
            step.parameters.add(name, std::move(value).value());
        }
        return false;
    }

    Result<std::string> parameterValue()
    {
        std::string value;
        if (take('"')) {
            const std::size_t start = m_at;
            while (!atEnd() && m_text[m_at] != '"')
                m_at += m_text[m_at] == '\\' && m_at + 1 < m_text.size() ? 2 : 1;
            if (atEnd())
                return expected("a closing quote");
            value = m_text.substr(start, m_at++ - start);
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
        return errorAt(at, pass + " has no parameter " + name + suggestion(name, names));
    }

    Error expected(const std::string& what) const { return errorAt(m_at, "expected " + what); }

    Error errorAt(std::size_t at, const std::string& what) const
    {
        return textFault("recipe", m_text, at, what);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
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
