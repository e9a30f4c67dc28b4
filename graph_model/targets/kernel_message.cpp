// SPDX-License-Identifier: Apache-2.0
#include "graph_model/targets/kernel_message.h"

#include "graph_model/base/text.h"
#include "graph_model/tensor/dtype.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

using Kind = KernelMessage::Kind;

// Replaces line breaks and runs of blanks by one blank, because logs wrap lines anywhere.
std::string unwrapped(std::string_view text)
{
    std::string line;
    for (const char c : text)
        if (!isSpace(c))
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    return line;
}

// Returns the first text between two texts; nothing if they are not found.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after)
{
    const std::size_t begin = text.find(before);
    if (begin == std::string_view::npos)
        return {};
    const std::size_t from = begin + before.size();
    const std::size_t end = text.find(after, from);
    if (end == std::string_view::npos)
        return {};
    return text.substr(from, end - from);
}

// Returns "int32" for "DT_INT32" and "int32"; other values unchanged.
std::string valueName(std::string_view value)
{
    const auto type = parseDtype(value);
    return type ? dtypeName(*type) : std::string(value);
}

// Finds the node in "{{node a/b}}" or "[[Node: a/b = Op[...](...)]]" or "[[a/b]]".
std::string nodeIn(std::string_view text)
{
    if (const auto name = between(text, "{{node ", "}}"))
        return std::string(trimmed(*name));
    if (const auto name = between(text, "[[Node: ", " = "))
        return std::string(trimmed(*name));
    if (const auto name = between(text, "[[", "]]"))
        return std::string(trimmed(name->substr(0, std::min(name->find(" = "), name->size()))));
    return {};
}

// Splits "T=DT_INT32, strides=[1, 1]" into pairs; commas within brackets do not separate.
std::vector<std::pair<std::string, std::string>> attrsIn(std::string_view text)
{
    std::vector<std::pair<std::string, std::string>> attrs;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '[' || text[i] == '(' || text[i] == '{'))
            ++depth;
        if (i < text.size() && (text[i] == ']' || text[i] == ')' || text[i] == '}'))
            --depth;
        if (i < text.size() && (text[i] != ',' || depth > 0))
            continue;
        const std::string_view item = trimmed(text.substr(start, i - start));
        if (const std::size_t equals = item.find('='); equals != std::string_view::npos)
            attrs.emplace_back(item.substr(0, equals), valueName(item.substr(equals + 1)));
        start = i + 1;
    }
    return attrs;
}

// Returns the text up to the closing bracket of the one that was opened before it.
std::string_view upToClosing(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '[' ? 1 : 0;
        if (text[i] == ']' && depth-- == 0)
            return text.substr(0, i);
    }
    return text;
}

// Converts "device='CPU'; T in [DT_FLOAT]; Tidx in [DT_INT32]" to "T: float; Tidx: int32".
std::string kernelTypes(std::string_view row)
{
    std::string types;
    while (true) {
        const std::size_t in = row.find(" in [");
        if (in == std::string_view::npos)
            return types;
        const std::size_t name = row.substr(0, in).find_last_of("; ");
        const std::string_view attr =
            row.substr(name == std::string_view::npos ? 0 : name + 1,
                       in - (name == std::string_view::npos ? 0 : name + 1));
        std::string_view values = upToClosing(row.substr(in + 5));
        row.remove_prefix(in + 5 + values.size());
        std::string names;
        while (!values.empty()) {
            const std::size_t end = std::min(values.find(','), values.size());
            names += " " + valueName(trimmed(values.substr(0, end)));
            values.remove_prefix(std::min(end + 1, values.size()));
        }
        types += (types.empty() ? "" : "; ") + std::string(attr) + ":" + names;
    }
}

void readKernels(std::string_view text, KernelMessage& message)
{
    std::size_t begin = text.find("Registered kernels:");
    if (begin == std::string_view::npos)
        begin = text.find("Registered:");
    if (begin == std::string_view::npos)
        return;
    message.listsKernels = true;
    std::string_view rest = text.substr(begin);
    rest = rest.substr(0, std::min(rest.find("[["), rest.size()));
    std::set<std::string> seen;
    for (std::size_t at = rest.find("device='"); at != std::string_view::npos;) {
        const std::size_t next = rest.find("device='", at + 1);
        const std::string_view row = rest.substr(at, std::min(next, rest.size()) - at);
        const bool isForCpu =
            row.starts_with("device='CPU'") || row.starts_with("device='DEFAULT'");
        std::string types = kernelTypes(row);
        if (isForCpu && seen.insert(types).second)
            message.registered.push_back(std::move(types));
        at = next;
    }
}

