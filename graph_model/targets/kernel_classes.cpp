// SPDX-License-Identifier: Apache-2.0
#include "graph_model/targets/kernel_classes.h"

#include "graph_model/base/text.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/targets/packed_text.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether a list of words separated by blanks contains the word.
bool holdsWord(std::string_view words, std::string_view word)
{
    while (!words.empty())
        if (nextItem(words, ' ') == word)
            return true;
    return false;
}

} // namespace

std::vector<DType> attrTypes(const Node& node, std::string_view attr)
{
    const AttrValue value = node.attr(attr);
    if (const auto type = value.asType())
        return {withoutReference(*type)};
    if (value.kind() != AttrKind::None) {
        std::vector<DType> types = value.types();
        for (DType& type : types)
            type = withoutReference(type);
        return types;
    }
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return {};
    for (const AttrSpec& spec : op->attrs)
        if (spec.name == attr && spec.hasDefault)
            if (const auto type = parseDtype(spec.defaultText))
                return {*type};
    return {};
}

bool fitsTypes(const Node& node, std::string_view lists)
{
    while (!lists.empty()) {
        std::string_view words = nextItem(lists, ';');
        const std::string_view attr = nextItem(words, ':');
        const std::vector<DType> types = attrTypes(node, attr);
        const auto isListed = [&](DType type) { return holdsWord(words, dtypeName(type)); };
        if (types.empty() || !std::ranges::all_of(types, isListed))
            return false;
    }
    return true;
}

std::string deviceType(std::string_view device)
{
    while (!device.empty()) {
        std::string_view part = nextItem(device, '/');
        if (part.starts_with("device:"))
            part.remove_prefix(7);
        std::string type(part.substr(0, part.find(':')));
        for (char& c : type)
            c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
        if (!type.empty() && type != "JOB" && type != "REPLICA" && type != "TASK")
            return type;
    }
    return "CPU";
}

KernelClasses::KernelClasses()
    : m_text(unpackText(packed::kernelClasses))
{
    forEachRow(m_text, 6, [this](std::span<const std::string_view> fields) {
        KernelClass kernel{.op = fields[0],
                           .label = fields[1],
                           .types = fields[2],
                           .name = fields[3],
                           .source = fields[4],
                           .servesAllDevices = fields[5] == "any"};
        if (kernel.op.empty() && !m_kernels.empty())
            kernel.op = m_kernels.back().op;
        if (kernel.source.empty() && !m_kernels.empty())
            kernel.source = m_kernels.back().source;
        m_kernels.push_back(kernel);
    });
    for (std::size_t begin = 0, end = 0; begin < m_kernels.size(); begin = end) {
        while (end < m_kernels.size() && m_kernels[end].op == m_kernels[begin].op)
            ++end;
        m_byOp[m_kernels[begin].op] = std::span(m_kernels).subspan(begin, end - begin);
    }
}

std::span<const KernelClass> KernelClasses::ofOp(std::string_view op) const
{
    const auto found = m_byOp.find(op);
    return found == m_byOp.end() ? std::span<const KernelClass>() : found->second;
}

const KernelClass* KernelClasses::kernelOf(const Node& node) const
{
    const bool isOnCpu = deviceType(node.device()) == "CPU";
    const std::string_view label = node.attr("_kernel").asString().value_or("");
    const KernelClass* found = nullptr;
    for (const KernelClass& kernel : ofOp(node.op())) {
        if (kernel.label != label || !(isOnCpu || kernel.servesAllDevices) ||
            !fitsTypes(node, kernel.types))
            continue;
        if (!kernel.servesAllDevices)
            return &kernel;
        found = &kernel;
    }
    return found;
}

} // namespace lapidary
