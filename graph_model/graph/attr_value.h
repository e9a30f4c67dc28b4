// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The member of AttrValue's oneof that is set, as its field number in the proto; None if no member
// is set.
enum class AttrKind : std::uint8_t {
    None = 0,
    List = 1,
    String = 2,
    Int = 3,
    Float = 4,
    Bool = 5,
    Type = 6,
    Shape = 7,
    Tensor = 8,
    Placeholder = 9,
    Func = 10,
};

// One value of a node's attribute: the encoded AttrValue message, decoded on demand. It is a view,
// valid as long as its node. Getters return nothing if the value is of another kind.
class AttrValue {
public:
    AttrValue() = default;
    explicit AttrValue(std::string_view encoded);

    AttrKind kind() const { return m_kind; }
    std::string_view encoded() const { return m_encoded; } // the AttrValue message

    std::optional<std::string_view> asString() const;
    std::optional<std::int64_t> asInt() const;
    std::optional<float> asFloat() const;
    std::optional<bool> asBool() const;
    std::optional<DType> asType() const;
    std::optional<Shape> asShape() const;
    std::optional<std::string_view> asTensorProto() const;
    std::optional<std::string_view> asPlaceholder() const;
    std::optional<std::string_view> asFunctionName() const; // name in a Func (NameAttrList)

    // The elements of a List. Empty lists of all kinds look the same.
    std::vector<std::string_view> strings() const;
    std::vector<std::int64_t> ints() const;
    std::vector<float> floats() const;
    std::vector<bool> bools() const;
    std::vector<DType> types() const;
    std::vector<Shape> shapes() const;
    std::vector<std::string_view> tensorProtos() const;
    std::vector<std::string_view> functionNames() const;

    // Returns a text for people: "SAME", "[1, 2, 2, 1]", "float", "2×?×3", "float 3×3×64×64". It
    // has at most about `limit` characters and is cut with an ellipsis.
    std::string text(std::size_t limit = 120) const;

    // Compares the bytes, not the messages field by field.
    bool operator==(const AttrValue& other) const { return m_encoded == other.m_encoded; }

private:
    std::optional<std::string_view> lengthDelimited(AttrKind kind) const;

    std::string_view m_encoded;
    std::string_view m_bytes;   // payload of a length-delimited member
    std::uint64_t m_number = 0; // payload of a numeric member
    AttrKind m_kind = AttrKind::None;
};

// Make encoded AttrValue messages, for GraphEdit and tests.
namespace attr {
std::string fromString(std::string_view value);
std::string fromInt(std::int64_t value);
std::string fromFloat(float value);
std::string fromBool(bool value);
std::string fromType(DType value);
std::string fromShape(const Shape& value);
std::string fromInts(const std::vector<std::int64_t>& values);
std::string fromTensorProto(std::string_view proto);
} // namespace attr

} // namespace lapidary
