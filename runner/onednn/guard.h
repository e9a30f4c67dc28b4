// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: oneDNN's C++ interface throws; its errors become ours here.
#include "graph_model/base/result.h"

#include <new>
#include <string>

#include <dnnl.hpp>

namespace lapidary::onednn {

inline const dnnl::engine& engine()
{
    static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
}

template <class Work>
Status guarded(const Work& work)
{
    try {
        work();
        return Done{};
    } catch (const dnnl::error& error) {
        return Error{ErrorCode::Unsupported, std::string("oneDNN: ") + error.what()};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Unsupported, "oneDNN: the system has no memory left"};
    }
}

} // namespace lapidary::onednn
