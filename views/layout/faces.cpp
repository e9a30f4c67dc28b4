// SPDX-License-Identifier: Apache-2.0
#include "views/layout/faces.h"

#include "graph_model/base/utf8.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/local_name.h"
#include "views/layout/edge_faces.h"
#include "views/layout/group_summary.h"
#include "views/layout/scene_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr float opHeight = 36;
constexpr float leastWidth = 72;
constexpr float mostWidth = 240;
constexpr float leastGroupWidth = 104;
constexpr float mostGrowth = 24;   // growth of a group's height by the number of its nodes
constexpr float sidePadding = 12;  // at the left and right of a text, including the family bar
constexpr float chevronWidth = 20; // of a group
constexpr float mostHeaderText = 200;
constexpr float mostLoopHeader = 400; // for name and condition
constexpr float mostLoopWidth = 340;  // of a box that shows its condition
constexpr float markWidth = 16;       // width of the mark in a corner of a control-flow op
constexpr float leastPill = 24;
constexpr float mostPill = 120;
constexpr std::size_t mostChips = 4;

float grid4(float width)
{
    return std::ceil(width / 4) * 4;
}

// Returns the index where two names that begin alike start to differ, moved back to the start of
// that word if it is near; 0 if they do not differ.
std::size_t whereApart(const std::vector<std::string>& names)
{
    std::string_view common = names[0];
    for (const std::string& name : names) {
        const auto end = std::mismatch(common.begin(), common.end(), name.begin(), name.end());
        common = common.substr(0, std::size_t(end.first - common.begin()));
    }
    if (common.size() == names[0].size())
        return 0;
    constexpr std::size_t near = 4; // letters
    const std::size_t word = common.find_last_of("/_");
    std::size_t from = word == std::string_view::npos ? 0 : word + 1;
    if (common.size() - from <= near)
        return from;
    return utf8Boundary(common, common.size() - near / 2);
}

// Returns the width of "×3" at the right of a group's lines.
float badgeWidth(std::uint32_t repeats, const MeasureText& measure)
{
    return repeats > 1 ? 8 + measure("×" + std::to_string(repeats), TextRole::Heading) : 0;
}

// Fits a list into a width: its last entries are dropped instead of eliding it in the middle.
std::string fittedList(std::string list, float room, const MeasureText& measure)
{
    constexpr std::string_view between = " \u00B7 ";
    while (measure(list, TextRole::Muted) > room && list.find(between) != std::string::npos)
        list.resize(list.rfind(between));
    return elideMiddle(list, room, TextRole::Muted, measure);
}

} // namespace

std::string FaceMaker::titleOf(ItemId item) const
{
    if (!item.isNode())
        return m_preparation.tree().group(item.group()).name;
    if (const LoopPort* port = m_preparation.port(item.node()); port && !port->name.empty())
        return port->name;
    return std::string(nodeName(item.node()));
}

std::string_view FaceMaker::nodeName(NodeId id) const
{
    return localName(m_preparation.tree(), m_preparation.graph(), id);
}

Face FaceMaker::face(ItemId item) const
{
    if (!item.isNode())
        return groupFace(m_preparation.tree().group(item.group()));
    if (const LoopPort* port = m_preparation.port(item.node()))
        return portFace(item.node(), *port);
    const std::string_view op = m_preparation.graph().node(item.node()).op();
    const std::string_view name = nodeName(item.node());
    return opFace(item.node(), name == op || name.empty() ? std::string_view() : op);
}

Face FaceMaker::endFace(NodeId id) const
{
    const std::string label = m_describe(m_preparation.graph(), Endpoint{id, 0}).label;
    return label.empty() ? face(ItemId::of(id)) : opFace(id, label);
}

Face FaceMaker::inputFace(NodeId id) const
{
    const InputTensors read = inputTensors(m_preparation, m_describe, id);
    std::string label = m_describe(m_preparation.graph(), read.largest).label;
    if (label.empty())
        return face(ItemId::of(id));
    if (read.count > 1)
        label += " +" + std::to_string(read.count - 1);
    return opFace(id, label);
}

void FaceMaker::tellApart(const std::vector<PreparedItem>& items, std::vector<Face>& faces) const
{
    constexpr int mostRounds = 4; // each round treats only those that are still alike
    for (int round = 0; round < mostRounds; ++round) {
        std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> alike;
        for (std::size_t i = 0; i < items.size(); ++i)
            alike[{faces[i].title, faces[i].subtitle}].push_back(i);
        bool isChanged = false;
        for (const auto& [said, members] : alike) {
            if (members.size() < 2)
                continue;
            std::vector<std::string> names;
            for (const std::size_t i : members)
                names.push_back(titleOf(items[i].item));
            const std::size_t from = whereApart(names);
            for (std::size_t m = 0; from > 0 && m < members.size(); ++m)
                isChanged |=
                    beginAt(items[members[m]].item, names[m].substr(from), faces[members[m]]);
        }
        if (!isChanged)
            return;
    }
}

