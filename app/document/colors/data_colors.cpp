// SPDX-License-Identifier: Apache-2.0
#include "app/document/colors/data_colors.h"

#include "views/models/data/data_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary {
namespace {

constexpr double widestLinear = 100; // the largest number over the smallest

struct Gathered {
    double value = 0;
    std::int64_t count = 0;

    void add(double number, ScopeNumber kind)
    {
        if (count++ == 0)
            value = number;
        else if (kind == ScopeNumber::Largest)
            value = std::max(value, number);
        else if (kind == ScopeNumber::Smallest)
            value = std::min(value, number);
        else
            value += number;
    }
};

OverlayScale::Kind scaleKind(const OverlayFaces& faces)
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const auto& [item, face] : faces) {
        if (face.value < 0)
            return OverlayScale::Kind::TwoSided;
        if (face.value > 0)
            least = std::min(least, face.value);
        most = std::max(most, face.value);
    }
    return most > least * widestLinear ? OverlayScale::Kind::Logarithmic
                                       : OverlayScale::Kind::Linear;
}

} // namespace

std::vector<double> scopeNumbers(const DataTable& table, std::size_t column, const ScopeTree& tree)
{
    const ScopeNumber kind = table.columns()[column].ofScope;
    std::vector<Gathered> ofGroup(tree.size());
    for (std::size_t row = 0; row < table.rows().size(); ++row) {
        const NodeId node = table.rows()[row].node;
        const auto number = table.number(row, column);
        if (!node.isValid() || !number)
            continue;
        for (GroupId group = tree.parentOf(ItemId::of(node)); group.isValid();
             group = tree.group(group).parent)
            ofGroup[group.value].add(*number, kind);
    }
    std::vector<double> numbers;
    for (const Gathered& group : ofGroup)
        numbers.push_back(group.count == 0            ? std::numeric_limits<double>::quiet_NaN()
                          : kind == ScopeNumber::Mean ? group.value / double(group.count)
                                                      : group.value);
    return numbers;
}

ColorClasses dataColors(const DataTable& table, std::size_t column, const Preparation& preparation)
{
    const DataTable::Column& of = table.columns()[column];
    auto faces = std::make_shared<OverlayFaces>();
    const auto add = [&](ItemId item, double number) {
        (*faces)[item] = {number, dataText(number, of.unit).toStdString()};
    };
    for (std::size_t row = 0; row < table.rows().size(); ++row)
        if (const auto number = table.number(row, column);
            number && table.rows()[row].node.isValid())
            add(ItemId::of(table.rows()[row].node), *number);
    const std::vector<double> ofGroup = scopeNumbers(table, column, preparation.tree());
    for (std::uint32_t group = 0; group < ofGroup.size(); ++group)
        if (!std::isnan(ofGroup[group]))
            add(ItemId::of(GroupId{group}), ofGroup[group]);
    auto coloring = std::make_shared<Coloring>();
    coloring->scale.kind = scaleKind(*faces);
    coloring->overlay = std::move(faces);
    coloring->isSummed = of.ofScope == ScopeNumber::Sum;
    ColorClasses classes;
    classes.coloring = std::move(coloring);
    classes.numbers = {of.name, of.unit};
    return classes;
}

} // namespace lapidary
