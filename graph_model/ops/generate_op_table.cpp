// SPDX-License-Identifier: Apache-2.0
// Converts the registry file (its first lines describe the format) to a C++ table:
//     generate_op_table ops.tsv allOps op_table.cpp
// allOps is the function that returns the table. Runs during the build; fails, with the line, on
// anything it does not understand.
#include "graph_model/ops/op_families.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {
namespace {

using std::string_view;

// Splits at `separator`, but not within quotes, brackets, braces or angle brackets.
std::vector<string_view> split(string_view text, string_view separator)
{
    std::vector<string_view> parts;
    int depth = 0;
    bool quoted = false;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{' || c == '(') {
            ++depth;
        } else if (c == ']' || c == '}' || c == ')') {
            --depth;
        } else if (depth == 0 && text.substr(i).starts_with(separator)) {
            parts.push_back(text.substr(start, i - start));
            start = i + separator.size();
            i = start - 1;
        }
    }
    if (start < text.size())
        parts.push_back(text.substr(start));
    return parts;
}

std::string literal(string_view text)
{
    std::string out = "{\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\", " + std::to_string(text.size()) + "}";
}

struct Arg {
    string_view name, fixed, typeAttr, numberAttr, typeListAttr;
    bool isReference = false;
};

std::optional<Arg> parseArg(string_view item)
{
    Arg arg;
    const std::size_t colon = item.find(':');
    if (colon == string_view::npos)
        return {};
    arg.name = item.substr(0, colon);
    string_view type = item.substr(colon + 1);
    if (type.ends_with('&')) {
        arg.isReference = true;
        type.remove_suffix(1);
    }
    if (const std::size_t star = type.find('*'); star != string_view::npos) {
        arg.numberAttr = type.substr(star + 1);
        type = type.substr(0, star);
    }
    if (type.starts_with('[') && type.ends_with(']'))
        arg.typeListAttr = type.substr(1, type.size() - 2);
    else if (type.starts_with("DT_"))
        arg.fixed = type;
    else
        arg.typeAttr = type;
    return arg;
}

struct AttrText {
    string_view name, kind, defaultText, allowed, minimum;
    bool hasDefault = false;
};

// name:kind[=default][{allowed}][>=minimum]
std::optional<AttrText> parseAttr(string_view item)
{
    AttrText attr;
    const std::size_t colon = item.find(':');
    if (colon == string_view::npos)
        return {};
    attr.name = item.substr(0, colon);
    string_view rest = item.substr(colon + 1);
    const std::size_t kindEnd = std::min(rest.find_first_of("={>"), rest.size());
    attr.kind = rest.substr(0, kindEnd);
    rest.remove_prefix(kindEnd);
    attr.hasDefault = rest.starts_with('=');
    if (rest.starts_with('='))
        rest.remove_prefix(1);
    std::size_t end = 0;
    for (bool quoted = false; end < rest.size(); ++end) {
        if (rest[end] == '"')
            quoted = !quoted;
        else if (rest[end] == '\\')
            ++end;
        else if (!quoted && (rest[end] == '{' || rest.substr(end).starts_with(">=")))
            break;
    }
    attr.defaultText = rest.substr(0, end);
    rest.remove_prefix(std::min(end, rest.size()));
    if (rest.starts_with('{')) {
        const std::size_t close = rest.find('}');
        if (close == string_view::npos)
            return {};
        attr.allowed = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
    }
    if (rest.starts_with(">="))
        attr.minimum = rest.substr(2);
    else if (!rest.empty())
        return {};
    return attr;
}

const std::map<string_view, int> dtypeNumbers{
    {"DT_FLOAT", 1},    {"DT_DOUBLE", 2},      {"DT_INT32", 3},   {"DT_UINT8", 4},
    {"DT_INT16", 5},    {"DT_INT8", 6},        {"DT_STRING", 7},  {"DT_COMPLEX64", 8},
    {"DT_INT64", 9},    {"DT_BOOL", 10},       {"DT_QINT8", 11},  {"DT_QUINT8", 12},
    {"DT_QINT32", 13},  {"DT_BFLOAT16", 14},   {"DT_QINT16", 15}, {"DT_QUINT16", 16},
    {"DT_UINT16", 17},  {"DT_COMPLEX128", 18}, {"DT_HALF", 19},   {"DT_RESOURCE", 20},
    {"DT_VARIANT", 21}, {"DT_UINT32", 22},     {"DT_UINT64", 23},
};

// Rows of a table, in which equal runs of several ops are written once.
class Rows {
public:
    // Returns the index of the first row of `run` in the table.
    std::size_t add(const std::string& run, std::size_t rows)
    {
        const auto [at, isNew] = m_starts.try_emplace(run, m_count);
        if (isNew) {
            m_text += run;
            m_count += rows;
        }
        return at->second;
    }
    const std::string& text() const { return m_text; }

private:
    std::map<std::string, std::size_t> m_starts;
    std::string m_text;
    std::size_t m_count = 0;
};

struct Tables {
    Rows args;
    Rows attrs;
    std::string ops;
    string_view previous;
};

std::optional<std::string> argSpan(Tables& tables, string_view column)
{
    std::string rows;
    const std::vector<string_view> items = split(column, "; ");
    for (const string_view item : items) {
        const auto arg = parseArg(item);
        if (!arg || (!arg->fixed.empty() && !dtypeNumbers.contains(arg->fixed)))
            return {};
        const int dtype = arg->fixed.empty() ? 0 : dtypeNumbers.at(arg->fixed);
        rows += "    {" + literal(arg->name) + ", DType(" + std::to_string(dtype) + "), " +
                literal(arg->typeAttr) + ", " + literal(arg->numberAttr) + ", " +
                literal(arg->typeListAttr) + (arg->isReference ? ", true},\n" : ", false},\n");
    }
    if (items.empty())
        return "{}";
    return "{args + " + std::to_string(tables.args.add(rows, items.size())) + ", " +
           std::to_string(items.size()) + "}";
}

std::optional<std::string> attrSpan(Tables& tables, string_view column)
{
    std::string rows;
    const std::vector<string_view> items = split(column, "; ");
    for (const string_view item : items) {
        const auto attr = parseAttr(item);
        if (!attr)
            return {};
        rows += "    {" + literal(attr->name) + ", " + literal(attr->kind) + ", " +
                literal(attr->defaultText) + ", " + literal(attr->allowed) + ", " +
                (attr->minimum.empty() ? "0" : std::string(attr->minimum)) +
                (attr->hasDefault ? ", true" : ", false") +
                (attr->minimum.empty() ? ", false},\n" : ", true},\n");
    }
    if (items.empty())
        return "{}";
    return "{attrs + " + std::to_string(tables.attrs.add(rows, items.size())) + ", " +
           std::to_string(items.size()) + "}";
}

struct Flags {
    bool isStateful = false, isCommutative = false, isAggregate = false;
    string_view since = "0", reason;
    OpFamily family = OpFamily::Unknown; // if the row names it
};

OpFamily familyOfWord(string_view word)
{
    static const std::map<string_view, OpFamily> families{
        {"Input", OpFamily::Input},
        {"Output", OpFamily::Output},
        {"Weights", OpFamily::Weights},
        {"HeavyMaths", OpFamily::HeavyMaths},
        {"Normalization", OpFamily::Normalization},
        {"Activation", OpFamily::Activation},
        {"Pooling", OpFamily::Pooling},
        {"ElementWise", OpFamily::ElementWise},
        {"DataMovement", OpFamily::DataMovement},
        {"Control", OpFamily::Control},
        {"Quantized", OpFamily::Quantized},
        {"Training", OpFamily::Training},
    };
    const auto found = families.find(word);
    return found == families.end() ? OpFamily::Unknown : found->second;
}

std::optional<Flags> parseFlags(string_view column)
{
    Flags flags;
    for (const string_view flag : split(column, ",")) {
        flags.isStateful |= flag == "stateful";
        flags.isCommutative |= flag == "commutative";
        flags.isAggregate |= flag == "aggregate";
        constexpr string_view familyFlag = "family=";
        if (flag.starts_with(familyFlag)) {
            flags.family = familyOfWord(flag.substr(familyFlag.size()));
            if (flags.family == OpFamily::Unknown)
                return {};
        }
        if (!flag.starts_with("deprecated("))
            continue;
        const std::size_t comma = flag.find(",\"");
        if (comma == string_view::npos || !flag.ends_with("\")"))
            return {};
        flags.since = flag.substr(11, comma - 11);
        flags.reason = flag.substr(comma + 2, flag.size() - comma - 4);
    }
    return flags;
}

std::optional<std::string> addOp(Tables& tables, string_view line)
{
    std::vector<string_view> columns;
    for (std::size_t start = 0; start <= line.size();) {
        const std::size_t tab = std::min(line.find('\t', start), line.size());
        columns.push_back(line.substr(start, tab - start));
        start = tab + 1;
    }
    if (columns.size() != 5)
        return "five columns expected";
    const auto inputs = argSpan(tables, columns[1]);
    const auto outputs = argSpan(tables, columns[2]);
    const auto attrs = attrSpan(tables, columns[3]);
    const auto flags = parseFlags(columns[4]);
    if (!inputs || !outputs || !attrs || !flags)
        return "an item that cannot be read";
    const bool isStated = flags->family != OpFamily::Unknown;
    const OpFamily family = isStated ? flags->family : familyByName(columns[0]);
    if (family == OpFamily::Unknown)
        return "no family fits " + std::string(columns[0]) +
               "; add family=WORD to its flags, a member of OpFamily, or a rule to op_families.cpp";
    if (columns[0] <= tables.previous)
        return "not sorted by name";
    tables.previous = columns[0];
    const auto boolean = [](bool value) { return value ? "true, " : "false, "; };
    tables.ops += "    {" + literal(columns[0]) + ", " + *inputs + ", " + *outputs + ", " + *attrs +
                  ", " + boolean(flags->isStateful) + boolean(flags->isCommutative) +
                  boolean(flags->isAggregate) + std::string(flags->since) + ", " +
                  literal(flags->reason) + ", OpFamily(" + std::to_string(int(family)) + ")},\n";
    return {};
}

int generate(const char* inPath, const std::string& function, const char* outPath)
{
    std::ifstream in(inPath);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    Tables tables;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() || lines[i][0] == '#')
            continue;
        if (const auto fault = addOp(tables, lines[i])) {
            std::cerr << inPath << ":" << i + 1 << ": " << *fault << "\n";
            return 1;
        }
    }
    if (tables.ops.empty()) {
        std::cerr << inPath << ": no ops\n";
        return 1;
    }
    std::ofstream out(outPath);
    out << "// Made by generate_op_table.\n"
           "#include \"graph_model/ops/later_ops.h\"\n\n"
           "namespace lapidary {\nnamespace {\n\n"
           "constinit const ArgSpec args[] = {\n"
        << tables.args.text()
        << "};\n\n"
           "constinit const AttrSpec attrs[] = {\n"
        << tables.attrs.text()
        << "};\n\n"
           "constinit const OpSpec ops[] = {\n"
        << tables.ops
        << "};\n\n"
           "} // namespace\n\n"
           "std::span<const OpSpec> "
        << function
        << "()\n{\n    return ops;\n}\n\n"
           "} // namespace lapidary\n";
    return out.flush() ? 0 : 1;
}

} // namespace
} // namespace lapidary

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::cerr << "usage: generate_op_table ops.tsv allOps op_table.cpp\n";
        return 2;
    }
    return lapidary::generate(argv[1], argv[2], argv[3]);
}
