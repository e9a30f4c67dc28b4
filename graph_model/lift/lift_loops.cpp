// SPDX-License-Identifier: Apache-2.0
// Loop and Scan of ONNX, as While: the outputs of steps are collected in lists.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/lifted_calls.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// The order of a While's tensors: step, condition, maximum of steps, variables, scanned, captured,
// lists. The body of a Loop has the first two itself, that of a Scan neither.
struct LoopForm {
    bool isScan = false;
    std::size_t variables = 0;
    std::size_t scanned = 0;
    std::size_t captured = 0;
    std::size_t lists = 0;
    std::vector<std::int64_t> scanAxes = {};
    // Whether the body has the step, and the condition, as a list of one.
    std::array<bool, 2> areLists = {};

    static constexpr std::size_t step = 0;
    static constexpr std::size_t goesOn = 1;
    static constexpr std::size_t mostSteps = 2;
    static constexpr std::size_t firstVariable = 3;
    std::size_t firstScanned() const { return firstVariable + variables; }
    std::size_t firstList() const { return firstScanned() + scanned + captured; }
    std::size_t size() const { return firstList() + lists; }
    // Returns the position of an argument of the body.
    std::size_t placeOf(std::size_t argument) const
    {
        return isScan ? argument + firstVariable : argument < 2 ? argument : argument + 1;
    }
    std::size_t ownArguments() const { return isScan ? 0 : 2; }
    std::size_t ownResults() const { return isScan ? 0 : 1; }
};

class LoopFunctions {
public:
    LoopFunctions(const Function& body, const LoopForm& form)
        : m_body(body)
        , m_form(form)
        , m_types(form.size(), DType::Variant)
    {
        m_types[LoopForm::step] = DType::Int64;
        m_types[LoopForm::goesOn] = DType::Bool;
        m_types[LoopForm::mostSteps] = DType::Int64;
        for (std::size_t i = 0; i < body.arguments.size(); ++i)
            m_types[form.placeOf(i)] = body.arguments[i].dtype;
    }

    const std::vector<DType>& types() const { return m_types; }

    GraphPtr condition() const
    {
        Graph::Parts parts;
        for (std::size_t i = 0; i < m_types.size(); ++i)
            parts.nodes.push_back(argument("argument_" + std::to_string(i), i));
        add(parts, "is_below", "Less", {"argument_0", "argument_2"}, {typeAttr("T", DType::Int64)});
        add(parts, "goes_on", "LogicalAnd", {"argument_1", "is_below"}, {});
        parts.nodes.push_back(result("result", "goes_on", 0, DType::Bool));
        return Graph::make(std::move(parts));
    }

    GraphPtr body() const
    {
        Graph::Parts parts;
        const std::vector<std::string> arguments = addArguments(parts);
        std::vector<NodePtr> results(m_types.size());
        for (const NodePtr& node : m_body.body->nodes()) {
            if (isFunctionArgument(node->op()))
                continue;
            if (isFunctionResult(node->op()))
                addResult(parts, results, arguments, *node);
            else
                parts.nodes.push_back(node);
        }
        addNextStep(parts, arguments[LoopForm::step]);
        results[LoopForm::step] =
            result(freshName("step_result"), freshName("next_step"), 0, DType::Int64);
        for (std::size_t i = 1; i < results.size(); ++i)
            if (results[i] == nullptr)
                results[i] =
                    result(freshName("passed_" + std::to_string(i)), arguments[i], i, m_types[i]);
        parts.nodes.insert(parts.nodes.end(), results.begin(), results.end());
        return Graph::make(std::move(parts));
    }

private:
    std::string freshName(std::string name) const
    {
        while (m_body.body->find(name).isValid())
            name += "_";
        return name;
    }

