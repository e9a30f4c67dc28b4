// SPDX-License-Identifier: Apache-2.0
// Attention over heads, and rotary embedding of positions.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;
using steps::both;

constexpr float never = -std::numeric_limits<float>::infinity();

// Reshapes [n, length, heads * size] to [n, length, heads, size].
std::string inHeads(LiftDraft& d, const std::string& x, std::int64_t heads)
{
    const std::string rows = steps::part(d, steps::sizes(d, x, DType::Float), 0, 2);
    const std::string sizes = steps::concat(d, {rows, d.longList({heads, -1})}, 0, DType::Int64);
    return steps::reshape(d, x, DType::Float, sizes);
}

// Reverses inHeads().
std::string joinedHeads(LiftDraft& d, const std::string& x)
{
    const std::string rows = steps::part(d, steps::sizes(d, x, DType::Float), 0, 2);
    return steps::reshape(d, x, DType::Float,
                          steps::concat(d, {rows, d.longList({-1})}, 0, DType::Int64));
}

std::string swapped(LiftDraft& d, const std::string& x)
{
    return transposed(d, x, DType::Float, {0, 2, 1, 3});
}

// ONNX' Attention. All tensors are [n, heads, length, size] inside.
class OnnxAttention {
public:
    explicit OnnxAttention(LiftDraft& draft)
        : m_draft(draft)
    {
    }

    bool lift()
    {
        if (!readHeads())
            return false;
        const std::string q = both(m_draft, "Mul", headed(0, m_heads), scale());
        std::array present{headed(1, m_keyHeads), headed(2, m_keyHeads)};
        for (const std::size_t i : {0U, 1U})
            if (m_draft.has(4 + i))
                present[i] =
                    steps::concat(m_draft, {m_draft.in(4 + i), present[i]}, 2, DType::Float);
        m_queries = steps::sizeAt(m_draft, q, DType::Float, 2, DType::Int32);
        m_keys = steps::sizeAt(m_draft, present[0], DType::Float, 2, DType::Int32);
        const std::string products = m_draft.step("BatchMatMulV2", {q, repeated(present[0])},
                                                  {typeAttr("T", DType::Float),
                                                   {"adj_x", attr::fromBool(false)},
                                                   {"adj_y", attr::fromBool(true)}});
        const std::string capped = limited(products);
        const std::string bias = biasOf();
        const std::string biased = bias.empty() ? capped : both(m_draft, "AddV2", capped, bias);
        const std::string shares = sharesOf(biased, bias);
        std::string made = both(m_draft, "BatchMatMulV2", shares, repeated(present[1]));
        if (m_isFlat)
            made = joinedHeads(m_draft, swapped(m_draft, made));
        const std::array inner{products, capped, biased, shares};
        std::vector<std::string> outputs{made, present[0], present[1], inner[m_mode]};
        outputs.resize(
            std::clamp<std::size_t>(m_draft.node().attr("_output_types").types().size(), 1, 4));
        m_draft.give(std::move(outputs));
        return true;
    }

private:
    bool readHeads()
    {
        const auto shape = m_draft.shape(0);
        const auto keys = m_draft.shape(1);
        const auto mask = m_draft.shape(3);
        if (!isFloat(m_draft) || !shape || !keys || m_draft.has(4) != m_draft.has(5) ||
            (m_draft.has(3) && !mask) || keys->dims.size() != shape->dims.size())
            return false;
        m_isFlat = shape->dims.size() == 3;
        if (!m_isFlat && shape->dims.size() != 4)
            return false;
        m_heads = m_isFlat ? m_draft.intAttr("q_num_heads", 0) : shape->dims[1];
        m_keyHeads = m_isFlat ? m_draft.intAttr("kv_num_heads", 0) : keys->dims[1];
        const std::int64_t mode = m_draft.intAttr("qk_matmul_output_mode", 0);
        m_mode = std::size_t(mode);
        return m_heads > 0 && m_keyHeads > 0 && m_heads % m_keyHeads == 0 && mode >= 0 && mode <= 3;
    }

    std::string headed(std::size_t slot, std::int64_t heads)
    {
        const std::string x = m_draft.in(slot);
        return m_isFlat ? swapped(m_draft, inHeads(m_draft, x, heads)) : x;
    }

    std::string scale()
    {
        if (m_draft.node().hasAttr("scale"))
            return m_draft.oneFloat(m_draft.floatAttr("scale", 1));
        const std::string whole =
            steps::sizeAt(m_draft, m_draft.in(0), DType::Float, m_isFlat ? 2 : 3, DType::Int32);
        const std::string size = steps::cast(m_draft, whole, DType::Int32, DType::Float);
        const std::string each =
            m_isFlat ? both(m_draft, "Div", size, m_draft.oneFloat(float(m_heads))) : size;
        return steps::one(m_draft, "Rsqrt", each);
    }

