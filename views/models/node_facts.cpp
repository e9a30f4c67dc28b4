// SPDX-License-Identifier: Apache-2.0
#include "views/models/node_facts.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/scopes/local_name.h"
#include "graph_model/scopes/loop_turns.h"
#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t listLimit = 500;
constexpr std::size_t attrTextLimit = 4000;

// A graph and its known shapes.
struct Known {
    const Preparation& preparation;
    const InferredShapes* shapes = nullptr;

    const Graph& graph() const { return preparation.graph(); }
    TensorLabel tensor(Endpoint from) const { return knownTensor(graph(), shapes, from); }
};

QString shapeText(const TensorLabel& tensor)
{
    return tensor.shape.unknownRank ? QString() : plainText(shapeLabel(tensor.shape));
}

QString tensorText(const TensorLabel& tensor)
{
    QString text = shapeText(tensor);
    if (tensor.dtype != DType::Invalid && tensor.dtype != DType::Float)
        text += (text.isEmpty() ? QString() : u" "_s) + plainText(dtypeName(tensor.dtype));
    return text;
}

// Returns "shape 1×10, inferred".
QString originText(const TensorLabel& tensor)
{
    if (tensor.shape.unknownRank)
        return u"shape not known"_s;
    return u"shape %1, %2"_s.arg(shapeText(tensor), plainText(labelSourceName(tensor.source)));
}

Fact moreFact(std::size_t count)
{
    Fact fact;
    fact.value = u"and %1 more"_s.arg(exactText(std::int64_t(count)));
    return fact;
}

Fact itemFact(const QString& key, const Graph& graph, NodeId id, const QString& detail)
{
    Fact fact;
    fact.key = key;
    fact.value = plainText(graph.node(id).name());
    fact.detail = detail;
    fact.tip = fact.value + u'\n' + plainText(graph.node(id).op());
    fact.link = {FactLink::Kind::Item, ItemId::of(id), {}};
    return fact;
}

FactSection generalSection(const Preparation& preparation, NodeId id)
{
    const Node& node = preparation.graph().node(id);
    FactSection section{u"Node"_s, {}, {}};
    section.facts.push_back({u"name"_s, plainText(node.name()), {}, plainText(node.name()), {}});
    const OpSpec* op = registeredOp(preparation.graph(), id);
    const Dialect dialect = dialectOf(preparation.graph());
    QString origin; // for an op without a definition
    if (op == nullptr)
        origin =
            dialect == Dialect::TensorFlow ? u"not registered"_s : plainText(dialectName(dialect));
    const QString signature = op != nullptr ? plainText(signatureText(*op)) : QString();
    section.facts.push_back({u"op"_s,
                             plainText(node.op()),
                             origin,
                             signature,
                             {FactLink::Kind::Op, {}, std::string(node.op())}});
    if (!signature.isEmpty())
        section.facts.push_back({u"signature"_s, signature, {}, signature, {}});
    if (!node.device().empty())
        section.facts.push_back({u"device"_s, plainText(node.device()), {}, {}, {}});
    if (op != nullptr && op->isStateful)
        section.facts.push_back({u"state"_s, u"stateful"_s, {}, {}, {}});
    if (op != nullptr && op->deprecatedSince > 0)
        section.facts.push_back({u"deprecated"_s,
                                 plainText(op->deprecationReason),
                                 u"since version %1"_s.arg(op->deprecatedSince),
                                 {},
                                 {}});
    if (const HiddenNode* hidden = preparation.hidden(id))
        section.facts.push_back({u"drawn"_s,
                                 plainText(hidden->rule),
                                 u"show on its own"_s,
                                 plainText(hidden->rule),
                                 {FactLink::Kind::ShowAlone, ItemId::of(id), {}}});
    return section;
}

// Notes that the readers of .tflite and .onnx files add to a node are not attributes of the file,
// except for scales and zero points.
bool isNote(std::string_view attr)
{
    return attr.starts_with('_') && !attr.starts_with("_scale") && !attr.starts_with("_zero_point");
}

