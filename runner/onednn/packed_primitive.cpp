// SPDX-License-Identifier: Apache-2.0
#include "runner/onednn/packed_primitive.h"

#include <cstring>
#include <utility>

namespace lapidary::onednn {

using dnnl::memory;

memory::desc biasDesc(bool hasBias, std::int64_t channels)
{
    return hasBias ? memory::desc({channels}, memory::data_type::f32, memory::format_tag::x)
                   : memory::desc();
}

Status PackedPrimitive::pack(const memory::desc& plain, const float* values, const float* bias,
                             std::shared_ptr<void> storage)
{
    return guarded([&] {
        memory from(plain, engine(), const_cast<float*>(values));
        m_weights = memory(packed, engine(), storage.get());
        m_storage = std::move(storage);
        dnnl::reorder(from, m_weights).execute(stream, from, m_weights);
        if (hasBias) {
            m_bias = memory(biasDesc(true, channels), engine());
            std::memcpy(m_bias.get_data_handle(), bias, std::size_t(channels) * sizeof(float));
        }
        m_arguments.clear();
    });
}

bool PackedPrimitive::sharePacked(const PackedPrimitive& other)
{
    if (other.packed != packed || other.hasBias != hasBias)
        return false;
    m_weights = other.m_weights;
    m_storage = other.m_storage;
    m_bias = other.m_bias;
    m_arguments.clear();
    return true;
}

Status PackedPrimitive::run(const float* from, float* to)
{
    return guarded([&] {
        source.set_data_handle(const_cast<float*>(from));
        target.set_data_handle(to);
        if (m_arguments.empty()) {
            m_arguments = {
                {sourceArgument, source}, {DNNL_ARG_WEIGHTS, m_weights}, {targetArgument, target}};
            if (hasBias)
                m_arguments.emplace(DNNL_ARG_BIAS, m_bias);
        }
        primitive.execute(stream, m_arguments);
    });
}

} // namespace lapidary::onednn
