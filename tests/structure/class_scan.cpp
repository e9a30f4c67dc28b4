// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/class_scan.h"

#include <regex>

namespace structure {
namespace {

class Scanner {
public:
    explicit Scanner(const SourceFile& file)
        : m_code(file.code)
        , m_path(file.path)
    {
    }

    FileFigures run()
    {
        readScope(nullptr, false);
        return std::move(m_figures);
    }

private:
    // Reads declarations up to the '}' that ends the scope, or to the end of the file.
    void readScope(ClassFigures* owner, bool isPublic);
    void skipBraces(); // from after a '{' to after its '}'
    void skipPreprocessor();
    void declare(const std::string& head, ClassFigures* owner, bool isPublic, bool hasBody);
    void open(const std::string& head, ClassFigures* owner, bool isPublic);
    void openNamespace(const std::string& name);
    void noteType(const std::string& name, const std::string& arguments);

    const std::string& m_code;
    const std::string& m_path;
    std::size_t m_at = 0;
    std::string m_scope;        // "lapidary::" in that namespace
    bool m_isAnonymous = false; // inside an anonymous namespace
    FileFigures m_figures;
};

const std::regex
    classHead(R"(^\s*(?:template\s*<.*>\s*)?(class|struct|union)\s+((?:\w+::)*)(\w+)([^()=]*)$)");
const std::regex enumHead(R"(^\s*enum\s+(?:(?:class|struct)\s+)?((?:\w+::)*\w+)\s*(?::[^()=]*)?$)");
const std::regex namespaceHead(R"(^\s*(?:inline\s+)?namespace\b\s*([\w:]*)\s*$)");
const std::regex linkageHead(R"(^\s*extern\s+"\s*"\s*$)");
const std::regex accessLabel(R"(^\s*(?:Q_OBJECT|Q_GADGET)?\s*(public|protected|private|signals))"
                             R"((\s+slots)?\s*$)");
const std::regex goesOn(R"([=,:]\s*\w*\s*$|m_\w+$)");
const std::regex member(R"(\bm_\w+\s*(=.*|\{?\s*)$)");

bool isFunctionHead(const std::string& head)
{
    const std::size_t parenthesis = head.find('(');
    if (parenthesis == std::string::npos || head.find("operator=") != std::string::npos)
        return false;
    const std::size_t equals = head.find('=');
    if (equals != std::string::npos && equals < parenthesis &&
        head.find("operator") == std::string::npos)
        return false;
    static const std::regex others(
        R"(^\s*(friend|using|typedef|static_assert|Q_\w+|[A-Z_]{4,})\b)");
    return !std::regex_search(head, others);
}

// Destructors count as well.
bool isConstructor(const std::string& head, const std::string& className)
{
    std::string name = head.substr(0, head.find('('));
    name.erase(name.find_last_not_of(' ') + 1);
    if (!name.ends_with(className))
        return false;
    name.resize(name.size() - className.size());
    return name.empty() || std::string(" ~:").find(name.back()) != std::string::npos;
}

void Scanner::skipBraces()
{
    for (int depth = 1; m_at < m_code.size() && depth > 0; ++m_at)
        depth += m_code[m_at] == '{' ? 1 : m_code[m_at] == '}' ? -1 : 0;
}

void Scanner::skipPreprocessor()
{
    while (m_at < m_code.size() && m_code[m_at] != '\n') {
        if (m_code[m_at] == '\\')
            ++m_at;
        ++m_at;
    }
}

void Scanner::declare(const std::string& head, ClassFigures* owner, bool isPublic, bool hasBody)
{
    if (isFunctionHead(head)) {
        m_figures.definedFunctions += hasBody ? 1 : 0;
        if (owner != nullptr && !isConstructor(head, owner->name)) {
            ++owner->functions;
            owner->publicFunctions += isPublic ? 1 : 0;
        }
    } else if (owner != nullptr && std::regex_search(head, member)) {
        ++owner->members;
    }
}

void Scanner::openNamespace(const std::string& name)
{
    const std::string outer = m_scope;
    const bool wasAnonymous = m_isAnonymous;
    m_isAnonymous = m_isAnonymous || name.empty();
    m_scope += name.empty() ? "" : name + "::";
    readScope(nullptr, false);
    m_scope = outer;
    m_isAnonymous = wasAnonymous;
}

void Scanner::noteType(const std::string& name, const std::string& arguments)
{
    const bool isSpecialization = arguments.find_first_not_of(' ') != std::string::npos &&
                                  arguments[arguments.find_first_not_of(' ')] == '<';
    if (!m_isAnonymous && !isSpecialization)
        m_figures.types.push_back({m_scope + name, m_path});
}

void Scanner::open(const std::string& head, ClassFigures* owner, bool isPublic)
{
    std::smatch match;
    if (std::regex_match(head, match, namespaceHead)) {
        openNamespace(match[1]);
        return;
    }
    if (std::regex_match(head, linkageHead)) {
        readScope(nullptr, false);
        return;
    }
    if (std::regex_match(head, match, enumHead))
        noteType(match[1], "");
    if (std::regex_match(head, match, classHead)) {
        noteType(match[2].str() + match[3].str(), match[4]);
        ClassFigures figures{match[3], m_path, 0, 0, 0};
        const std::string outer = m_scope;
        m_scope += match[2].str() + match[3].str() + "::";
        readScope(&figures, match[1] != "class");
        m_scope = outer;
        m_figures.classes.push_back(figures);
        return;
    }
    skipBraces();
    declare(head, owner, isPublic, true);
}

void Scanner::readScope(ClassFigures* owner, bool isPublic)
{
    std::string head;
    int parentheses = 0;
    const auto isLabel = [&] {
        std::smatch match;
        if (owner == nullptr || head.size() > 100 || !std::regex_match(head, match, accessLabel))
            return false;
        isPublic = match[1] == "public" || match[1] == "signals";
        return true;
    };
    while (m_at < m_code.size()) {
        const char c = m_code[m_at++];
        parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == '#' && head.find_first_not_of(" \n") == std::string::npos) {
            skipPreprocessor();
            head.clear();
        } else if (c == ':' && parentheses == 0 && isLabel()) {
            head.clear();
        } else if (c == '{' && parentheses > 0) {
            skipBraces(); // a default argument or a lambda
        } else if (c == '{') {
            open(head, owner, isPublic);
            // Continues after "Thing thing{...};" and initializer lists; bodies and classes end
            // here.
            head = std::regex_search(head, goesOn) ? head : "";
        } else if (c == '}' && parentheses == 0) {
            return;
        } else if (c == ';' && parentheses == 0) {
            declare(head, owner, isPublic, false);
            head.clear();
        } else {
            head += c == '\n' ? ' ' : c;
        }
    }
}

} // namespace

FileFigures scanFile(const SourceFile& file)
{
    return Scanner(file).run();
}

} // namespace structure
