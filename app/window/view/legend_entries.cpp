// SPDX-License-Identifier: Apache-2.0
#include "app/window/view/legend_entries.h"

#include "views/canvas/paint/difference_marks.h"
#include "views/canvas/paint/edge_painter.h"
#include "views/models/data/data_text.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <array>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t mostClasses = 8;

LegendEntry swatch(const FamilyColors& colors, const QString& text)
{
    return {LegendEntry::Mark::Swatch, colors.fill, colors.outline, text, {}};
}

void addFamilies(std::vector<LegendEntry>& entries, const Scene& scene, const Theme& theme)
{
    std::array<int, opFamilyCount> counts{};
    for (const SceneBox& box : scene.boxes)
        if (box.kind == BoxKind::Op || box.kind == BoxKind::Group || box.kind == BoxKind::Chip)
            ++counts[std::size_t(box.family)];
    for (int family = 0; family < opFamilyCount; ++family) {
        if (counts[std::size_t(family)] == 0)
            continue;
        const std::string_view name = opFamilyName(OpFamily(family));
        entries.push_back(swatch(theme.family(OpFamily(family)), plainText(name)));
    }
}

// Adds the ramp of node data, with their name and unit.
void addNumbers(std::vector<LegendEntry>& entries, const ColorClasses& colors, const Theme& theme)
{
    const OverlayScale& scale = colors.coloring->scale;
    const bool isLogarithmic = scale.kind == OverlayScale::Kind::Logarithmic;
    const bool isTwoSided = scale.kind == OverlayScale::Kind::TwoSided;
    const std::string& unit = colors.numbers->unit;
    LegendEntry ramp;
    ramp.mark = isTwoSided ? LegendEntry::Mark::TwoSidedRamp : LegendEntry::Mark::Ramp;
    ramp.before = plainText(colors.numbers->name) + (isLogarithmic ? u" \u2264 "_s : u" "_s) +
                  dataText(scale.least, unit);
    ramp.text = dataText(scale.most, unit) + (isLogarithmic ? u", logarithmic"_s : QString());
    ramp.tip = plainText(colors.numbers->name) + (isTwoSided ? u"; the middle is 0"_s : QString()) +
               u"; the scale ends at the boxes of the picture"_s;
    entries.push_back(std::move(ramp));
    entries.push_back(
        swatch({theme[Role::Surface], theme[Role::GroupLine], {}, {}}, u"no number"_s));
}

void addOverlay(std::vector<LegendEntry>& entries, const ColorClasses& colors, const Theme& theme)
{
    static constexpr std::array<QStringView, 3> tips{
        u"Time of a run", u"Bytes of outputs, in a run",
        u"Floating-point operations by the rules of benchmark_model"};
    const OverlayScale& scale = colors.coloring->scale;
    if (colors.numbers)
        return addNumbers(entries, colors, theme);
    LegendEntry ramp;
    ramp.mark = LegendEntry::Mark::Ramp;
    ramp.before = u"\u2264 "_s + measureText(scale.least, colors.measure, colors.runs);
    ramp.text = measureText(scale.most, colors.measure, colors.runs) + u", logarithmic"_s +
                (colors.isOfOther ? u", measured on another state"_s : QString());
    ramp.tip = tips[std::size_t(colors.measure)].toString() +
               u"; the scale ends at the largest box of the picture"_s;
    entries.push_back(std::move(ramp));
    entries.push_back(
        swatch({theme[Role::Surface], theme[Role::GroupLine], {}, {}}, u"not measured"_s));
}

// Returns "run here, 10 runs, 1 186 nodes; 3 match no node of this graph".
QString overlayNote(const ProfileSums& sums)
{
    const NodeProfile& profile = sums.profile();
    QString note = plainText(profile.source) + u", "_s + counted(profile.runs, u"run"_s) + u", "_s +
                   counted(std::int64_t(profile.nodes.size()), u"node"_s);
    if (sums.unmatched() > 0)
        note += u"; %1 of them not in this graph"_s.arg(exactText(std::int64_t(sums.unmatched())));
    return note;
}