FactSection attributeSection(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    FactSection section{u"Attributes"_s, {}, {}};
    std::vector<Attr> attrs(node.attrs().begin(), node.attrs().end());
    if (dialectOf(graph) != Dialect::TensorFlow)
        std::erase_if(attrs, [](const Attr& attr) { return isNote(attr.name); });
    std::stable_sort(attrs.begin(), attrs.end(),
                     [](const Attr& a, const Attr& b) { return a.name < b.name; });
    for (const Attr& attr : attrs) {
        Fact fact;
        fact.key = plainText(attr.name);
        fact.value = plainText(attr.value.text());
        fact.tip = fact.key + u" = "_s + plainText(attr.value.text(attrTextLimit));
        if (const auto name = attr.value.asFunctionName())
            fact.link = {FactLink::Kind::Function, {}, std::string(*name)};
        section.facts.push_back(std::move(fact));
    }
    return section;
}

QString inputKey(const OpSpec* op, const Node& node, std::size_t slot)
{
    if (node.inputs()[slot].isControl())
        return u"^"_s;
    // Argument names are only certain if each argument is one tensor.
    const bool isPlain =
        op != nullptr && slot < op->inputs.size() &&
        std::all_of(op->inputs.begin(), op->inputs.begin() + slot + 1, [](const ArgSpec& arg) {
            return arg.numberAttr.empty() && arg.typeListAttr.empty();
        });
    return isPlain ? plainText(op->inputs[slot].name) : QString::number(slot);
}

FactSection inputSection(const Known& known, NodeId id)
{
    const Graph& graph = known.graph();
    const Node& node = graph.node(id);
    const std::span<const Endpoint> inputs = graph.inputs(id);
    FactSection section{u"Inputs"_s, QString::number(inputs.size()), {}};
    const OpSpec* op = registeredOp(graph, id);
    for (std::size_t slot = 0; slot < std::min(inputs.size(), listLimit); ++slot) {
        const QString key = inputKey(op, node, slot);
        Fact fact;
        if (inputs[slot].node.isValid()) {
            fact = itemFact(key, graph, inputs[slot].node, {});
            fact.value = plainText(node.inputs()[slot].text);
            if (!inputs[slot].isControl()) {
                const TensorLabel tensor = known.tensor(inputs[slot]);
                fact.detail = tensorText(tensor);
                fact.tip += u'\n' + originText(tensor);
            }
        } else {
            fact = {key, plainText(node.inputs()[slot].text), u"no such node"_s, {}, {}};
        }
        section.facts.push_back(std::move(fact));
    }
    if (inputs.size() > listLimit)
        section.facts.push_back(moreFact(inputs.size() - listLimit));
    return section;
}

// Adds the outputs, each with the source of its shape.
FactSection outputSection(const Known& known, NodeId id)
{
    const OpSpec* op = registeredOp(known.graph(), id);
    const std::size_t count = known.shapes == nullptr ? 0 : known.shapes->outputCount(id);
    FactSection section{u"Outputs"_s, QString::number(count), {}};
    for (std::size_t port = 0; port < std::min(count, listLimit); ++port) {
        const TensorLabel tensor = known.tensor({id, std::int32_t(port)});
        const bool isNamed = op != nullptr && op->outputs.size() == count;
        Fact fact;
        fact.key = isNamed ? plainText(op->outputs[port].name) : QString::number(port);
        fact.value = tensor.shape.unknownRank ? u"shape not known"_s : shapeText(tensor);
        if (tensor.dtype != DType::Invalid)
            fact.value += u' ' + plainText(dtypeName(tensor.dtype));
        if (!tensor.shape.unknownRank)
            fact.detail = plainText(labelSourceName(tensor.source));
        fact.tip = fact.value;
        section.facts.push_back(std::move(fact));
    }
    if (count > listLimit)
        section.facts.push_back(moreFact(count - listLimit));
    return section;
}

FactSection conflictSection(const Known& known, NodeId id)
{
    FactSection section{u"Shapes that contradict each other"_s, {}, {}};
    if (known.shapes == nullptr)
        return section;
    for (const ShapeConflict& conflict : known.shapes->conflicts())
        if (conflict.node == id && section.facts.size() < listLimit) {
            const QString text = plainText(conflict.message);
            section.facts.push_back({{}, text, {}, text, {}});
        }
    return section;
}

