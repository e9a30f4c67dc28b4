// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The little-endian values of a Const, perhaps unaligned: a view of those in the node, valid only
// as long as the node exists, or an expanded copy.
class ConstBytes {
public:
    explicit ConstBytes(std::string_view stored)
        : m_stored(stored)
    {
    }
    explicit ConstBytes(std::string expanded)
        : m_expanded(std::move(expanded))
    {
    }
    std::string_view bytes() const { return m_expanded ? *m_expanded : m_stored; }

private:
    std::string_view m_stored;
    std::optional<std::string> m_expanded;
};

// Writes all of the bytes that begin at `to`; they are not cleared before.
using FillBytes = std::function<void(char* to)>;
// Makes a Const node whose tensor is stored as tensor_content; what `fill` writes is row-major,
// little-endian. For float and quint8 it may be fewer values than the shape holds: the last one is
// repeated implicitly for the rest.
NodeDraft filledConst(std::string name, DType dtype, const Shape& shape, std::size_t size,
                      const FillBytes& fill);
// Makes the node with a copy of these bytes.
NodeDraft constNode(std::string name, DType dtype, const Shape& shape, std::string_view bytes);
NodeDraft floatConst(std::string name, const std::vector<std::int64_t>& dims,
                     std::span<const float> values);
NodeDraft intConst(std::string name, const std::vector<std::int64_t>& dims,
                   std::span<const std::int32_t> values);
NodeDraft floatScalar(std::string name, float value);

// Return the values of a Const. Error: another dtype, or no values; the message does not name the
// node.
Result<std::vector<float>> floatValues(const Node& node);
Result<ConstBytes> floatBytes(const Node& node);
// Returns the bytes without the repetitions of the last value, which is implied for the rest.
Result<ConstBytes> storedFloatBytes(const Node& node);
// Releases the memory of a mapped file that holds the value of a Const, after a pass has read it
// for the last time. The next access is slower, nothing else changes.
void releaseValue(const Node& node);
// Frees the memory of a value that a pass has made; only if nothing but this node of this graph
// refers to it. The graph's weights must not be read from then on.
void dropValue(const NodePtr& node);
Result<std::vector<std::int32_t>> intValues(const Node& node);
// Returns the sizes of a Const; none if the value is unreadable.
std::vector<std::int64_t> constDims(const Node& node);

// Makes a node without attributes.
NodeDraft newNode(std::string name, std::string_view op, std::vector<std::string> inputs = {});
// Copies the attribute if the source has it.
void copyAttr(const Node& from, std::string_view name, NodeDraft& to,
              std::string_view newName = {});

} // namespace lapidary
