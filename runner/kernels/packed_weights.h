// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/file_weights.h"
#include "runner/kernels/weight_store.h"
#include "runner/onednn/epilogue.h"

#include <algorithm>
#include <functional>
#include <list>
#include <span>
#include <vector>

namespace lapidary {

struct WeightsAndBias {
    Value weights; // float, aligned
    std::vector<float> bias;
};
using MakeWeights = std::function<Result<WeightsAndBias>()>;

// The state that a node with weights keeps between runs: primitives (onednn::Convolution,
// onednn::Product) by shape, with packed weights. Weights are packed again only if their source has
// another address; the source is held here, so that nothing writes into it.
template <class Primitive, class Shape>
class PackedWeights {
public:
    struct Key {
        Shape shape;
        onednn::Epilogue epilogue;

        bool operator==(const Key&) const = default;
    };

    // `make` makes the weights from `sources`; it is called when they must be packed. If the
    // epilogue adds to the output, `output` already holds those numbers. No size is zero.
    Status run(KernelContext& context, const Key& key, const float* input,
               std::span<const Value> sources, const MakeWeights& make, float* output)
    {
        forgetChanged(sources);
        RETURN_IF_ERROR(find(key));
        RETURN_IF_ERROR(pack(context, make));
        return m_entries.front().primitive.run(input, output);
    }

private:
    struct Entry {
        Key key;
        Primitive primitive;
        bool isPacked = false;
    };

    void forgetChanged(std::span<const Value> sources)
    {
        const auto sameBytes = [](const Value& a, const Value& b) {
            return weightBytes(a) == weightBytes(b) && a.dims() == b.dims();
        };
        if (std::ranges::equal(sources, m_sources, sameBytes))
            return;
        m_sources.assign(sources.begin(), sources.end());
        for (Entry& entry : m_entries)
            entry.isPacked = false;
    }

    // Moves the entry to the front; makes it if there is none.
    Status find(const Key& key)
    {
        constexpr std::size_t most = 4; // shapes of a node that are kept
        const auto found = std::ranges::find(m_entries, key, &Entry::key);
        if (found != m_entries.end()) {
            m_entries.splice(m_entries.begin(), m_entries, found);
            return Done{};
        }
        ASSIGN_OR_RETURN(auto made, Primitive::make(key.shape, key.epilogue));
        m_entries.push_front({key, std::move(made)});
        if (m_entries.size() > most)
            m_entries.pop_back();
        return Done{};
    }

    Status pack(KernelContext& context, const MakeWeights& make)
    {
        Entry& entry = m_entries.front();
        if (entry.isPacked)
            return Done{};
        for (const Entry& other : m_entries) {
            if (other.isPacked && entry.primitive.sharePacked(other.primitive)) {
                entry.isPacked = true;
                return Done{};
            }
        }
        ASSIGN_OR_RETURN(const auto made, make());
        SessionState& session = context.session();
        ASSIGN_OR_RETURN(auto storage, WeightStore::of(session)->allocate(
                                           entry.primitive.packedBytes(), session.pool));
        const Status status = entry.primitive.pack(made.weights.template as<float>().data(),
                                                   made.bias.data(), std::move(storage));
        entry.isPacked = status.ok();
        for (const Value& source : m_sources)
            if (const auto file = source.template resource<FileWeights>())
                file->release();
        return status;
    }

    std::list<Entry> m_entries; // the most recently used first
    std::vector<Value> m_sources;
};

} // namespace lapidary