std::optional<KernelMessage> noKernel(std::string_view text)
{
    constexpr std::string_view words = "No OpKernel was registered to support Op '";
    const auto op = between(text, words, "'");
    if (!op)
        return {};
    KernelMessage message{.kind = Kind::NoKernel, .ops = {std::string(*op)}};
    text.remove_prefix(text.find(words));
    message.node = nodeIn(text);
    const std::size_t attrs = text.find("with these attrs");
    const std::size_t kernels = std::min(text.find("Registered"), text.size());
    if (attrs < kernels && text.substr(attrs, kernels - attrs).find('[') != std::string_view::npos)
        message.attrs = attrsIn(upToClosing(text.substr(text.find('[', attrs) + 1)));
    // Before 1.13 attributes were in the node text itself.
    else if (const std::size_t own = text.find("[[Node: "); own != std::string_view::npos)
        if (const std::size_t bracket = text.find('[', own + 2); bracket != std::string_view::npos)
            message.attrs = attrsIn(upToClosing(text.substr(bracket + 1)));
    readKernels(text, message);
    return message;
}

std::optional<KernelMessage> noExecutable(std::string_view text)
{
    const auto op = between(text, "No registered '", "' OpKernel");
    if (!op)
        return {};
    KernelMessage message{.kind = Kind::NoExecutable, .ops = {std::string(*op)}};
    text.remove_prefix(text.find("No registered '"));
    message.node = nodeIn(text);
    if (const auto attrs = between(text, "Requested Attributes: ", ". Registered"))
        message.attrs = attrsIn(*attrs);
    else if (const auto list = between(text, "Requested Attributes: ", ")"))
        message.attrs = attrsIn(*list);
    readKernels(text, message);
    return message;
}

std::optional<KernelMessage> notAllowed(std::string_view text)
{
    const auto attr = between(text, "Value for attr '", "'");
    const auto value = between(text, "' of ", " is not in the list of allowed values");
    if (!attr || !value)
        return {};
    KernelMessage message{.kind = Kind::NotAllowed};
    message.node = nodeIn(text);
    std::string_view type = *value;
    if (type.size() > 2 && type.front() == '"')
        type = type.substr(1, type.size() - 2);
    message.attrs.emplace_back(*attr, valueName(type));
    if (const auto op = between(text, "Op<name=", ";"))
        message.ops.emplace_back(*op);
    return message;
}

std::optional<KernelMessage> notRegistered(std::string_view text)
{
    const auto op = between(text, "Op type not registered '", "'");
    if (!op)
        return {};
    KernelMessage message{.kind = Kind::NotRegistered, .ops = {std::string(*op)}};
    message.node = nodeIn(text.substr(text.find("Op type not registered '")));
    return message;
}

void addList(std::string_view list, std::vector<std::string>& ops)
{
    list = list.substr(0, std::min(list.find('.'), list.size()));
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (const std::string_view op = trimmed(list.substr(0, end)); !op.empty())
            ops.emplace_back(op);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

std::optional<KernelMessage> converter(std::string_view text)
{
    KernelMessage message{.kind = Kind::Converter};
    for (const std::string_view before : {"for which you will need custom implementations: ",
                                          "not supported by TensorFlow Flex runtime: "})
        if (const std::size_t at = text.find(before); at != std::string_view::npos)
            addList(text.substr(at + before.size()), message.ops);
    constexpr std::string_view neither = "' op is neither a custom op nor a flex op";
    for (std::size_t at = text.find(neither); at != std::string_view::npos;
         at = text.find(neither, at + 1)) {
        const std::size_t begin = text.rfind('\'', at - 1);
        if (at == 0 || begin == std::string_view::npos)
            continue;
        std::string_view op = text.substr(begin + 1, at - begin - 1);
        if (op.starts_with("tf."))
            op.remove_prefix(3);
        message.ops.emplace_back(op);
    }
    return message.ops.empty() ? std::nullopt : std::optional(message);
}

} // namespace

std::optional<KernelMessage> parseKernelMessage(std::string_view text)
{
    const std::string line = unwrapped(text);
    for (const auto& parse : {noKernel, noExecutable, notAllowed, notRegistered, converter})
        if (auto message = parse(line))
            return message;
    return {};
}

} // namespace lapidary
