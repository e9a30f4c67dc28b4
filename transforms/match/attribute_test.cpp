// SPDX-License-Identifier: Apache-2.0
#include "transforms/match/attribute_test.h"

#include "graph_model/ops/op_registry.h"
#include "transforms/attributes/default_text.h"
#include "transforms/match/glob.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lapidary {
namespace {

struct Element {
    std::string text;
    // limit on the characters of a float, whose text may be written in several ways
    std::optional<float> number;
};

template <class Values, class Text>
std::vector<Element> elementsOf(const Values& values, const Text& text)
{
    std::vector<Element> elements;
    for (const auto value : values)
        elements.push_back({std::string(text(value)), std::nullopt});
    return elements;
}

std::string dimText(const Shape& shape)
{
    return shape.unknownRank ? "?" : shapeLabel(shape);
}

std::string asWord(bool value)
{
    return value ? "true" : "false";
}

// Empty lists of all kinds have the same bytes, so the first kind with elements is the right one.
std::vector<Element> listElements(const AttrValue& value)
{
    const auto number = [](std::int64_t one) { return std::to_string(one); };
    const auto same = [](std::string_view one) { return one; };
    if (auto found = elementsOf(value.ints(), number); !found.empty())
        return found;
    if (auto found = elementsOf(value.strings(), same); !found.empty())
        return found;
    if (auto found = elementsOf(value.types(), dtypeName); !found.empty())
        return found;
    if (auto found = elementsOf(value.bools(), asWord); !found.empty())
        return found;
    if (auto found = elementsOf(value.functionNames(), same); !found.empty())
        return found;
    std::vector<Element> elements;
    for (const Shape& shape : value.shapes())
        elements.push_back({dimText(shape), std::nullopt});
    for (const float one : value.floats())
        elements.push_back({std::to_string(one), one});
    return elements;
}

std::vector<Element> elementsOf(const AttrValue& value)
{
    if (value.kind() == AttrKind::List)
        return listElements(value);
    if (const auto shape = value.asShape(); shape && !shape->unknownRank)
        return elementsOf(shape->dims, [](std::int64_t dim) { return std::to_string(dim); });
    if (const auto text = value.asString())
        return {{std::string(*text), std::nullopt}};
    if (const auto name = value.asFunctionName())
        return {{std::string(*name), std::nullopt}};
    return {{value.text(), value.asFloat()}};
}

bool fits(const Element& element, const std::string& wanted)
{
    if (fitsGlob(element.text, wanted))
        return true;
    float number = 0;
    const char* const end = wanted.data() + wanted.size();
    const auto read = std::from_chars(wanted.data(), end, number);
    return element.number && read.ec == std::errc() && read.ptr == end && number == *element.number;
}

bool fits(const std::vector<Element>& elements, const AttributeTest& test)
{
    if (test.isList)
        return std::ranges::equal(
            elements, test.values,
            [](const Element& a, const std::string& b) { return fits(a, b); });
    return !elements.empty() && std::ranges::all_of(elements, [&](const Element& element) {
        return fits(element, test.values.front());
    });
}

// Returns the encoded default; empty if the op has none.
std::string defaultOf(std::string_view op, const std::string& attribute)
{
    const OpSpec* spec = findOp(op);
    if (spec == nullptr)
        return "";
    for (const AttrSpec& attr : spec->attrs)
        if (attr.name == attribute && attr.hasDefault)
            return encodedDefault(attr.kind, attr.defaultText);
    return "";
}

bool fitsPlainly(const Node& node, const AttributeTest& test)
{
    if (test.attribute == "name" || test.attribute == "device") {
        const std::string_view own = test.attribute == "name" ? node.name() : node.device();
        return fits({{std::string(own), std::nullopt}}, test);
    }
    if (node.hasAttr(test.attribute))
        return fits(elementsOf(node.attr(test.attribute)), test);
    const std::string encoded = defaultOf(node.op(), test.attribute);
    return !encoded.empty() && fits(elementsOf(AttrValue(encoded)), test);
}

} // namespace

bool fitsTest(const Node& node, const AttributeTest& test)
{
    return fitsPlainly(node, test) != test.isNegated;
}

} // namespace lapidary