bool FaceMaker::beginAt(ItemId item, const std::string& rest, Face& face) const
{
    const TextRole role = item.isNode() ? TextRole::Name : TextRole::Heading;
    const float beside = 2 * sidePadding + (item.isNode() ? markWidth : chevronWidth) +
                         badgeWidth(face.repeats, m_measure);
    std::string title = elideMiddle("…" + rest, mostWidth - beside, role, m_measure);
    if (title == face.title)
        return false;
    face.title = std::move(title);
    const float wanted = grid4(m_measure(face.title, role) + beside);
    face.width = std::clamp(wanted, face.width, std::max(face.width, mostWidth));
    return true;
}

Face FaceMaker::opFace(NodeId id, std::string_view subtitle) const
{
    const Node& node = m_preparation.graph().node(id);
    const float room = mostWidth - 2 * sidePadding - markWidth;
    Face face;
    face.family = familyIn(m_preparation.graph(), node.op());
    const std::string_view name = nodeName(id);
    face.title = elideMiddle(name.empty() ? node.op() : name, room, TextRole::Name, m_measure);
    face.subtitle = elideMiddle(subtitle, room, TextRole::Muted, m_measure);
    const float text =
        std::max(m_measure(face.title, TextRole::Name), m_measure(face.subtitle, TextRole::Muted));
    const float mark = face.family == OpFamily::Control ? markWidth : 0;
    face.width = std::clamp(grid4(text + 2 * sidePadding + mark), leastWidth, mostWidth);
    face.height = opHeight;
    return face;
}

Face FaceMaker::groupFace(const Group& group) const
{
    const float badge = badgeWidth(group.repeats, m_measure);
    const bool isControl = group.loop != DrawnLoop::none || !group.says.empty();
    const float widest = isControl ? mostLoopWidth : mostWidth;
    const float room = widest - 2 * sidePadding - chevronWidth - badge;
    const GroupSummary dominant = summarizeGroup(group);
    const bool isPart = group.kind == GroupKind::Part;
    Face face;
    face.family = dominant.family;
    face.isAside = isPart;
    face.repeats = group.repeats;
    face.title = elideMiddle(group.name, room, TextRole::Heading, m_measure);
    face.subtitle = shortCount(group.nodeCount) + (group.nodeCount == 1 ? " op" : " ops");
    if (group.weights > 0 && !isPart)
        face.subtitle +=
            " · " + shortCount(group.weights) + (group.weights == 1 ? " weight" : " weights");
    face.detail = dominant.text;
    float header = m_measure(group.name, TextRole::Heading);
    if (group.loop != DrawnLoop::none) {
        face.detail = face.subtitle;
        face.subtitle = loopText(group.loop);
    }
    if (!group.says.empty()) {
        face.detail = face.subtitle;
        face.subtitle = group.says;
    }
    if (isControl)
        header += 16 + m_measure(face.subtitle, TextRole::Muted);
    const float mostHeader = isControl ? mostLoopHeader : mostHeaderText;
    face.headerWidth = std::ceil(std::min(mostHeader, header) + chevronWidth + sidePadding);
    face.subtitle = elideMiddle(face.subtitle, room, TextRole::Muted, m_measure);
    face.detail = fittedList(std::move(face.detail), room, m_measure);
    const float text = std::max({m_measure(face.title, TextRole::Heading),
                                 m_measure(face.subtitle, TextRole::Muted),
                                 m_measure(face.detail, TextRole::Muted)});
    face.width =
        std::clamp(grid4(text + badge + 2 * sidePadding + chevronWidth), leastGroupWidth, widest);
    const float growth = 7 * std::log2(1 + float(group.nodeCount) / 8);
    face.height = grid4((face.detail.empty() ? 44.0F : 56.0F) +
                        (isPart ? 0.0F : std::min(mostGrowth, growth)));
    return face;
}

KnownNumber FaceMaker::knownNumber() const
{
    return [this](Endpoint from) { return m_describe(m_preparation.graph(), from).number; };
}

std::string FaceMaker::loopText(std::uint32_t loop) const
{
    const DrawnLoop& frame = m_preparation.tree().loops()->frames[loop];
    std::string text = loopEnd(frame, knownNumber());
    text = text.empty() ? std::string("loop") : "until " + text;
    if (const auto turns = loopTurns(frame, knownNumber())) {
        text += turns->isMost ? " · at most " : " · ";
        text += std::to_string(turns->count) + (turns->count == 1 ? " turn" : " turns");
    }
    return text;
}