    // Repeats keys and values: several adjacent heads of queries may share one of these.
    std::string repeated(const std::string& x)
    {
        if (m_heads == m_keyHeads)
            return x;
        const std::string wide = steps::expandDims(m_draft, x, DType::Float, 2);
        const std::string tiled =
            m_draft.step("Tile", {wide, m_draft.intList({1, 1, m_heads / m_keyHeads, 1, 1})},
                         {typeAttr("T", DType::Float), typeAttr("Tmultiples", DType::Int32)});
        const std::string all = steps::sizes(m_draft, x, DType::Float);
        const std::string sizes =
            steps::concat(m_draft,
                          {steps::part(m_draft, all, 0, 1), m_draft.longList({m_heads}),
                           steps::part(m_draft, all, 2, 2)},
                          0, DType::Int64);
        return steps::reshape(m_draft, tiled, DType::Float, sizes);
    }

    std::string limited(const std::string& products)
    {
        const float most = m_draft.floatAttr("softcap", 0);
        if (most <= 0)
            return products;
        const std::string share = both(m_draft, "Div", products, m_draft.oneFloat(most));
        return both(m_draft, "Mul", steps::one(m_draft, "Tanh", share), m_draft.oneFloat(most));
    }

    // Returns the bias of the products; empty: none.
    std::string biasOf()
    {
        std::string bias;
        if (m_draft.has(3))
            bias = maskOf();
        const std::string allowed = allowedOf();
        if (allowed.empty())
            return bias;
        const std::string kept = bias.empty() ? m_draft.oneFloat(0) : bias;
        return steps::select(m_draft, allowed, kept, m_draft.oneFloat(never), DType::Float);
    }

    // A mask may be shorter than the keys: those after it are masked.
    std::string maskOf()
    {
        const DType dtype = m_draft.type(3);
        std::string mask = m_draft.in(3);
        mask = dtype == DType::Bool ? steps::select(m_draft, mask, m_draft.oneFloat(0),
                                                    m_draft.oneFloat(never), DType::Float)
                                    : steps::cast(m_draft, mask, dtype, DType::Float);
        const Shape shape = *m_draft.shape(3);
        if (shape.dims.empty())
            return mask;
        const std::string size = steps::sizeAt(m_draft, mask, DType::Float,
                                               std::int64_t(shape.dims.size()) - 1, DType::Int32);
        const std::string rest =
            both(m_draft, "Maximum", both(m_draft, "Sub", m_keys, size, DType::Int32),
                 m_draft.oneInt(0), DType::Int32);
        const auto before = std::int64_t(2 * shape.dims.size()) - 1;
        const std::string border = steps::concat(m_draft,
                                                 {m_draft.intList(Ints(std::size_t(before), 0)),
                                                  reshaped(m_draft, rest, DType::Int32, {1})},
                                                 0, DType::Int32);
        const std::string pairs = reshaped(m_draft, border, DType::Int32, {-1, 2});
        return m_draft.step("PadV2", {mask, pairs, m_draft.oneFloat(never)},
                            {typeAttr("T", DType::Float), typeAttr("Tpaddings", DType::Int32)});
    }

    std::string counted(const std::string& count, const Ints& dims)
    {
        const std::string all = m_draft.step("Range", {m_draft.oneInt(0), count, m_draft.oneInt(1)},
                                             {typeAttr("Tidx", DType::Int32)});
        return reshaped(m_draft, all, DType::Int32, dims);
    }

    // Returns the number of valid keys in each row, [n, 1, 1, 1].
    std::string lengths()
    {
        return reshaped(m_draft, steps::cast(m_draft, m_draft.in(6), m_draft.type(6), DType::Int32),
                        DType::Int32, {-1, 1, 1, 1});
    }

    // Returns the keys that a query may attend to by its position; empty: all.
    std::string allowedOf()
    {
        std::string allowed;
        const auto add = [&](const std::string& more) {
            allowed = allowed.empty() ? more : m_draft.step("LogicalAnd", {allowed, more});
        };
        const std::string keys = counted(m_keys, {1, -1});
        const std::int64_t left = m_draft.intAttr("left_window_size", -1);
        const std::int64_t right = m_draft.intAttr("right_window_size", -1);
        const bool isCausal = m_draft.intAttr("is_causal", 0) != 0;
        if (isCausal || left >= 0 || right >= 0) {
            // The distance of the query from the key.
            const std::string distance = both(m_draft, "Sub", queryPlaces(), keys, DType::Int32);
            if (isCausal)
                add(both(m_draft, "GreaterEqual", distance, m_draft.oneInt(0), DType::Int32));
            if (left >= 0)
                add(both(m_draft, "LessEqual", distance, m_draft.oneInt(left), DType::Int32));
            if (right >= 0)
                add(both(m_draft, "GreaterEqual", distance, m_draft.oneInt(-right), DType::Int32));
        }
        if (m_draft.has(6))
            add(both(m_draft, "Less", keys, lengths(), DType::Int32));
        return allowed;
    }

    // Returns the positions of the queries among the keys: after those of the past.
    std::string queryPlaces()
    {
        const std::string places = counted(m_queries, {-1, 1});
        std::string first;
        if (m_draft.has(4))
            first = steps::sizeAt(m_draft, m_draft.in(4), DType::Float, 2, DType::Int32);
        else if (m_draft.has(6))
            first = both(m_draft, "Sub", lengths(), m_queries, DType::Int32);
        return first.empty() ? places : both(m_draft, "AddV2", places, first, DType::Int32);
    }