    // Returns the names of the While's arguments. Slices of scanned ones get the body's names, and
    // numbers that it expects as lists are converted.
    std::vector<std::string> addArguments(Graph::Parts& parts) const
    {
        std::vector<std::string> names(m_types.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] = freshName("argument_" + std::to_string(i));
        std::vector<std::pair<std::string, std::size_t>> slices;
        for (const NodePtr& node : m_body.body->nodes()) {
            if (!isFunctionArgument(node->op()))
                continue;
            const auto index = std::size_t(node->attr("index").asInt().value_or(0));
            const std::size_t place = m_form.placeOf(index);
            const std::size_t scan = place - m_form.firstScanned();
            const bool isList = place < m_form.ownArguments() && m_form.areLists[place];
            if (isList || (place >= m_form.firstScanned() && scan < m_form.scanned))
                slices.emplace_back(std::string(node->name()), place);
            else if (place < names.size())
                names[place] = node->name();
        }
        for (std::size_t i = 0; i < names.size(); ++i)
            parts.nodes.push_back(argument(names[i], i));
        for (const auto& [name, place] : slices) {
            const std::string axis = freshName(name + "_axis");
            if (place < LoopForm::firstVariable) {
                parts.nodes.push_back(liftedInt32(axis, 0).finish());
                add(parts, name, "ExpandDims", {names[place], axis},
                    {typeAttr("T", m_types[place]), typeAttr("Tdim", DType::Int32)});
                continue;
            }
            const std::size_t scan = place - m_form.firstScanned();
            parts.nodes.push_back(liftedInt32(axis, std::int32_t(m_form.scanAxes[scan])).finish());
            add(parts, name, "GatherV2", {names[place], names[LoopForm::step], axis},
                {typeAttr("Tparams", m_types[place]),
                 typeAttr("Tindices", DType::Int64),
                 typeAttr("Taxis", DType::Int32),
                 {"batch_dims", attr::fromInt(0)}});
        }
        return names;
    }

    void addResult(Graph::Parts& parts, std::vector<NodePtr>& results,
                   const std::vector<std::string>& arguments, const Node& node) const
    {
        const auto index = std::size_t(node.attr("index").asInt().value_or(0));
        const std::string value(node.inputs()[0].text);
        if (index < m_form.ownResults()) {
            // TensorFlow regards a list of one as true, so the element is taken out.
            const std::string one = freshName("goes_on");
            add(parts, one, "Squeeze", {value}, {typeAttr("T", DType::Bool)});
            results[LoopForm::goesOn] =
                result(std::string(node.name()), one, LoopForm::goesOn, DType::Bool);
            return;
        }
        const std::size_t own = index - m_form.ownResults();
        if (own < m_form.variables) {
            const std::size_t place = LoopForm::firstVariable + own;
            results[place] = result(std::string(node.name()), value, place, m_types[place]);
            return;
        }
        const std::size_t place = m_form.firstList() + own - m_form.variables;
        const std::string longer = freshName("longer_" + std::to_string(place));
        add(parts, longer, "TensorListPushBack", {arguments[place], value},
            {typeAttr("element_dtype", m_body.results[index].dtype)});
        results[place] = result(std::string(node.name()), longer, place, DType::Variant);
    }

    static NodeDraft draftOf(const std::string& name, std::string_view op,
                             std::vector<std::string> inputs)
    {
        NodeDraft draft;
        draft.name = name;
        draft.op = op;
        draft.inputs = std::move(inputs);
        return draft;
    }

    NodePtr argument(const std::string& name, std::size_t index) const
    {
        NodeDraft draft = draftOf(name, "_Arg", {});
        draft.setAttr("T", attr::fromType(m_types[index]));
        draft.setAttr("index", attr::fromInt(std::int64_t(index)));
        return draft.finish(true);
    }

    static NodePtr result(const std::string& name, const std::string& input, std::size_t index,
                          DType dtype)
    {
        NodeDraft draft = draftOf(name, "_Retval", {input});
        draft.setAttr("T", attr::fromType(dtype));
        draft.setAttr("index", attr::fromInt(std::int64_t(index)));
        return draft.finish(true);
    }

    static void add(Graph::Parts& parts, const std::string& name, std::string_view op,
                    std::vector<std::string> inputs, LiftDraft::Attrs attrs)
    {
        NodeDraft draft = draftOf(name, op, std::move(inputs));
        draft.attrs = std::move(attrs);
        parts.nodes.push_back(draft.finish());
    }