// Returns the face of a pill for a value on the frame of a loop, or of the box of the loop's
// condition.
Face FaceMaker::portFace(NodeId id, const LoopPort& port) const
{
    const bool isTest = port.kind == LoopPort::Kind::Test;
    std::string title = port.name;
    if (isTest && port.loop != DrawnLoop::none) {
        const DrawnLoop& frame = m_preparation.tree().loops()->frames[port.loop];
        const std::string end = loopEnd(frame, knownNumber());
        title = end.empty() ? std::string(nodeName(id)) : "until " + end;
    }
    std::string subtitle = m_describe(m_preparation.graph(), port.shown).label;
    if (port.kind == LoopPort::Kind::Next)
        subtitle = "next turn";
    if (isTest)
        subtitle = "condition";
    const float widest = isTest ? mostLoopWidth : mostWidth;
    const float room = widest - 2 * sidePadding - markWidth;
    Face face;
    face.family = OpFamily::Control;
    face.isPort = !isTest;
    face.title = elideMiddle(title, room, TextRole::Name, m_measure);
    face.subtitle = elideMiddle(subtitle, room, TextRole::Muted, m_measure);
    const float text =
        std::max(m_measure(face.title, TextRole::Name), m_measure(face.subtitle, TextRole::Muted));
    face.width = std::clamp(grid4(text + 2 * sidePadding + markWidth), leastWidth, widest);
    face.height = opHeight;
    return face;
}

// Returns the node whose shape to show: for the handle of a variable, the node that reads it.
NodeId FaceMaker::valueOf(NodeId id) const
{
    const Graph& graph = m_preparation.graph();
    const std::string_view op = graph.node(id).op();
    if (isVariableHandle(op) || isFunctionArgument(op))
        for (const Consumer& reader : graph.consumers(id))
            if (isVariableRead(graph.node(reader.node).op()))
                return reader.node;
    return id;
}

std::string FaceMaker::chipText(NodeId id) const
{
    const EdgeFace value = m_describe(m_preparation.graph(), Endpoint{valueOf(id), 0});
    if (value.number)
        return std::to_string(*value.number);
    return value.label.empty() ? titleOf(ItemId::of(id)) : value.label;
}

// Names a tensor that is made from a size after the op that makes it, "zeros": its size is less
// useful.
std::string FaceMaker::sizeText(NodeId id) const
{
    if (isMadeOfSize(m_preparation.graph().node(id).op()))
        return titleOf(ItemId::of(id));
    return dependsOnSize(id) ? "size" : chipText(id);
}

// Tells whether a node only serves a size that has its own chip.
bool FaceMaker::servesSize(NodeId id) const
{
    const auto readers = m_preparation.graph().consumers(id);
    return !readers.empty() && std::ranges::all_of(readers, [this](const Consumer& reader) {
        return m_preparation.isFoldedSize(reader.node);
    });
}

bool FaceMaker::dependsOnSize(NodeId id) const
{
    constexpr std::size_t farEnough = 64; // nodes to search
    const Graph& graph = m_preparation.graph();
    std::vector<NodeId> open{id};
    for (std::size_t i = 0; i < open.size() && i < farEnough; ++i) {
        if (asksForSize(graph.node(open[i]).op()) || isFedOp(graph.node(open[i]).op()))
            return true;
        for (const Endpoint& input : graph.inputs(open[i]))
            if (!input.isControl() && input.node.isValid())
                open.push_back(input.node);
    }
    return false;
}

std::vector<Pill> FaceMaker::chips(const PreparedItem& item) const
{
    const Graph& graph = m_preparation.graph();
    const std::unordered_set<NodeId> folded(item.folded.begin(), item.folded.end());
    struct Said {
        std::string text;
        NodeId first;
        int count = 0;
    };
    std::vector<Said> said;
    std::unordered_map<std::string, std::size_t> saidAt;
    for (const NodeId id : item.folded) {
        const auto inputs = graph.inputs(id);
        const bool passesOn = std::ranges::any_of(inputs, [&](const Endpoint& from) {
            return !from.isControl() && from.node.isValid() && folded.contains(from.node);
        });
        const bool isSize = m_preparation.isFoldedSize(id);
        if (servesSize(id) || (passesOn && !isSize))
            continue; // an Identity, or a read of a constant that has its own chip
        std::string text = isSize ? sizeText(id) : chipText(id);
        const auto [known, isNew] = saidAt.emplace(text, said.size());
        if (isNew)
            said.push_back({std::move(text), id, 1});
        else
            ++said[known->second].count;
    }
    std::vector<Pill> pills;
    const auto add = [&](NodeId id, const std::string& text) {
        Pill pill = stub(ItemId::of(id), text);
        pill.kind = BoxKind::Chip;
        pills.push_back(std::move(pill));
    };
    for (std::size_t i = 0; i < said.size(); ++i) {
        if (i + 1 == mostChips && said.size() > mostChips) {
            int rest = 0;
            for (std::size_t j = i; j < said.size(); ++j)
                rest += said[j].count;
            add(said[i].first, "+" + std::to_string(rest));
            break;
        }
        const std::string times =
            said[i].count > 1 ? std::to_string(said[i].count) + " × " : std::string();
        add(said[i].first, times + said[i].text);
    }
    return pills;
}

Pill FaceMaker::stub(ItemId item, const std::string& text) const
{
    Pill pill;
    pill.kind = BoxKind::Stub;
    pill.item = item;
    if (item.isNode())
        pill.family = opFamily(m_preparation.graph().node(item.node()).op());
    pill.text = elideMiddle(text, mostPill - 12, TextRole::Chip, m_measure);
    pill.width = std::clamp(grid4(m_measure(pill.text, TextRole::Chip) + 12), leastPill, mostPill);
    return pill;
}

} // namespace lapidary
