#include "transforms/verify/verify_runs.h"

#include "runner/kernels/file_weights.h"
#include "runner/kernels/quantised/codes.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::uint64_t mostBytes = std::uint64_t(1) << 30; // of inner tensors kept

// The values of nodes as a run computed them last, in the order in which they first came.
class KeptValues {
public:
    void keep(NodeId id, std::span<const Value> outputs)
    {
        const auto [at, isNew] = m_values.try_emplace(id.value);
        if (isNew)
            m_order.push_back(id);
        m_bytes -= bytesOf(at->second);
        at->second.clear();
        const std::uint64_t bytes = bytesOf(outputs);
        m_isLeftOut[id.value] = m_bytes + bytes > mostBytes;
        if (m_isLeftOut[id.value])
            return;
        m_bytes += bytes;
        at->second.assign(outputs.begin(), outputs.end());
    }

    const std::vector<NodeId>& order() const { return m_order; }
    std::span<const Value> find(NodeId id) const
    {
        const auto found = m_values.find(id.value);
        return found == m_values.end() ? std::span<const Value>() : found->second;
    }
    bool isLeftOut(NodeId id) const
    {
        const auto found = m_isLeftOut.find(id.value);
        return found != m_isLeftOut.end() && found->second;
    }

private:
    static std::uint64_t bytesOf(std::span<const Value> values)
    {
        std::uint64_t bytes = 0;
        for (const Value& value : values)
            bytes += value.isSet() ? value.byteCount() : 0;
        return bytes;
    }

    std::unordered_map<std::uint32_t, std::vector<Value>> m_values;
    std::unordered_map<std::uint32_t, bool> m_isLeftOut;
    std::vector<NodeId> m_order;
    std::uint64_t m_bytes = 0;
};

std::string tensorName(const Graph& graph, NodeId id, std::size_t port)
{
    return std::string(graph.node(id).name()) + ":" + std::to_string(port);
}

std::string described(const Value& value)
{
    return std::string(dtypeName(value.dtype())) + " " + dimsText(value.dims());
}

class Verifier {
public:
    Verifier(VerifySide a, VerifySide b, std::span<const NodeId> counterparts,
             const VerifyTolerance& tolerance, const Job& job)
        : m_a(std::move(a))
        , m_b(std::move(b))
        , m_counterparts(counterparts)
        , m_tolerance(tolerance)
        , m_job(job)
    {
    }

    Result<Verification> run()
    {
        m_mapped.resize(m_b.graph.size());
        for (std::uint32_t i = 0; i < m_a.graph.size(); ++i) {
            // Constants are compared where graphs are compared.
            const bool isConstant = m_a.graph.node(NodeId{i}).op() == "Const";
            m_others.push_back(isConstant ? NodeId{} : otherOf(NodeId{i}));
            if (m_others.back().isValid())
                m_mapped[m_others.back().value].push_back(NodeId{i});
        }
        auto outputsA = runSide(m_a, "the first graph", [&](NodeId id, auto values) {
            if (m_others[id.value].isValid())
                m_kept.keep(id, values);
        });
        if (!outputsA)
            return outputsA.error();
        { // its packed weights are not held beside the other graph's
            const Session done = std::move(m_a.session);
        }
        auto outputsB = runSide(m_b, "the second graph", [&](NodeId id, auto values) {
            for (const NodeId left : m_mapped[id.value])
                compareNode(left, values);
        });
        if (!outputsB)
            return outputsB.error();
        listInner();
        compareOutputs(outputsA.value(), outputsB.value());
        findFirstAbove();
        return std::move(m_found);
    }

private:
    // The counterpart, or the node whose codes quantize_nodes made of this one's numbers.
    NodeId otherOf(NodeId id) const
    {
        if (m_counterparts[id.value].isValid())
            return m_counterparts[id.value];
        const std::string codes = std::string(m_a.graph.node(id).name()) + "/eightbit";
        const NodeId narrowed = m_b.graph.find(codes + "/requantize");
        return narrowed.isValid() ? narrowed : m_b.graph.find(codes);
    }

    // Numbers for codes of 8 bits with a range, everything else as it is.
    Value numbersOf(std::span<const Value> outputs, std::size_t port)
    {
        const bool isCoded = port == 0 && outputs.size() == 3 &&
                             outputs[0].dtype() == DType::QUInt8 &&
                             std::ranges::all_of(outputs.subspan(1), [](const Value& end) {
                                 return end.dtype() == DType::Float && end.elements() == 1;
                             });
        if (!isCoded)
            return outputs[port];
        auto numbers = Value::make(DType::Float, outputs[0].dims(), m_b.session.pool());
        if (!numbers)
            return outputs[port];
        const Real<std::uint8_t> real({outputs[1].as<float>()[0], outputs[2].as<float>()[0]});
        std::ranges::transform(outputs[0].as<std::uint8_t>(),
                               numbers.value().mutableAs<float>().begin(), real);
        return std::move(numbers).value();
    }

