// SPDX-License-Identifier: Apache-2.0
#include "tests/graph_model/check/damaged_nodes.h"

#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/function.h"
#include "tests/graph_model/check/sample_attrs.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

using Attrs = std::map<std::string, std::string, std::less<>>;

constexpr std::int32_t producer = 134; // of TensorFlow 1.15
constexpr std::size_t mostInputs = 4;  // damaged, in one node

class Damager {
public:
    explicit Damager(const OpSpec& op)
        : m_op(op)
    {
        for (const AttrSpec& spec : op.attrs)
            if (!spec.hasDefault)
                m_attrs[std::string(spec.name)] = soundValue(spec);
    }

    std::vector<DamagedNode> run()
    {
        m_dtypes = dtypesFor(m_attrs);
        add("sound", m_attrs, m_dtypes);
        for (const AttrSpec& spec : m_op.attrs)
            damageAttr(spec);
        Attrs more = m_attrs;
        more["bogus"] = attr::fromInt(1);
        add("an attribute too many", more, m_dtypes);
        more = m_attrs;
        more["_bogus"] = attr::fromInt(1);
        add("an attribute of somebody's own", more, m_dtypes);
        damageInputs();
        damageOutputShapes();
        damageConstants();
        damageTexts();
        drawShapes();
        return std::move(m_cases);
    }

private:
    NodePtr nodeOf(const Attrs& attrs, std::vector<std::string> inputs) const
    {
        NodeDraft draft;
        draft.name = "n";
        draft.op = m_op.name;
        draft.inputs = std::move(inputs);
        draft.attrs.assign(attrs.begin(), attrs.end());
        return draft.finish();
    }

    std::vector<DType> dtypesFor(const Attrs& attrs) const
    {
        const NodePtr node = nodeOf(attrs, std::vector<std::string>(64, "x"));
        return inputDtypes(*node, m_op);
    }

    // Makes a node with an output of that dtype and shape.
    static NodePtr sourceOf(std::size_t number, DType dtype, const Shape& shape)
    {
        NodeDraft draft;
        draft.name = "x" + std::to_string(number);
        draft.op = isReference(dtype) ? "VariableV2" : "Placeholder";
        draft.attrs = {{"dtype", attr::fromType(withoutReference(dtype))},
                       {"shape", attr::fromShape(shape)}};
        return draft.finish();
    }

    static NodePtr constantOf(std::size_t number, DType dtype, const std::string& proto)
    {
        NodeDraft draft;
        draft.name = "x" + std::to_string(number);
        draft.op = "Const";
        draft.attrs = {{"dtype", attr::fromType(dtype)}, {"value", attr::fromTensorProto(proto)}};
        return draft.finish();
    }

    void add(std::string damage, const Attrs& attrs, const std::vector<DType>& dtypes,
             const std::map<std::size_t, Shape>& shapes = {}, std::vector<std::string> inputs = {})
    {
        Graph::Parts parts;
        const bool isWired = !inputs.empty();
        for (std::size_t i = 0; i < dtypes.size(); ++i) {
            const auto shape = shapes.find(i);
            parts.nodes.push_back(
                !m_value.empty() && i == m_valueOf
                    ? constantOf(i, dtypes[i], m_value)
                    : sourceOf(i, dtypes[i],
                               shape == shapes.end() ? Shape{{}, true} : shape->second));
            if (!isWired)
                inputs.push_back("x" + std::to_string(i));
        }
        parts.nodes.push_back(nodeOf(attrs, std::move(inputs)));
        parts.versions.present = true;
        parts.versions.producer = m_op.deprecatedSince > 0 ? m_op.deprecatedSince - 1 : producer;
        m_cases.push_back({std::move(damage), Graph::make(std::move(parts))});
    }

    // Sets one attribute to another value; inputs change accordingly where they can.
    void with(const AttrSpec& spec, std::string_view how, std::string value)
    {
        Attrs attrs = m_attrs;
        attrs[std::string(spec.name)] = std::move(value);
        std::vector<DType> dtypes = dtypesFor(attrs);
        const bool follows = !dtypes.empty() && std::ranges::none_of(dtypes, [](DType dtype) {
            return dtype == DType::Invalid;
        });
        add(std::string(spec.name) + ' ' + std::string(how), attrs, follows ? dtypes : m_dtypes);
    }

    void damageAttr(const AttrSpec& spec)
    {
        if (m_attrs.contains(spec.name)) {
            Attrs attrs = m_attrs;
            attrs.erase(std::string(spec.name));
            add(std::string(spec.name) + " missing", attrs, m_dtypes);
        }
        with(spec, "set to nothing", "");
        for (const std::string_view kind : kinds) {
            if (isList(spec) || kind != spec.kind)
                with(spec, "as " + std::string(kind), valueOf(kind));
            if (isList(spec) && kind != elementKind(spec))
                with(spec, "as a list of " + std::string(kind), listOf(elementOf(kind)));
        }
        if (isList(spec))
            damageList(spec);
        else
            damageScalar(spec);
    }

