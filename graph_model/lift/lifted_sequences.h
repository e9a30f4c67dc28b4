// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The tensors that a sequence of ONNX holds, all of one type.
struct LiftedSequence {
    std::vector<std::string> elements;
    DType dtype = DType::Invalid;
};

// Sequences whose elements are known while a graph is lifted. No tensor stands for them, so who
// reads one reads its elements.
class LiftedSequences {
public:
    // False where the file's sequences would hold more than any model's: a hostile file can repeat
    // the elements of one in each of many others.
    bool add(std::string_view tensor, LiftedSequence sequence)
    {
        constexpr std::size_t mostElements = 1 << 18;
        m_elements += sequence.elements.size();
        if (m_elements > mostElements)
            return false;
        m_all.insert_or_assign(std::string(tensor), std::move(sequence));
        return true;
    }
    // Null where it is none, or one that is made while the graph runs.
    const LiftedSequence* find(std::string_view tensor) const
    {
        const auto found = m_all.find(tensor);
        return found == m_all.end() ? nullptr : &found->second;
    }

private:
    std::map<std::string, LiftedSequence, std::less<>> m_all; // by the tensor's name in the file
    std::size_t m_elements = 0;                               // of all
};

} // namespace lapidary
