// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/input_setting.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t mostNodes = 20'000; // that are examined for one input

bool isUniform(std::string_view op)
{
    return op == "RandomUniform" || op == "StatelessRandomUniform";
}

// Returns whether a tensor has random numbers, possibly scaled and shifted: random * (max - min) +
// min.
bool isRandom(const Graph& graph, Endpoint tensor)
{
    constexpr int mostSteps = 6;
    std::vector<Endpoint> open{tensor};
    for (int step = 0; step < mostSteps && !open.empty(); ++step) {
        std::vector<Endpoint> next;
        for (const Endpoint& at : open) {
            if (!at.node.isValid())
                continue;
            const std::string_view op = graph.node(at.node).op();
            if (isUniform(op))
                return true;
            const auto inputs = graph.inputs(at.node);
            if (isPairwise(op) || passesInputOn(op) || convertsElements(op))
                std::ranges::copy(inputs.first(std::min<std::size_t>(inputs.size(), 2)),
                                  std::back_inserter(next)); // a damaged node may have any number
        }
        open = std::move(next);
    }
    return false;
}

// Follows an input to the nodes that it controls. On the way a dropout's 1 - x and a switch's "not"
// invert its meaning.
class SettingFinder {
public:
    explicit SettingFinder(const Graph& graph)
        : m_graph(graph)
    {
    }

    std::optional<InputSetting> find(Endpoint input)
    {
        visitReaders(input, false);
        for (std::size_t i = 0; i < m_open.size() && m_looked++ < mostNodes; ++i) {
            const Use use = m_open[i];
            if (const auto setting = decided(use))
                return setting;
            const std::string_view op = m_graph.node(use.reader).op();
            if (isSwitch(op) && use.slot == 0) // the values of a branch
                visitReaders({use.reader, 1}, use.isTurned);
            if (passesInputOn(op) || convertsElements(op) || (isSwitch(op) && use.slot == 0))
                visitReaders({use.reader, 0}, use.isTurned);
            else if (isComplement(use))
                visitReaders({use.reader, 0}, !use.isTurned);
        }
        return {};
    }

private:
    struct Use {
        NodeId reader;
        std::uint32_t slot = 0;
        bool isTurned = false;
    };

    void visitReaders(Endpoint tensor, bool isTurned)
    {
        for (const Consumer& reader : m_graph.consumers(tensor.node))
            if (reader.port == tensor.port &&
                m_seen.insert({reader.node.value, reader.slot}).second)
                m_open.push_back({reader.node, reader.slot, isTurned});
    }

    // Returns whether it is 1 - x, or not x.
    bool isComplement(const Use& use) const
    {
        const std::string_view op = m_graph.node(use.reader).op();
        if (op == "LogicalNot")
            return true;
        const Endpoint first = m_graph.inputs(use.reader)[0];
        return op == "Sub" && use.slot == 1 && first.node.isValid() &&
               isConstant(m_graph.node(first.node).op());
    }

    std::optional<InputSetting> decided(const Use& use)
    {
        const std::string_view op = m_graph.node(use.reader).op();
        if (isSwitch(op) && use.slot == 1)
            return decidedBranch(use);
        const auto inputs = m_graph.inputs(use.reader);
        const bool isPair = isPairwise(op) && use.slot < 2 && inputs.size() >= 2;
        if (!isPair || !isRandom(m_graph, inputs[1 - use.slot]))
            return {};
        const bool isFirst = use.slot == 0;
        const bool isSum = isAddition(op) && isFloored(use.reader);
        // random >= rate keeps an element, as does rate <= random.
        const bool isRate = isFirst ? op.starts_with("Less") : op.starts_with("Greater");
        const bool isKept = isSum || (isFirst ? op.starts_with("Greater") : op.starts_with("Less"));
        if (!isRate && !isKept)
            return {};
        return isKept != use.isTurned ? InputSetting{1, "how much a dropout keeps"}
                                      : InputSetting{0, "how much a dropout drops"};
    }

    // Returns whether the sum is rounded down: floor(keep + random) is 1 for elements that are
    // kept.
    bool isFloored(NodeId sum) const
    {
        return std::ranges::any_of(m_graph.consumers(sum), [&](const Consumer& reader) {
            return m_graph.node(reader.node).op() == "Floor";
        });
    }

    // Returns whether the nodes after one side of a Switch, up to the Merge, train: they draw
    // random numbers, use the statistics of the batch, or change a variable.
    bool trains(NodeId branch, std::int32_t side)
    {
        std::set<std::uint32_t> seen;
        std::vector<NodeId> open;
        const auto visitReaders = [&](NodeId id, std::optional<std::int32_t> port) {
            for (const Consumer& reader : m_graph.consumers(id))
                if ((!port || reader.port == *port) && seen.insert(reader.node.value).second)
                    open.push_back(reader.node);
        };
        visitReaders(branch, side);
        while (!open.empty() && m_looked++ < mostNodes) {
            const NodeId id = open.back();
            open.pop_back();
            const Node& node = m_graph.node(id);
            const bool takesStatistics = node.op().starts_with("FusedBatchNorm") &&
                                         node.attr("is_training").asBool().value_or(true);
            if (isUniform(node.op()) || takesStatistics || changesVariable(node.op()))
                return true;
            if (!isMerge(node.op()))
                visitReaders(id, {});
        }
        return false;
    }

    std::optional<InputSetting> decidedBranch(const Use& use)
    {
        const bool trainsIfTrue = trains(use.reader, 1);
        if (trainsIfTrue == trains(use.reader, 0))
            return {};
        const bool infers = trainsIfTrue == use.isTurned;
        return InputSetting{infers ? 1.0 : 0.0, "the switch between training and inference"};
    }

    const Graph& m_graph;
    std::size_t m_looked = 0;
    std::vector<Use> m_open;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_seen; // nodes and slots
};

} // namespace

std::optional<InputSetting> inputSetting(const Graph& graph, Endpoint input)
{
    return input.node.isValid() ? SettingFinder(graph).find(input) : std::nullopt;
}

} // namespace lapidary