FactSection readerSection(const Known& known, NodeId id)
{
    const Graph& graph = known.graph();
    const std::span<const Consumer> readers = graph.consumers(id);
    FactSection section{u"Read by"_s, QString::number(readers.size()), {}};
    std::int32_t lastPort = -2;
    for (const Consumer& reader : readers.first(std::min(readers.size(), listLimit))) {
        const QString key = reader.isControl() ? u"^"_s : QString::number(reader.port);
        const QString detail = reader.port != lastPort && !reader.isControl()
                                   ? tensorText(known.tensor({id, reader.port}))
                                   : QString();
        lastPort = reader.port;
        section.facts.push_back(itemFact(key, graph, reader.node, detail));
    }
    if (readers.size() > listLimit)
        section.facts.push_back(moreFact(readers.size() - listLimit));
    return section;
}

// Returns the nodes that are drawn inside the node's box.
FactSection foldedSection(const Preparation& preparation, NodeId id)
{
    FactSection section{u"Drawn inside this box"_s, {}, {}};
    const Graph& graph = preparation.graph();
    const auto consider = [&](NodeId other) {
        const HiddenNode* hidden = preparation.hidden(other);
        if (hidden == nullptr || hidden->into != ItemId::of(id))
            return;
        Fact fact = itemFact({}, graph, other, u"show on its own"_s);
        fact.tip = plainText(hidden->rule);
        fact.link = {FactLink::Kind::ShowAlone, ItemId::of(other), {}};
        section.facts.push_back(std::move(fact));
    };
    // Folded nodes are upstream of the box that they are drawn in, through other folded nodes.
    std::vector<NodeId> open{id};
    std::vector<NodeId> seen;
    while (!open.empty() && section.facts.size() < listLimit) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Endpoint& from : graph.inputs(at)) {
            if (!from.node.isValid() || preparation.hidden(from.node) == nullptr ||
                std::find(seen.begin(), seen.end(), from.node) != seen.end() ||
                preparation.shownBy(from.node) != ItemId::of(id))
                continue;
            seen.push_back(from.node);
            open.push_back(from.node);
            consider(from.node);
        }
    }
    section.detail = QString::number(section.facts.size());
    return section;
}

FactSection functionSection(const Graph& graph, const Node& node)
{
    FactSection section{u"Calls"_s, {}, {}};
    if (graph.functions() == nullptr)
        return section;
    for (const FunctionPtr& function : calledFunctions(graph, node, *graph.functions())) {
        Fact fact;
        fact.value = plainText(function->name);
        fact.detail =
            function->body ? counted(std::int64_t(function->body->size()), u"node"_s) : QString();
        fact.link = {FactLink::Kind::Function, {}, std::string(function->name)};
        section.facts.push_back(std::move(fact));
    }
    return section;
}

QString kindText(const Group& group)
{
    if (group.loop != DrawnLoop::none)
        return u"loop"_s;
    if (!group.says.empty())
        return u"conditional"_s;
    switch (group.kind) {
    case GroupKind::Root: return u"whole graph"_s;
    case GroupKind::Scope: return u"name scope"_s;
    case GroupKind::Series: return u"numbered siblings"_s;
    case GroupKind::Repeat: return u"repeated structure"_s;
    case GroupKind::Block: return u"found by wiring"_s;
    case GroupKind::Section: return u"section by position"_s;
    case GroupKind::Chain: return u"straight chain"_s;
    case GroupKind::Part: return u"beside the network"_s;
    }
    return {};
}

// Returns when the inside of a loop or conditional runs.
QString controlText(const Preparation& preparation, const Group& group)
{
    if (group.loop == DrawnLoop::none)
        return plainText(group.says);
    const DrawnLoop& frame = preparation.tree().loops()->frames[group.loop];
    const std::string end = loopEnd(frame, [](Endpoint) { return std::nullopt; });
    return end.empty() ? QString() : u"until %1"_s.arg(plainText(end));
}

} // namespace