    // A query without any allowed key has only weights of 0.
    std::string sharesOf(const std::string& biased, const std::string& bias)
    {
        const std::string shares = steps::one(m_draft, "Softmax", biased);
        if (bias.empty())
            return shares;
        const std::string most = steps::reduce(m_draft, "Max", bias, DType::Float, {-1}, true);
        const std::string isNone = both(m_draft, "Equal", most, m_draft.oneFloat(never));
        return steps::select(m_draft, isNone, steps::one(m_draft, "ZerosLike", shares), shares,
                             DType::Float);
    }

    LiftDraft& m_draft;
    bool m_isFlat = false; // the heads of a row are adjacent
    std::int64_t m_heads = 0;
    std::int64_t m_keyHeads = 0;
    std::size_t m_mode = 0;
    std::string m_queries; // their number
    std::string m_keys;
};

bool liftAttention(LiftDraft& d)
{
    return OnnxAttention(d).lift();
}

// Returns [..., first : first + count]; -1: up to the end.
std::string lastAxisPart(LiftDraft& d, const std::string& x, std::int64_t first, std::int64_t count)
{
    return d.step("Slice", {x, d.intList({0, 0, 0, first}), d.intList({-1, -1, -1, count})},
                  {typeAttr("T", DType::Float), typeAttr("Index", DType::Int32)});
}

// Returns the two elements of all pairs, which are adjacent or in two halves.
std::array<std::string, 2> pairsOf(LiftDraft& d, const std::string& x, std::int64_t half,
                                   bool isInterleaved)
{
    if (!isInterleaved)
        return {lastAxisPart(d, x, 0, half), lastAxisPart(d, x, half, half)};
    const std::string turned = lastAxisPart(d, x, 0, 2 * half);
    const std::string rows = steps::part(d, steps::sizes(d, turned, DType::Float), 0, 3);
    const std::string pairs = steps::reshape(
        d, turned, DType::Float, steps::concat(d, {rows, d.longList({half, 2})}, 0, DType::Int64));
    return {steps::gather(d, pairs, DType::Float, d.oneInt(0), DType::Int32, -1),
            steps::gather(d, pairs, DType::Float, d.oneInt(1), DType::Int32, -1)};
}

std::string ofPairs(LiftDraft& d, const std::array<std::string, 2>& pairs, bool isInterleaved)
{
    if (!isInterleaved)
        return steps::concat(d, {pairs[0], pairs[1]}, -1, DType::Float);
    const std::string packed =
        d.step("Pack", {pairs[0], pairs[1]},
               {typeAttr("T", DType::Float), {"N", attr::fromInt(2)}, {"axis", attr::fromInt(-1)}});
    const std::string rows = steps::part(d, steps::sizes(d, packed, DType::Float), 0, 3);
    return steps::reshape(d, packed, DType::Float,
                          steps::concat(d, {rows, d.longList({-1})}, 0, DType::Int64));
}

// Returns the factors of each position, [n or 1, length, 1, half].
std::string positionFactors(LiftDraft& d, std::size_t slot)
{
    std::string factors = d.in(slot);
    if (d.has(3))
        factors = steps::gather(d, factors, DType::Float, d.in(3), d.type(3), 0);
    return steps::expandDims(d, factors, DType::Float, 2);
}

bool liftRotary(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto cosines = d.dims(1);
    const std::int64_t heads = d.intAttr("num_heads", 0);
    if (!isFloat(d) || !shape || !cosines || cosines->empty() || cosines->back() < 1)
        return false;
    const bool isFlat = shape->dims.size() == 3;
    if (isFlat ? heads < 1 : shape->dims.size() != 4)
        return false;
    const std::int64_t half = cosines->back();
    const bool isInterleaved = d.intAttr("interleaved", 0) != 0;
    const std::string whole = d.in(0);
    const std::string x = isFlat ? inHeads(d, whole, heads) : swapped(d, whole);
    const auto pairs = pairsOf(d, x, half, isInterleaved);
    const std::string cosine = positionFactors(d, 1);
    const std::string sine = positionFactors(d, 2);
    const std::string real =
        both(d, "Sub", both(d, "Mul", cosine, pairs[0]), both(d, "Mul", sine, pairs[1]));
    const std::string imaginary =
        both(d, "AddV2", both(d, "Mul", sine, pairs[0]), both(d, "Mul", cosine, pairs[1]));
    std::string made = ofPairs(d, {real, imaginary}, isInterleaved);
    if (d.intAttr("rotary_embedding_dim", 0) != 0)
        made = steps::concat(d, {made, lastAxisPart(d, x, 2 * half, -1)}, -1, DType::Float);
    d.give({isFlat ? joinedHeads(d, made) : swapped(d, made)});
    return true;
}

constexpr std::array attentions = std::to_array<OnnxLift>({
    {"Attention", liftAttention},
    {"RotaryEmbedding", liftRotary},
});

} // namespace

bool liftOnnxAttention(LiftDraft& draft)
{
    return liftFrom(attentions, draft);
}

} // namespace lapidary
