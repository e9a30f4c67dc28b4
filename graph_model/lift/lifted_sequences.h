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

// The tensors of an ONNX sequence, all of one type.
struct LiftedSequence {
    std::vector<std::string> elements;
    DType dtype = DType::Invalid;
};

// Sequences whose elements are known while a graph is lifted. They are not tensors, so readers of
// one read its elements.
class LiftedSequences {
public:
    // Returns false if the limit is reached.
    bool add(std::string_view tensor, LiftedSequence sequence)
    {
        if (!take(sequence))
            return false;
        m_all.insert_or_assign(std::string(tensor), std::move(sequence));
        return true;
    }
    // Reserves memory for the names of all elements, which readers of the whole sequence write
    // again. Returns false if the limit is reached: a hostile file can repeat the elements of one
    // sequence in many others.
    bool take(const LiftedSequence& sequence)
    {
        const std::size_t size = sizeOf(sequence);
        if (size > m_room)
            return false;
        m_room -= size;
        return true;
    }
    bool hasRoom(const LiftedSequence& sequence) const { return sizeOf(sequence) <= m_room; }
    // Returns null if it is not a sequence, or one that is made while the graph runs.
    const LiftedSequence* find(std::string_view tensor) const
    {
        const auto found = m_all.find(tensor);
        return found == m_all.end() ? nullptr : &found->second;
    }

private:
    static std::size_t sizeOf(const LiftedSequence& sequence)
    {
        constexpr std::size_t ofElement = 64; // bytes besides its name
        std::size_t size = 0;
        for (const std::string& element : sequence.elements)
            size += element.size() + ofElement;
        return size;
    }

    std::map<std::string, LiftedSequence, std::less<>> m_all; // by the tensor's name in the file
    std::size_t m_room = std::size_t(1) << 24;                // bytes
};

} // namespace lapidary