    void damageList(const AttrSpec& spec)
    {
        with(spec, "empty", listOf(""));
        std::string elements;
        for (std::int64_t i = 0; spec.hasMinimum && i + 1 < spec.minimum; ++i)
            elements += soundElement(spec);
        with(spec, "too short", listOf(elements));
        std::string element;
        WireWriter writer(element);
        if (elementKind(spec) == "type") {
            for (const int dtype : {0, 7, 20, 24, 101}) {
                element.clear();
                writer.varint(6, std::uint64_t(dtype));
                with(spec, "of dtype " + std::to_string(dtype), listOf(element));
            }
        } else if (elementKind(spec) == "shape") {
            writer.bytes(7, encodeShape(Shape{{-2}, false}));
            with(spec, "of a size of -2", listOf(element));
        } else if (elementKind(spec) == "string") {
            writer.bytes(2, "NO_SUCH_WORD");
            with(spec, "of another word", listOf(element));
        }
        with(spec, "a list", listOf(elementOf(elementKind(spec))));
    }

    void damageScalar(const AttrSpec& spec)
    {
        with(spec, "as a list", listOf(elementOf(spec.kind)));
        if (spec.kind == "type") {
            for (const int dtype : {0, 1, 3, 7, 10, 11, 20, 21, 24, 101})
                with(spec, "of dtype " + std::to_string(dtype), attr::fromType(DType(dtype)));
        } else if (spec.kind == "int") {
            for (const std::int64_t number : {-5L, -1L, 0L, 2L, 3L, std::int64_t(1) << 31})
                with(spec, "of " + std::to_string(number), attr::fromInt(number));
            if (spec.hasMinimum)
                with(spec, "below its minimum", attr::fromInt(spec.minimum - 1));
        } else if (spec.kind == "string") {
            with(spec, "of another word", attr::fromString("NO_SUCH_WORD"));
            with(spec, "of no letter", attr::fromString(""));
        } else if (spec.kind == "shape") {
            with(spec, "of a size of -2", attr::fromShape(Shape{{-2}, false}));
            with(spec, "of known sizes", attr::fromShape(Shape{{2, 3}, false}));
            with(spec, "beyond 64 bits",
                 attr::fromShape(Shape{{std::int64_t(1) << 40, std::int64_t(1) << 40}, false}));
        } else if (spec.kind == "tensor") {
            damageTensor(spec);
        }
    }

    void damageTensor(const AttrSpec& spec)
    {
        const auto tensor = [&](std::uint64_t dtype, const Shape& shape, std::string_view bytes) {
            std::string proto;
            WireWriter writer(proto);
            writer.varint(1, dtype);
            writer.bytes(2, encodeShape(shape));
            writer.bytes(4, bytes);
            return attr::fromTensorProto(proto);
        };
        with(spec, "of dtype 0", tensor(0, Shape{}, "abcd"));
        with(spec, "of dtype 24", tensor(24, Shape{}, "abcd"));
        with(spec, "of another dtype", tensor(3, Shape{}, "abcd"));
        with(spec, "too short", tensor(1, Shape{{2}, false}, "abcd"));
        with(spec, "of unknown rank", tensor(1, Shape{{}, true}, "abcd"));
        with(spec, "of a size of -1", tensor(1, Shape{{-1}, false}, "abcd"));
    }