void addDifferences(std::vector<LegendEntry>& entries, const Theme& theme)
{
    for (const DifferenceSign& sign : differenceSigns())
        entries.push_back({LegendEntry::Mark::Dot,
                           theme[sign.role],
                           theme[sign.role],
                           QString::fromUtf8(sign.sign) + u' ' + QString::fromUtf8(sign.name),
                           {}});
}

} // namespace

std::vector<LegendEntry> legendEntries(const Scene& scene, const ColorClasses& colors,
                                       const Theme& theme, bool isCompared)
{
    std::vector<LegendEntry> entries;
    if (isCompared)
        addDifferences(entries, theme);
    if (!colors.coloring)
        addFamilies(entries, scene, theme);
    for (std::size_t i = 0; i < std::min(colors.names.size(), mostClasses); ++i)
        if (!colors.names[i].empty())
            entries.push_back(swatch(theme.classColors(int(i)), plainText(colors.names[i])));
    if (colors.names.size() > mostClasses)
        entries.push_back({LegendEntry::Mark::Swatch,
                           theme[Role::Surface],
                           theme[Role::Line],
                           u"%1 more"_s.arg(colors.names.size() - mostClasses),
                           {}});
    const bool isOverlay = colors.coloring && colors.coloring->overlay;
    if (isOverlay)
        addOverlay(entries, colors, theme);
    if (!colors.others.empty())
        entries.push_back(swatch({theme[Role::Surface], theme[Role::GroupLine], {}, {}},
                                 plainText(colors.others)));
    if (colors.coloring && !isOverlay && colors.names.empty() && colors.others.empty())
        entries.push_back({LegendEntry::Mark::Swatch,
                           theme[Role::Surface],
                           theme[Role::Line],
                           u"nothing to tell apart here"_s,
                           {}});
    const auto hasEdge = [&scene](auto test) {
        return std::any_of(scene.edges.begin(), scene.edges.end(), test);
    };
    if (hasEdge([](const SceneEdge& edge) { return edge.kind == EdgeKind::Control; }))
        entries.push_back({LegendEntry::Mark::ControlEdge,
                           {},
                           theme[Role::ControlEdge],
                           u"control"_s,
                           u"Control edges carry order, not data"_s});
    if (hasEdge([&scene](const SceneEdge& edge) { return closesLoop(scene, edge); }))
        entries.push_back({LegendEntry::Mark::BackEdge,
                           {},
                           theme.family(OpFamily::Control).outline,
                           u"loop"_s,
                           u"The back edge of a loop"_s});
    const auto hasBox = [&scene](auto test) {
        return std::any_of(scene.boxes.begin(), scene.boxes.end(), test);
    };
    if (hasBox([](const SceneBox& box) { return box.repeats > 1; }))
        entries.push_back({LegendEntry::Mark::Stack, theme[Role::Surface], theme[Role::GroupLine],
                           u"repeats"_s, u"Several scopes of equal structure"_s});
    return entries;
}

QString legendNote(const Document& document)
{
    const PreparationPtr preparation = document.picture().preparation();
    if (!preparation)
        return {};
    const ProfileSumsPtr& sums = document.profile().sums();
    if (sums && measureOf(document.colors().mode()))
        return overlayNote(*sums);
    if (const auto shown = document.data().shown();
        shown && document.colors().mode() == ColorMode::Data)
        return dataSummary(*document.data().table(), *shown);
    const std::int64_t folded = document.picture().facts().folded;
    QString note = counted(std::int64_t(preparation->graph().size()), u"node"_s);
    if (const NodeParts* parts = preparation->tree().parts())
        note = u"network: %1 of %2"_s.arg(exactText(parts->count(Part::Network)), note);
    if (folded > 0)
        note += u", %1 drawn inside others"_s.arg(exactText(folded));
    const auto isInferred = [](const SceneEdge& edge) {
        return edge.isInferred && edge.labelRect.w > 0;
    };
    if (document.picture().scene() &&
        std::ranges::any_of(document.picture().scene()->edges, isInferred))
        note += u", slanted shapes are inferred"_s;
    if (const std::size_t hidden = document.picture().facts().hidden; hidden > 0)
        note += u", %1 hidden by you"_s.arg(exactText(std::int64_t(hidden)));
    return note;
}

} // namespace lapidary