    void addNextStep(Graph::Parts& parts, const std::string& step) const
    {
        const std::string one = freshName("one_step");
        parts.nodes.push_back(liftedInt64(one, 1).finish());
        add(parts, freshName("next_step"), "AddV2", {step, one}, {typeAttr("T", DType::Int64)});
    }

    const Function& m_body;
    const LoopForm& m_form;
    std::vector<DType> m_types;
};

// `inputs` are those up to the captured ones; the lists follow.
void giveLoop(LiftDraft& d, const LiftedFunctions::Called& body, const LoopForm& form,
              std::vector<std::string> inputs, const std::vector<TensorState>& variables)
{
    const Function& function = *body.function;
    const LoopFunctions functions(function, form);
    const std::string name(function.name);
    d.functions().add(name + "/condition", functions.types(), std::vector{DType::Bool},
                      functions.condition());
    d.functions().add(name + "/step", functions.types(), functions.types(), functions.body());
    const auto listType = [&](std::size_t list) {
        return function.results[form.ownResults() + form.variables + list].dtype;
    };
    // An empty list has elements of that size too.
    const auto elementShape = [&](std::size_t list) {
        const Shape& shape = body.results[form.ownResults() + form.variables + list].shape;
        return shape.unknownRank ? d.oneInt(-1) : d.intList(shape.dims);
    };
    for (std::size_t list = 0; list < form.lists; ++list) {
        const std::string shape = elementShape(list);
        inputs.push_back(d.step(
            "EmptyTensorList", {shape, d.oneInt(-1)},
            {typeAttr("element_dtype", listType(list)), typeAttr("shape_type", DType::Int32)}));
    }
    const std::string made = d.step("While", std::move(inputs),
                                    {{"T", attr::fromTypes(functions.types())},
                                     {"cond", attr::fromFunctionName(name + "/condition")},
                                     {"body", attr::fromFunctionName(name + "/step")}});
    std::vector<std::string> outputs = portsFrom(made, LoopForm::firstVariable, form.variables);
    for (std::size_t list = 0; list < form.lists; ++list)
        outputs.push_back(d.step(
            "TensorListStack",
            {outputText(made, std::int32_t(form.firstList() + list)), elementShape(list)},
            {typeAttr("element_dtype", listType(list)), {"num_elements", attr::fromInt(-1)}}));
    d.giveStored(std::move(outputs));
    for (std::size_t i = 0; i < form.variables; ++i)
        d.describe(i, variables[i]);
    for (std::size_t list = 0; list < form.lists; ++list) {
        TensorState stacked = body.results[form.ownResults() + form.variables + list];
        stacked.known = nullptr;
        if (!stacked.shape.unknownRank)
            stacked.shape.dims.insert(stacked.shape.dims.begin(), unknownDim);
        d.describe(form.variables + list, stacked);
    }
}

// Returns whether the body has the number of inputs and outputs of the form; sets the number of
// lists.
bool fits(const LiftedFunctions::Called& body, LoopForm& form)
{
    if (body.function == nullptr)
        return false;
    const std::size_t results = form.ownResults() + form.variables;
    const Function& function = *body.function;
    if (function.arguments.size() !=
            form.ownArguments() + form.variables + form.scanned + form.captured ||
        function.results.size() < results || body.results.size() != function.results.size())
        return false;
    form.lists = function.results.size() - results;
    return true;
}

// Returns whether the body has the step, and the condition, as lists instead of numbers.
std::array<bool, 2> listedEnds(LiftDraft& d)
{
    std::array<bool, 2> areLists{};
    const auto name = d.node().attr("body").asFunctionName();
    const FunctionPtr body = name ? d.functions().find(*name) : nullptr;
    if (body == nullptr)
        return areLists;
    for (const NodePtr& node : body->body->nodes()) {
        const auto index = node->attr("index").asInt();
        if (!isFunctionArgument(node->op()) || !index || *index < 0 || *index > 1)
            continue;
        const std::vector<Shape> shapes = node->attr("_output_shapes").shapes();
        areLists[std::size_t(*index)] =
            !shapes.empty() && !shapes[0].unknownRank && shapes[0].dims.size() == 1;
    }
    return areLists;
}