    template <class Look>
    Result<std::vector<Value>> runSide(VerifySide& side, const char* which, const Look& look)
    {
        auto outputs = side.session.run(side.request, m_job, [&](const NodeRun& run, auto values) {
            if (run.function.empty())
                look(run.node, values);
        });
        if (!outputs)
            return Error{outputs.error().code, std::string(which) + ": " + outputs.error().message};
        return outputs;
    }

    // Of a node in a loop the last turn counts, on both sides.
    void compareNode(NodeId id, std::span<const Value> right)
    {
        const auto left = m_kept.find(id);
        auto& agreements = m_agreements[id.value];
        agreements.assign(std::min(left.size(), right.size()), std::nullopt);
        for (std::size_t port = 0; port < agreements.size(); ++port)
            // What was folded is kept in another form by its reader.
            if (right[port].resource<FileWeights>() == nullptr)
                agreements[port] = compareValues(left[port], numbersOf(right, port));
    }

    // In the order of the first run.
    void listInner()
    {
        for (const NodeId id : m_kept.order()) {
            const NodeId other = m_others[id.value];
            m_found.leftOut += m_kept.isLeftOut(id) ? 1 : 0;
            bool isWithin = true;
            bool isCompared = false;
            const auto& agreements = m_agreements[id.value];
            for (std::size_t port = 0; port < agreements.size(); ++port) {
                if (!agreements[port])
                    continue;
                add(tensorName(m_a.graph, id, port), tensorName(m_b.graph, other, port), false,
                    *agreements[port]);
                m_nodeOfPair.push_back(id);
                isWithin = isWithin && m_found.pairs.back().isWithin;
                isCompared = true;
            }
            if (isCompared)
                m_isWithin[id.value] = isWithin;
        }
    }

    void compareOutputs(const std::vector<Value>& left, const std::vector<Value>& right)
    {
        for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
            const std::string& name = m_a.request.fetches[i];
            if (const auto agreement = compareValues(left[i], right[i]))
                add(name, m_b.request.fetches[i], true, *agreement);
            else if (!isSameText(left[i], right[i]))
                m_found.incomparable.push_back(name + ": " + described(left[i]) + " and " +
                                               described(right[i]));
        }
    }

    // Values that are no numbers: strings and codes agree where they are the same.
    static bool isSameText(const Value& a, const Value& b)
    {
        if (a.dtype() != b.dtype() || a.dims() != b.dims())
            return false;
        return a.dtype() == DType::String ? std::ranges::equal(a.strings(), b.strings())
                                          : a.bytes() == b.bytes();
    }

    void add(std::string a, std::string b, bool isOutput, const TensorAgreement& agreement)
    {
        m_found.pairs.push_back({std::move(a), std::move(b), isOutput,
                                 agreement.isWithin(m_tolerance.abs, m_tolerance.rel), agreement});
    }

    void findFirstAbove()
    {
        for (std::size_t i = 0; i < m_found.pairs.size() && !m_found.firstAbove; ++i) {
            const VerifiedPair& pair = m_found.pairs[i];
            if (!pair.isWithin && (pair.isOutput || !isAbsorbed(m_nodeOfPair[i])))
                m_found.firstAbove = i;
        }
    }

    // Whether every compared node that reads this one, directly or through others that were not
    // compared, agrees again.
    bool isAbsorbed(NodeId id) const
    {
        std::vector<NodeId> open{id};
        std::vector<bool> isSeen(m_a.graph.size());
        bool isRead = false;
        while (!open.empty()) {
            const NodeId next = open.back();
            open.pop_back();
            for (const Consumer& consumer : m_a.graph.consumers(next)) {
                if (isSeen[consumer.node.value])
                    continue;
                isSeen[consumer.node.value] = true;
                const auto compared = m_isWithin.find(consumer.node.value);
                if (compared == m_isWithin.end())
                    open.push_back(consumer.node);
                else if (!compared->second)
                    return false;
                else
                    isRead = true;
            }
        }
        return isRead;
    }

    VerifySide m_a;
    VerifySide m_b;
    std::span<const NodeId> m_counterparts;
    VerifyTolerance m_tolerance;
    const Job& m_job;
    std::vector<NodeId> m_others;              // by node of a: that of b which it is compared with
    std::vector<std::vector<NodeId>> m_mapped; // by node of b: those of a compared with it
    KeptValues m_kept;                         // of a; what b computes is compared at once
    std::unordered_map<std::uint32_t, std::vector<std::optional<TensorAgreement>>>
        m_agreements; // by node of a, one for each output
    Verification m_found;
    std::vector<NodeId> m_nodeOfPair;                   // of the inner pairs
    std::unordered_map<std::uint32_t, bool> m_isWithin; // of the compared nodes
};

} // namespace

bool Verification::isSame() const
{
    return missing.empty() && incomparable.empty() &&
           std::ranges::all_of(
               pairs, [](const VerifiedPair& pair) { return pair.isWithin || !pair.isOutput; });
}

Result<Verification> verifyRuns(VerifySide a, VerifySide b, std::span<const NodeId> counterparts,
                                const VerifyTolerance& tolerance, const Job& job)
{
    return Verifier(std::move(a), std::move(b), counterparts, tolerance, job).run();
}

} // namespace lapidary
