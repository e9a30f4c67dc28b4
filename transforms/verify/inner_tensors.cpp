// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/inner_tensors.h"

#include "graph_model/graph/stored_scales.h"
#include "graph_model/ops/op_traits.h"
#include "runner/kernels/file_weights.h"
#include "runner/kernels/quantized/codes.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <utility>

namespace lapidary {
namespace {

constexpr std::uint64_t mostBytes = std::uint64_t(1) << 30; // of tensors of `a` that are kept
constexpr std::uint64_t smallBytes = 1U << 14;              // of a node with all samples kept

std::uint64_t bytesOf(std::span<const Value> values)
{
    std::uint64_t bytes = 0;
    for (const Value& value : values)
        bytes += value.isSet() ? value.byteCount() : 0;
    return bytes;
}

// Returns whether the first output is 8-bit codes, and the others are their range.
bool isQuantized(std::span<const Value> outputs)
{
    return outputs.size() == 3 && outputs[0].dtype() == DType::QUInt8 &&
           std::ranges::all_of(outputs.subspan(1), [](const Value& bound) {
               return bound.dtype() == DType::Float && bound.elements() == 1;
           });
}

std::optional<QuantizedCodes> codesOf(std::span<const Value> outputs)
{
    if (!isQuantized(outputs))
        return {};
    const double min = outputs[1].as<float>()[0];
    const double max = outputs[2].as<float>()[0];
    const double scale = (max - min) / (codeSteps<std::uint8_t> - 1);
    const bool isUsual = scale > 0 && std::isfinite(scale);
    std::bitset<std::size_t(codeSteps<std::uint8_t>)> used;
    for (const std::uint8_t code : outputs[0].as<std::uint8_t>())
        used.set(code);
    return QuantizedCodes{.scale = scale,
                          .zeroPoint = isUsual ? std::llround(-min / scale) : 0,
                          .range = std::pair(float(min), float(max)),
                          .used = int(used.count())};
}

// Returns the codes of a value with one scale. Weights with a scale for each channel are not
// compared here.
std::optional<QuantizedCodes> storedCodes(const Node& node, const Value& value, std::size_t port)
{
    const auto stored = storedScales(node, std::int32_t(port));
    const bool isByte = value.dtype() == DType::Int8 || value.dtype() == DType::UInt8;
    if (!stored || stored->scales.size() != 1 || !isByte)
        return {};
    return QuantizedCodes{double(stored->scales[0]), stored->zeroPoints[0]};
}

template <class T>
void decode(const Value& value, const QuantizedCodes& codes, Value& numbers)
{
    std::ranges::transform(value.as<T>(), numbers.mutableAs<float>().begin(), [&](T code) {
        return float(codes.scale * double(std::int64_t(code) - codes.zeroPoint));
    });
}

// Returns the real numbers of quantized values to which the file gives a scale; other values
// unchanged.
Value numbersOf(const Node& node, const Value& value, std::size_t port)
{
    const auto codes = storedCodes(node, value, port);
    if (!codes)
        return value;
    MemoryPool pool(value.byteCount() * sizeof(float) + 4096);
    auto numbers = Value::make(DType::Float, value.dims(), pool);
    if (!numbers)
        return value;
    if (value.dtype() == DType::Int8)
        decode<std::int8_t>(value, *codes, *numbers);
    else
        decode<std::uint8_t>(value, *codes, *numbers);
    return *std::move(numbers);
}

// Returns the real numbers of 8-bit quantized values with a range; other values unchanged.
Value numbersOf(std::span<const Value> outputs, std::size_t port)
{
    if (port != 0 || !isQuantized(outputs))
        return outputs[port];
    MemoryPool pool(outputs[0].byteCount() * sizeof(float) + 4096);
    auto numbers = Value::make(DType::Float, outputs[0].dims(), pool);
    if (!numbers)
        return outputs[port];
    const Real<std::uint8_t> real({outputs[1].as<float>()[0], outputs[2].as<float>()[0]});
    std::ranges::transform(outputs[0].as<std::uint8_t>(), numbers->mutableAs<float>().begin(),
                           real);
    return *std::move(numbers);
}

VerifiedPair pairOf(const VerifyOptions& options, const TensorAgreement& agreement,
                    std::pair<std::string, NodeId> a, std::string b)
{
    VerifiedPair pair{.a = std::move(a.first),
                      .b = std::move(b),
                      .isWithin = agreement.isWithin(options.tolerance.abs, options.tolerance.rel),
                      .agreement = agreement,
                      .node = a.second};
    pair.grade = gradeOf(agreement, pair.isWithin, options.limits);
    return pair;
}

} // namespace

InnerTensors::InnerTensors(const ComparedGraphs& graphs, const VerifyOptions& options)
    : m_graphs(graphs)
    , m_layouts(options.layouts)
    , m_mapped(graphs.b.size())
{
    for (std::uint32_t i = 0; i < m_graphs.a.size(); ++i) {
        // Constants are compared with the graphs, not here.
        const bool isConstant = m_graphs.a.node(NodeId{i}).op() == "Const";
        m_others.push_back(isConstant ? NodeId{} : m_graphs.sameNumbers(NodeId{i}));
        if (m_others.back().isValid())
            m_mapped[m_others.back().value].push_back(NodeId{i});
    }
    if (options.comparesRanges)
        findRounded();
}

// Returns for each node of `b` the nearest node along its first inputs that `a` computes too, which
// may be the node itself.
std::vector<NodeId> InnerTensors::nearestMapped() const
{
    const Graph& b = m_graphs.b;
    std::vector<NodeId> nearest(b.size());
    for (const NodeId id : topologicalOrder(b)) {
        const auto inputs = b.inputs(id);
        if (!m_mapped[id.value].empty())
            nearest[id.value] = id;
        else if (!inputs.empty() && inputs[0].port == 0 && inputs[0].node.isValid())
            nearest[id.value] = nearest[inputs[0].node.value];
    }
    return nearest;
}

// The tensor that a node rounds is the nearest one before it that both compute.
void InnerTensors::findRounded()
{
    const Graph& b = m_graphs.b;
    const std::vector<NodeId> nearest = nearestMapped();
    for (std::uint32_t i = 0; i < b.size(); ++i)
        if (rangeInput(b.node(NodeId{i}).op()) && m_mapped[i].empty() && nearest[i].isValid())
            m_rounded.push_back({.a = m_mapped[nearest[i].value].front(), .b = NodeId{i}});
}

int InnerTensors::channelAxis(NodeId id) const
{
    return m_graphs.a.node(id).attr("data_format").asString() == "NCHW" ? 1 : -1;
}

void InnerTensors::keep(std::size_t sample, NodeId id, std::span<const Value> outputs)
{
    const std::uint64_t bytes = bytesOf(outputs);
    if (!m_others[id.value].isValid() || (sample > 0 && bytes > smallBytes))
        return;
    const auto [at, isNew] = m_kept.try_emplace(id.value);
    if (isNew)
        m_order.push_back(id);
    Kept& kept = at->second;
    kept.outputs.resize(std::max(kept.outputs.size(), sample + 1));
    std::vector<Value>& here = kept.outputs[sample];
    m_bytes -= bytesOf(here);
    here.clear();
    const bool fits = m_bytes + bytes <= mostBytes;
    if (sample == 0)
        kept.isLeftOut = !fits;
    if (!fits)
        return;
    m_bytes += bytes;
    here.assign(outputs.begin(), outputs.end());
}

void InnerTensors::compareRounded(NodeId id, std::span<const Value> outputs)
{
    const auto at = std::ranges::lower_bound(m_rounded, id, {}, &Rounded::b);
    if (at == m_rounded.end() || at->b != id || outputs.empty())
        return;
    const auto kept = m_kept.find(at->a.value);
    if (kept == m_kept.end() || kept->second.outputs.front().empty())
        return;
    AgreementSums sums(channelAxis(at->a));
    at->codes = codesOf(outputs);
    at->agreement.reset();
    if (sums.add(kept->second.outputs.front()[0], numbersOf(outputs, 0)))
        at->agreement = sums.result();
}

void InnerTensors::compare(std::size_t sample, NodeId id, std::span<const Value> outputs)
{
    if (sample == 0)
        compareRounded(id, outputs);
    for (const NodeId left : m_mapped[id.value]) {
        const auto found = m_kept.find(left.value);
        if (found == m_kept.end() || found->second.outputs.size() <= sample)
            continue;
        Kept& kept = found->second;
        const Node& node = m_graphs.b.node(id);
        kept.codes = codesOf(outputs);
        if (!kept.codes && !outputs.empty())
            kept.codes = storedCodes(node, outputs[0], 0);
        const std::vector<Value>& known = kept.outputs[sample];
        const AgreementSums none(channelAxis(left));
        kept.compared.resize(std::max(kept.compared.size(), std::min(known.size(), outputs.size())),
                             {none, none});
        const bool isFirstTurn = sample != std::exchange(kept.sample, sample);
        for (std::size_t port = 0; port < std::min(known.size(), outputs.size()); ++port) {
            // A folded constant is packed for its reader, and cannot be compared.
            if (outputs[port].resource<FileWeights>() != nullptr)
                continue;
            Compared& compared = kept.compared[port];
            if (isFirstTurn)
                compared.before = compared.all;
            compared.all = compared.before;
            const Value before = numbersOf(m_graphs.a.node(left), known[port], port);
            const auto after =
                inLayoutOf(before, numbersOf(node, numbersOf(outputs, port), port), m_layouts);
            if (after)
                compared.all.add(before, *after);
        }
    }
}

void InnerTensors::listRounded(NodeId id, std::span<const Rounded* const> all,
                               const VerifyOptions& options, Verification& found) const
{
    for (auto at = std::ranges::lower_bound(all, id, {}, &Rounded::a);
         at != all.end() && (*at)->a == id; ++at) {
        const Rounded& rounded = **at;
        if (!rounded.agreement)
            continue;
        found.pairs.push_back(pairOf(options, *rounded.agreement,
                                     {tensorName(m_graphs.a, {id, 0}), id},
                                     tensorName(m_graphs.b, {rounded.b, 0})));
        found.pairs.back().codes = rounded.codes;
        found.pairs.back().isRounding = true;
    }
}

void InnerTensors::list(const VerifyOptions& options, Verification& found) const
{
    std::vector<const Rounded*> rounded; // sorted by the tensors that they round
    for (const Rounded& one : m_rounded)
        rounded.push_back(&one);
    std::ranges::stable_sort(rounded, {}, &Rounded::a);
    for (const NodeId id : m_order) {
        const Kept& kept = m_kept.at(id.value);
        found.leftOut += kept.isLeftOut ? 1 : 0;
        for (std::size_t port = 0; port < kept.compared.size(); ++port) {
            if (kept.compared[port].all.isEmpty())
                continue;
            found.pairs.push_back(
                pairOf(options, kept.compared[port].all.result(),
                       {tensorName(m_graphs.a, {id, std::int32_t(port)}), id},
                       tensorName(m_graphs.b, {m_others[id.value], std::int32_t(port)})));
            if (port == 0)
                found.pairs.back().codes = kept.codes;
        }
        listRounded(id, rounded, options, found);
    }
}

} // namespace lapidary
