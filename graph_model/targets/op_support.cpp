// SPDX-License-Identifier: Apache-2.0
#include "graph_model/targets/op_support.h"

#include "graph_model/base/text.h"
#include "graph_model/ops/later_ops.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/targets/kernel_classes.h"
#include "graph_model/targets/packed_text.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using TargetKind = Target::Kind;
constexpr std::array targets{
    Target{"android_all_ops_filegroup",
           "Android with every source file that can be added to the build"},
    Target{"android_full", "Android, TensorFlow 1.15 built by bazel with default flags"},
    Target{"android_full_typesfull", "Android, built by bazel with __ANDROID_TYPES_FULL__ defined"},
    Target{"android_makefile_default", "Android, TensorFlow 1.15 built by contrib/makefile"},
    Target{"android_selective", "Android, built by bazel with selective registration"},
    Target{"desktop", "the CPU build of TensorFlow 1.15", TargetKind::Desktop},
    Target{"flex_1_15", "TensorFlow Lite of 1.15 with select TensorFlow ops", TargetKind::Converter,
           "tflite_toco_1_15"},
    Target{"flex_2_6", "TensorFlow Lite of 2.6 with select TensorFlow ops", TargetKind::Converter,
           "tflite_converter_2_6", "2.6"},
    Target{"ios_makefile_default", "iOS, TensorFlow 1.15 built by contrib/makefile"},
    Target{"pi_makefile_default", "Raspberry Pi, TensorFlow 1.15 built by contrib/makefile"},
    Target{"tflite_converter_2_6",
           "TensorFlow Lite, the converter of 2.6",
           TargetKind::Converter,
           {},
           "2.6"},
    Target{"tflite_toco_1_15", "TensorFlow Lite, the converter of 1.15", TargetKind::Converter},
};

bool hasItem(std::string_view list, char separator, std::string_view wanted)
{
    while (!list.empty())
        if (nextItem(list, separator) == wanted)
            return true;
    return false;
}

const Support unknownOp{
    SupportFault::UnknownOp, "TensorFlow 1.15 has no such op; the build must register it", {}};

bool isTypeList(std::string_view cell)
{
    return cell.find(':') != std::string_view::npos;
}

bool isYes(std::string_view cell)
{
    return cell.starts_with("yes") || cell == "listed";
}

// Returns whether only later versions have an op; the tables contain a few of these.
bool isLaterThan(std::string_view version, std::string_view op)
{
    return version == "1.15" &&
           std::ranges::find(laterOps(), op, &OpSpec::name) != laterOps().end();
}

bool hasLabel(const Node& node)
{
    return !node.attr("_kernel").asString().value_or("").empty();
}

} // namespace

std::span<const Target> allTargets()
{
    return targets;
}

const Target* findTarget(std::string_view name)
{
    const auto found = std::ranges::find(targets, name, &Target::name);
    return found == targets.end() ? nullptr : &*found;
}

bool isMissing(SupportFault fault)
{
    return fault != SupportFault::None && fault != SupportFault::OnlyIfResolved &&
           fault != SupportFault::NotKnown;
}

OpSupport::OpSupport()
    : m_text(unpackText(packed::opSupport))
    , m_combinationText(unpackText(packed::typeCombinations))
{
    forEachRow(m_text, 14, [this](std::span<const std::string_view> fields) {
        if (m_columns.empty()) {
            m_columns.assign(fields.begin() + 1, fields.end());
            return;
        }
        std::vector<std::string_view>& row = m_rows[fields[0]];
        for (const std::string_view cell : fields.subspan(1))
            row.push_back(cell == "=" && !row.empty() ? row.back() : cell);
    });
    forEachRow(m_combinationText, 4, [this](std::span<const std::string_view> fields) {
        m_combinations[fields[0]] = {fields[1], fields[2], fields[3]};
    });
}

std::string_view OpSupport::cell(std::string_view op, std::string_view target) const
{
    const auto row = m_rows.find(op);
    const auto column = std::ranges::find(m_columns, target);
    if (row == m_rows.end() || column == m_columns.end())
        return {};
    return row->second[std::size_t(column - m_columns.begin())];
}

std::size_t OpSupport::opsIn(const Target& target) const
{
    std::size_t count = 0;
    for (const auto& [op, row] : m_rows) {
        const std::string_view own = cell(op, target.name);
        count += isYes(own) || isTypeList(own) ? 1 : 0;
    }
    return count;
}

bool OpSupport::isListedTuple(const Node& node, std::string_view target) const
{
    const auto found = m_combinations.find(node.op());
    if (found == m_combinations.end() || !hasItem(found->second.targets, ',', target))
        return true;
    std::string tuple;
    for (std::string_view attrs = found->second.attrs; !attrs.empty();) {
        const std::vector<DType> types = attrTypes(node, nextItem(attrs, ','));
        tuple += (tuple.empty() ? "" : "/") + (types.empty() ? "?" : dtypeName(types[0]));
    }
    return hasItem(found->second.tuples, ' ', tuple);
}

std::string OpSupport::typesOf(const Node& node) const
{
    std::string text;
    const OpSpec* op = findOp(node.op());
    for (const AttrSpec& attr : op == nullptr ? std::span<const AttrSpec>() : op->attrs) {
        if (attr.kind != "type" && attr.kind != "list(type)")
            continue;
        std::string names;
        for (const DType type : attrTypes(node, attr.name))
            names += (names.empty() ? "" : ",") + dtypeName(type);
        if (!names.empty())
            text += (text.empty() ? "" : ", ") + std::string(attr.name) + "=" + names;
    }
    return text;
}

Support OpSupport::inTable(const Node& node, std::string_view target) const
{
    const std::string_view own = cell(node.op(), target);
    if (own.empty())
        return findOp(node.op()) == nullptr
                   ? unknownOp
                   : Support{SupportFault::NotKnown, "the tables do not say", {}};
    if (own == "?")
        return {SupportFault::NotKnown, "it is not known whether the converter knows it", {}};
    if (own.starts_with("only if"))
        return {SupportFault::OnlyIfResolved, "only if the converter can do away with it", {}};
    if (isYes(own))
        return {};
    if (!isTypeList(own))
        return {SupportFault::NoKernel,
                own == "no" ? std::string("it has no kernel there") : std::string(own),
                {}};
    if (!fitsTypes(node, own))
        return {SupportFault::OtherTypes, "its kernels there are for " + std::string(own), {}};
    if (!isListedTuple(node, target))
        return {SupportFault::OtherTypes,
                "its kernels there are for " +
                    std::string(m_combinations.find(node.op())->second.tuples),
                {}};
    return {};
}

Support OpSupport::of(const Node& node, const Target& target) const
{
    if (isLaterThan(target.version, node.op()))
        return {unknownOp.fault, unknownOp.why, typesOf(node)};
    Support support = inTable(node, target.name);
    if (isMissing(support.fault) && !target.otherwise.empty())
        if (Support other = inTable(node, target.otherwise); !isMissing(other.fault))
            support = std::move(other);
    if (support.fault == SupportFault::None && target.kind != TargetKind::Converter &&
        hasLabel(node)) {
        const KernelClasses kernels;
        if (kernels.kernelOf(node) == nullptr)
            support = {SupportFault::UnknownLabel,
                       "no kernel has the label that its attribute _kernel asks for",
                       {}};
    }
    support.types = typesOf(node);
    return support;
}

} // namespace lapidary