namespace {

// Returns the length of the beginning of a name, with its "/", that is also the scope of the other
// name.
qsizetype commonScope(const QString& name, const QString& other)
{
    qsizetype scope = 0;
    for (qsizetype i = 0; i < std::min(name.size(), other.size()) && name[i] == other[i]; ++i)
        if (name[i] == u'/')
            scope = i + 1;
    return scope;
}

} // namespace

FactSections nodeFacts(const Preparation& preparation, NodeId id, const InferredShapes* shapes)
{
    const Graph& graph = preparation.graph();
    const Known known{preparation, shapes};
    FactSections all;
    const auto add = [&all](FactSection section, bool evenEmpty = false) {
        if (evenEmpty || !section.facts.empty())
            all.push_back(std::move(section));
    };
    add(generalSection(preparation, id));
    add(attributeSection(graph, id));
    add(functionSection(graph, graph.node(id)));
    add(conflictSection(known, id));
    add(inputSection(known, id), true);
    add(outputSection(known, id));
    add(readerSection(known, id), true);
    add(foldedSection(preparation, id));
    for (FactSection& section : all)
        for (Fact& fact : section.facts)
            if (fact.link.kind == FactLink::Kind::Item)
                fact.common = commonScope(fact.value, plainText(graph.node(id).name()));
    return all;
}

FactSections groupFacts(const Preparation& preparation, GroupId id)
{
    const Group& group = preparation.tree().group(id);
    const bool isRoot = group.kind == GroupKind::Root;
    FactSection general{isRoot ? u"Graph"_s : u"Scope"_s, {}, {}};
    if (!isRoot) {
        general.facts.push_back({u"path"_s, plainText(group.path), {}, plainText(group.path), {}});
        general.facts.push_back({u"kind"_s, kindText(group), {}, {}, {}});
        if (const QString ends = controlText(preparation, group); !ends.isEmpty())
            general.facts.push_back({u"runs"_s, ends, {}, ends, {}});
    }
    const bool isFound = group.kind != GroupKind::Scope && !isRoot;
    if (isFound)
        general.facts.push_back({u"why"_s,
                                 plainText(group.reason),
                                 u"take apart"_s,
                                 plainText(group.reason),
                                 {FactLink::Kind::Ungroup, ItemId::of(id), group.path}});
    general.facts.push_back({u"nodes"_s, exactText(group.nodeCount), {}, {}, {}});
    if (group.weights > 0)
        general.facts.push_back(
            {u"weights"_s, countText(group.weights), {}, exactText(group.weights), {}});
    if (group.repeats > 1)
        general.facts.push_back({u"repeats"_s, u"\u00D7%1"_s.arg(group.repeats), {}, {}, {}});
    FactSection ops{u"Ops"_s, QString::number(group.ops.size()), {}};
    for (const auto& [op, count] : group.ops)
        ops.facts.push_back(
            {{}, plainText(op), exactText(count), {}, {FactLink::Kind::Op, {}, std::string(op)}});
    FactSection children{u"Inside"_s, QString::number(group.children.size()), {}};
    for (const ItemId child : group.children) {
        if (children.facts.size() == listLimit) {
            children.facts.push_back(moreFact(group.children.size() - listLimit));
            break;
        }
        if (child.isNode()) {
            const Node& node = preparation.graph().node(child.node());
            children.facts.push_back(
                {{},
                 plainText(localName(preparation.tree(), preparation.graph(), child.node())),
                 plainText(node.op()),
                 plainText(node.name()),
                 {FactLink::Kind::Item, child, {}}});
        } else {
            const Group& inner = preparation.tree().group(child.group());
            children.facts.push_back({{},
                                      plainText(inner.name),
                                      counted(inner.nodeCount, u"node"_s),
                                      plainText(inner.path),
                                      {FactLink::Kind::Item, child, {}}});
        }
    }
    if (isRoot) // the outline lists the contents
        return {std::move(general), std::move(ops), std::move(children)};
    return {std::move(general), std::move(children), std::move(ops)};
}

} // namespace lapidary
