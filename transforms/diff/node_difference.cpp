// SPDX-License-Identifier: Apache-2.0
#include "transforms/diff/node_difference.h"

#include "transforms/compare/equal_graphs.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lapidary {
namespace {

std::string valueText(const AttrValue& value)
{
    constexpr std::size_t most = 1000;
    return value.text(most);
}

// "loc:@NAME" names another node, which may have been renamed with all references to it.
bool isSameColocation(const DiffedGraphs& graphs, const AttrValue& a, const AttrValue& b)
{
    constexpr std::string_view prefix = "loc:@";
    const auto names = a.strings();
    const auto others = b.strings();
    return std::ranges::equal(names, others, [&](std::string_view name, std::string_view other) {
        if (name == other)
            return true;
        if (!name.starts_with(prefix) || !other.starts_with(prefix))
            return false;
        const NodeId node = graphs.before.find(name.substr(prefix.size()));
        const NodeId now = graphs.after.find(other.substr(prefix.size()));
        return node.isValid() && now.isValid() && graphs.counterparts[node.value] == now;
    });
}

class ValueComparison {
public:
    ValueComparison(const DiffedGraphs& graphs, NodePair pair, const Job& job, GraphDiff& diff)
        : m_graphs(graphs)
        , m_pair(pair)
        , m_a(graphs.before.node(pair.before))
        , m_b(graphs.after.node(pair.after))
        , m_job(job)
        , m_diff(diff)
    {
    }

    Status run()
    {
        if (m_a.device() != m_b.device())
            add("device", AttributeKind::Device, std::string(m_a.device()),
                std::string(m_b.device()));
        std::map<std::string_view, Values> all;
        for (const Attr& attr : m_a.attrs())
            all[attr.name].before = attr.value;
        for (const Attr& attr : m_b.attrs())
            all[attr.name].after = attr.value;
        for (const auto& [name, values] : all)
            RETURN_IF_ERROR(compare(name, values));
        return Done{};
    }

private:
    // The values of an attribute on both sides. If a node has two of the same name, the last one
    // counts.
    struct Values {
        std::optional<AttrValue> before;
        std::optional<AttrValue> after;
    };

    void add(std::string_view attr, AttributeKind kind, std::optional<std::string> before,
             std::optional<std::string> after)
    {
        m_diff.attributes.push_back(
            {m_pair, std::string(attr), kind, std::move(before), std::move(after)});
    }

    Status compare(std::string_view name, const Values& values)
    {
        const AttrValue x = values.before.value_or(AttrValue());
        const AttrValue y = values.after.value_or(AttrValue());
        const bool hasX = values.before.has_value();
        const bool hasY = values.after.has_value();
        if (hasX && hasY && x == y)
            return Done{};
        if (x.kind() == AttrKind::Tensor && y.kind() == AttrKind::Tensor)
            return compareTensorsNamed(name);
        if (hasX && hasY && isSameValue(x, y, m_a.owner()))
            return Done{};
        if (name == "_class" && hasX && hasY && isSameColocation(m_graphs, x, y))
            return Done{};
        const AttrKind known = hasX ? x.kind() : y.kind();
        const AttributeKind kind = known == AttrKind::Type    ? AttributeKind::Dtype
                                   : known == AttrKind::Shape ? AttributeKind::Shape
                                                              : AttributeKind::Attribute;
        std::optional<std::string> before;
        std::optional<std::string> after;
        if (hasX)
            before = valueText(x);
        if (hasY)
            after = valueText(y);
        add(name, kind, std::move(before), std::move(after));
        return Done{};
    }

    Status compareTensorsNamed(std::string_view name)
    {
        const auto x = m_a.tensor(name);
        const auto y = m_b.tensor(name);
        const std::string before = valueText(m_a.attr(name));
        const std::string after = valueText(m_b.attr(name));
        if (!x || !y) { // their bytes differ, and their meaning is unknown
            add(name, AttributeKind::Attribute, before, after);
            return Done{};
        }
        if (x.value().dtype() != y.value().dtype())
            add(name, AttributeKind::Dtype, before, after);
        if (!(x.value().shape() == y.value().shape()))
            add(name, AttributeKind::Shape, before, after);
        if (x.value().dtype() != y.value().dtype() || !(x.value().shape() == y.value().shape()))
            return Done{};
        if (dtypeSize(x.value().dtype()) == 0 && x.value().dtype() != DType::String) {
            add(name, AttributeKind::Attribute, before, after);
            return Done{};
        }
        auto change = compareTensors(x.value(), y.value(), m_job);
        if (!change)
            return Error{change.error().code,
                         std::string(m_a.name()) + ": " + change.error().message};
        if (!change->isSame())
            m_diff.constants.push_back({m_pair, std::string(name), *change});
        return Done{};
    }

    const DiffedGraphs& m_graphs;
    NodePair m_pair;
    const Node& m_a;
    const Node& m_b;
    const Job& m_job;
    GraphDiff& m_diff;
};

} // namespace

Status compareValues(const DiffedGraphs& graphs, NodePair pair, const Job& job, GraphDiff& diff)
{
    return ValueComparison(graphs, pair, job, diff).run();
}

} // namespace lapidary