bool liftLoop(LiftDraft& d)
{
    std::vector<TensorState> variables = statesFrom(d, 2);
    const std::int64_t captured = d.intAttr("_captured", 0);
    if (captured < 0 || captured > std::int64_t(variables.size()))
        return false;
    LoopForm form;
    form.captured = std::size_t(captured);
    form.variables = variables.size() - form.captured;
    for (std::size_t i = 0; i < form.variables; ++i)
        variables[i] = inEveryTurn(variables[i]);
    form.areLists = listedEnds(d);
    std::vector<TensorState> given(2);
    given[0].dtype = DType::Int64;
    given[1].dtype = DType::Bool;
    for (std::size_t i = 0; i < given.size(); ++i)
        given[i].shape = form.areLists[i] ? Shape{{1}, false} : Shape{};
    given.insert(given.end(), variables.begin(), variables.end());
    const LiftedFunctions::Called body = calledBody(d, "body", given);
    if (!fits(body, form))
        return false;
    std::vector<std::string> inputs{d.oneInt64(0)};
    inputs.push_back(d.has(1) ? reshaped(d, d.in(1), DType::Bool, {}) : d.oneTrue());
    inputs.push_back(d.has(0) ? reshaped(d, d.in(0), DType::Int64, {}) : d.oneInt64(INT64_MAX));
    for (std::string& input : inputsFrom(d, 2))
        inputs.push_back(std::move(input));
    giveLoop(d, body, form, std::move(inputs), variables);
    return true;
}

bool areAll(const std::vector<std::int64_t>& values, std::int64_t wanted)
{
    return std::ranges::all_of(values, [&](std::int64_t value) { return value == wanted; });
}

// Makes a step for each slice of the scanned tensors.
bool liftScan(LiftDraft& d)
{
    std::vector<TensorState> states = statesFrom(d, 0);
    const std::int64_t scanned = d.intAttr("num_scan_inputs", 0);
    const std::int64_t captured = d.intAttr("_captured", 0);
    if (d.opset() < 9 || scanned < 1 || captured < 0 ||
        scanned > std::int64_t(states.size()) - captured ||
        !areAll(d.intsAttr("scan_input_directions"), 0) ||
        !areAll(d.intsAttr("scan_output_directions"), 0) ||
        !areAll(d.intsAttr("scan_output_axes"), 0))
        return false;
    LoopForm form;
    form.isScan = true;
    form.scanned = std::size_t(scanned);
    form.captured = std::size_t(captured);
    form.variables = states.size() - form.scanned - form.captured;
    form.scanAxes = d.intsAttr("scan_input_axes");
    form.scanAxes.resize(form.scanned, 0);
    std::vector<TensorState> variables;
    for (std::size_t i = 0; i < form.variables; ++i)
        variables.push_back(states[i] = inEveryTurn(states[i]));
    for (std::size_t i = 0; i < form.scanned; ++i) {
        TensorState& slice = states[form.variables + i];
        std::int64_t& axis = form.scanAxes[i];
        if (slice.shape.unknownRank)
            return false;
        const auto rank = std::int64_t(slice.shape.dims.size());
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank)
            return false;
        slice.known = nullptr;
        slice.shape.dims.erase(slice.shape.dims.begin() + axis);
    }
    const LiftedFunctions::Called body = calledBody(d, "body", states);
    if (!fits(body, form))
        return false;
    const std::string count =
        steps::sizeAt(d, d.in(form.variables), d.type(form.variables), form.scanAxes[0]);
    std::vector<std::string> inputs{d.oneInt64(0), d.oneTrue(), count};
    for (std::string& input : inputsFrom(d, 0))
        inputs.push_back(std::move(input));
    giveLoop(d, body, form, std::move(inputs), variables);
    return true;
}

} // namespace

bool liftOnnxLoop(LiftDraft& draft)
{
    if (draft.node().op() == "Loop")
        return liftLoop(draft);
    return draft.node().op() == "Scan" && liftScan(draft);
}

} // namespace lapidary