    std::vector<std::string> inputNames(std::size_t count) const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; ++i)
            names.push_back("x" + std::to_string(i));
        return names;
    }

    void damageInputs()
    {
        std::vector<DType> dtypes = m_dtypes;
        dtypes.push_back(DType::Float);
        add("an input too many", m_attrs, dtypes);
        for (std::size_t i = 0; i < std::min(m_dtypes.size(), mostInputs); ++i)
            damageInput(i);
        for (std::size_t rank = 0; m_dtypes.size() > 1 && rank < 5; ++rank) {
            std::map<std::size_t, Shape> shapes;
            for (std::size_t i = 0; i < m_dtypes.size(); ++i)
                shapes[i] = Shape{std::vector<std::int64_t>(rank, std::int64_t(i) + 3), false};
            add("inputs of rank " + std::to_string(rank), m_attrs, m_dtypes, shapes);
        }
    }

    void damageInput(std::size_t i)
    {
        const std::string which = "input " + std::to_string(i);
        std::vector<std::string> names = inputNames(m_dtypes.size());
        std::vector<std::string> fewer = names;
        fewer.erase(fewer.begin() + std::ptrdiff_t(i));
        if (!fewer.empty())
            add(which + " missing", m_attrs, m_dtypes, {}, fewer);
        for (const auto& [how, name] :
             {std::pair("leads nowhere", "nowhere"), std::pair("of a wrong port", "x0:1"),
              std::pair("of a negative port", "x0:-1"), std::pair("a control edge", "^x0")}) {
            std::vector<std::string> wrong = names;
            wrong[i] = name;
            add(which + ' ' + how, m_attrs, m_dtypes, {}, wrong);
        }
        for (const DType dtype : {DType::Float, DType::Int32, DType::String, DType::Resource,
                                  DType(std::int32_t(m_dtypes[i]) + 100)}) {
            std::vector<DType> dtypes = m_dtypes;
            if (dtype == dtypes[i] || std::int32_t(dtype) > 200)
                continue;
            dtypes[i] = dtype;
            add(which + " of dtype " + std::to_string(int(dtype)), m_attrs, dtypes);
        }
        if (isReference(m_dtypes[i])) {
            std::vector<DType> dtypes = m_dtypes;
            dtypes[i] = withoutReference(dtypes[i]);
            add(which + " no reference", m_attrs, dtypes);
        }
        for (const std::size_t rank : {0U, 1U, 2U, 3U, 4U, 5U, 7U})
            add(which + " of rank " + std::to_string(rank), m_attrs, m_dtypes,
                {{i, Shape{std::vector<std::int64_t>(rank, -1), false}}});
        add(which + " of size 0", m_attrs, m_dtypes, {{i, Shape{{0}, false}}});
        add(which + " of size 7", m_attrs, m_dtypes, {{i, Shape{{7}, false}}});
    }

    // Damages the shapes that the file declares for the outputs.
    void damageOutputShapes()
    {
        std::string shapes;
        for (const int count : {0, 1, 3}) {
            shapes.clear();
            for (int i = 0; i < count; ++i)
                WireWriter(shapes).bytes(7, encodeShape(Shape{{2}, false}));
            Attrs attrs = m_attrs;
            attrs["_output_shapes"] = listOf(shapes);
            add("_output_shapes of " + std::to_string(count) + " shapes", attrs, m_dtypes);
        }
    }

    // Damages inputs with known values: sizes, axes and indices.
    void damageConstants()
    {
        struct Drawn {
            std::vector<std::int64_t> dims;
            std::vector<std::int64_t> numbers;
        };
        const std::vector<Drawn> all = {{{}, {-3}},         {{}, {2}},
                                        {{0}, {}},          {{2}, {-3, 1}},
                                        {{3}, {1, 0, 2}},   {{2, 2}, {1, 1, 1, 1}},
                                        {{4}, {1, 2, 2, 1}}};
        for (std::size_t i = 0; i < std::min(m_dtypes.size(), mostInputs); ++i)
            for (const Drawn& drawn : all) {
                m_value = tensorOf(m_dtypes[i], Shape{drawn.dims, false}, drawn.numbers);
                m_valueOf = i;
                if (!m_value.empty())
                    add("input " + std::to_string(i) + " of known values", m_attrs, m_dtypes,
                        {{i, Shape{drawn.dims, false}}});
                m_value.clear();
            }
    }

    // Damages the text of inputs, and control inputs.
    void damageTexts()
    {
        const std::vector<std::string> names = inputNames(m_dtypes.size());
        for (const auto& wrong : {"^nowhere", "^n", "^", "^^x0", "^x0:0"}) {
            std::vector<std::string> inputs = names;
            inputs.push_back(wrong);
            add("a control input " + std::string(wrong), m_attrs, m_dtypes, {}, inputs);
        }
        if (names.empty())
            return;
        for (const auto& wrong : {"x0:", "x0:a", "", ":0", "n", "x0:00", "X0", "x0 "}) {
            std::vector<std::string> inputs = names;
            inputs[0] = wrong;
            add("input 0 written '" + std::string(wrong) + "'", m_attrs, m_dtypes, {}, inputs);
        }
        std::vector<std::string> swapped = names;
        std::swap(swapped.front(), swapped.back());
        add("the first and the last input swapped", m_attrs, m_dtypes, {}, swapped);
    }

    // Tries known shapes for all inputs; the same small sizes are repeated, so that some fit.
    void drawShapes()
    {
        std::uint32_t state = 2166136261U;
        for (const char c : m_op.name)
            state = (state ^ std::uint8_t(c)) * 16777619U;
        const auto draw = [&](std::uint32_t below) {
            state = state * 1664525U + 1013904223U;
            return (state >> 16U) % below;
        };
        for (int round = 0; round < 12 && !m_dtypes.empty(); ++round) {
            std::map<std::size_t, Shape> shapes;
            const std::uint32_t rank = draw(5);
            for (std::size_t i = 0; i < m_dtypes.size(); ++i) {
                Shape shape{{}, draw(4) == 0};
                const std::uint32_t own = draw(3) == 0 ? draw(5) : rank;
                for (std::uint32_t k = 0; k < own && !shape.unknownRank; ++k)
                    shape.dims.push_back(std::int64_t(draw(4)) * 2 - 1 + draw(2));
                shapes[i] = shape;
            }
            add("shapes drawn " + std::to_string(round), m_attrs, m_dtypes, shapes);
        }
    }

    const OpSpec& m_op;
    std::string m_value; // of the input m_valueOf, or empty
    std::size_t m_valueOf = 0;
    Attrs m_attrs;
    std::vector<DType> m_dtypes;
    std::vector<DamagedNode> m_cases;
};

} // namespace

std::vector<DamagedNode> damagedNodes(const OpSpec& op)
{
    return Damager(op).run();
}

} // namespace lapidary
