// SPDX-License-Identifier: Apache-2.0
// TensorArrays whose places are constants, as in loops that were written out: an array is followed
// along its flow, and what is read is what was written there.
#include "transforms/export/lower_arrays.h"

#include <algorithm>

namespace lapidary {
namespace {

using Kind = PortableKind;

Error unsupported(std::string reason)
{
    return {ErrorCode::Unsupported, std::move(reason)};
}

class ArrayNode {
public:
    ArrayNode(Lowering& lowering, NodeId id)
        : m_lowering(lowering)
        , m_id(id)
        , m_node(lowering, id)
    {
    }

    Status lower()
    {
        const std::string_view op = m_node.node().op();
        if (op == "TensorArrayV3")
            return make();
        if (op == "TensorArrayScatterV3")
            return scatter();
        if (op == "TensorArrayWriteV3")
            return write();
        if (op == "TensorArrayReadV3")
            return read();
        if (op == "TensorArrayGatherV3")
            return gather();
        if (op == "TensorArraySizeV3")
            return size();
        if (op == "TensorArrayCloseV3")
            return Done{};
        return unsupported("its use of a TensorArray is not exported");
    }

private:
    // The array that flows into an input.
    Result<TensorArray> array(std::size_t slot)
    {
        const TensorArray* found = m_lowering.findArray(endpoint(slot));
        if (found == nullptr)
            return unsupported("its array comes from a loop that cannot be written out, because "
                               "the number of iterations depends on the inputs");
        return *found;
    }

    Endpoint endpoint(std::size_t slot) const { return m_lowering.graph().inputs(m_id)[slot]; }
    void setArray(std::int32_t port, TensorArray content)
    {
        m_lowering.setArray({m_id, port}, std::move(content));
    }

    Status make()
    {
        ASSIGN_OR_RETURN(const std::int64_t count, m_node.oneInt(0, "size"));
        if (count < 0 || count > 100'000)
            return unsupported("its size is not one that can be written out");
        setArray(1, TensorArray(std::size_t(count), noTensor));
        return Done{};
    }

    static Status checkPlace(std::int64_t place, const TensorArray& content)
    {
        if (place < 0 || place >= std::int64_t(content.size()))
            return unsupported("its index is beyond the end of the array");
        return Done{};
    }

    Status scatter()
    {
        ASSIGN_OR_RETURN(const auto places, m_node.ints(1, "list of indices"));
        ASSIGN_OR_RETURN(TensorArray content, array(3));
        const TensorIndex value = m_node.input(2);
        const DType dtype = m_node.tensor(value).dtype;
        std::vector<std::int64_t> dims = m_node.tensor(value).dims;
        if (dims.empty() || dims[0] != std::int64_t(places.size()))
            return unsupported("its indices do not fit what is stored");
        dims.erase(dims.begin());
        std::vector<TensorIndex> parts;
        for (const std::int64_t place : places) {
            RETURN_IF_ERROR(checkPlace(place, content));
            parts.push_back(m_node.between("element" + std::to_string(place), dtype, dims));
            content[std::size_t(place)] = parts.back();
        }
        if (!parts.empty())
            m_node.emit(Kind::Unpack, {value}, parts).parameters.axis = 0;
        setArray(0, std::move(content));
        return Done{};
    }

    Status write()
    {
        ASSIGN_OR_RETURN(const std::int64_t place, m_node.oneInt(1, "index"));
        ASSIGN_OR_RETURN(TensorArray content, array(3));
        RETURN_IF_ERROR(checkPlace(place, content));
        content[std::size_t(place)] = m_node.input(2);
        setArray(0, std::move(content));
        return Done{};
    }

    Status read()
    {
        ASSIGN_OR_RETURN(const std::int64_t place, m_node.oneInt(1, "index"));
        ASSIGN_OR_RETURN(const TensorArray content, array(2));
        RETURN_IF_ERROR(checkPlace(place, content));
        if (content[std::size_t(place)] == noTensor)
            return unsupported("it reads a place that was not written");
        m_node.alias(0, content[std::size_t(place)]);
        return Done{};
    }

    Status gather()
    {
        ASSIGN_OR_RETURN(const auto places, m_node.ints(1, "list of indices"));
        ASSIGN_OR_RETURN(const TensorArray content, array(2));
        std::vector<TensorIndex> parts;
        for (const std::int64_t place : places) {
            RETURN_IF_ERROR(checkPlace(place, content));
            if (content[std::size_t(place)] == noTensor)
                return unsupported("it reads a place that was not written");
            parts.push_back(content[std::size_t(place)]);
        }
        if (parts.empty())
            return unsupported("it reads an empty array");
        std::vector<std::int64_t> dims = m_node.tensor(parts[0]).dims;
        dims.insert(dims.begin(), std::int64_t(parts.size()));
        m_lowering.setDims({m_id, 0}, m_node.tensor(parts[0]).dtype, dims);
        m_node.emit(Kind::Pack, std::move(parts)).parameters.axis = 0;
        return Done{};
    }

    Status size()
    {
        ASSIGN_OR_RETURN(const TensorArray content, array(1));
        const auto count = std::int32_t(content.size());
        std::string bytes(sizeof(count), '\0');
        std::copy_n(reinterpret_cast<const char*>(&count), sizeof(count), bytes.begin());
        m_node.alias(0, m_node.constantOf("size", DType::Int32, {}, std::move(bytes)));
        return Done{};
    }

    Lowering& m_lowering;
    NodeId m_id;
    LowerNode m_node;
};

} // namespace

bool isTensorArrayOp(std::string_view op)
{
    return op.starts_with("TensorArray") && op.ends_with("V3");
}

Status lowerTensorArray(Lowering& lowering, NodeId id)
{
    return ArrayNode(lowering, id).lower();
}

} // namespace lapidary
