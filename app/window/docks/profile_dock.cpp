// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/profile_dock.h"

#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/panels/profile/profile_panel.h"
#include "views/panels/profile/roofline_view.h"

#include <algorithm>
#include <optional>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t mostSelected = 200; // rows for a scope

// Returns "36.9 ms a run, 10 runs; 0.2 ms outside; 3 rows match no node".
QString summaryText(const ProfileSums& sums)
{
    const NodeProfile& profile = sums.profile();
    const double runs = double(std::max<std::int64_t>(profile.runs, 1));
    QStringList parts{timeText(double(sums.all().nanoseconds) / runs) + u" in nodes"_s};
    if (profile.outsideNanoseconds > 0)
        parts.append(timeText(double(profile.outsideNanoseconds) / runs) + u" outside"_s);
    parts.append(profile.runs == 1 ? plainText(profile.source)
                                   : u"mean of "_s + counted(profile.runs, u"run"_s));
    if (sums.all().flops > 0)
        parts.append(flopsText(sums.all().flops));
    if (profile.peakBytes > 0)
        parts.append(bytesText(profile.peakBytes) + u" at most"_s);
    if (sums.unmatched() > 0)
        parts.append(
            u"%1 not in this graph"_s.arg(counted(std::int64_t(sums.unmatched()), u"row"_s)));
    return parts.join(u" \u00B7 "_s);
}

std::vector<NodeId> nodesWithin(const ProfileSums& sums, GroupId group)
{
    std::vector<NodeId> nodes;
    std::vector<GroupId> open{group};
    while (!open.empty() && nodes.size() < mostSelected) {
        const GroupId at = open.back();
        open.pop_back();
        for (const ItemId child : sums.tree().group(at).children) {
            if (!child.isNode())
                open.push_back(child.group());
            else if (sums.rowOf(child.node()))
                nodes.push_back(child.node());
        }
    }
    return nodes;
}

Fact fact(const QString& key, const QString& value, const QString& detail, const QString& tip)
{
    return {key, value, detail, tip, {}};
}

} // namespace

ProfileDock::ProfileDock(QObject* parent)
    : QObject(parent)
    , m_panel(new ProfilePanel)
{
    connect(m_panel, &ProfilePanel::nodeSelected, this,
            [this](NodeId node) { emit itemRequested(ItemId::of(node)); });
    connect(m_panel, &ProfilePanel::opActivated, this, [this](const QString& op) {
        if (m_document)
            m_document->search().setQuery(u"op:^"_s + op + u"$"_s);
    });
    connect(m_panel, &ProfilePanel::rooflineShown, this, &ProfileDock::showRoofline);
    connect(m_panel, &ProfilePanel::heightWanted, this, &ProfileDock::heightWanted);
    connect(m_panel, &ProfilePanel::runRequested, this,
            [this] { emit actionRequested("graph.profile"); });
    connect(m_panel, &ProfilePanel::shapeGiven, this, &ProfileDock::runWithShape);
    connect(m_panel, &ProfilePanel::openRequested, this,
            [this] { emit actionRequested("graph.openProfile"); });
    connect(m_panel, &ProfilePanel::clearRequested, this,
            [this] { emit actionRequested("graph.clearProfile"); });
}

void ProfileDock::setDocument(Document* document)
{
    if (m_document) {
        m_document->forgetListener(this);
    }
    m_document = document;
    if (document != nullptr) {
        ProfileSession* session = &document->profile();
        connect(session, &ProfileSession::changed, this, &ProfileDock::showProfile);
        connect(session, &ProfileSession::peaksMeasured, this, &ProfileDock::showRoofline);
        connect(session, &ProfileSession::busyChanged, this, &ProfileDock::showState);
        connect(session, &ProfileSession::measured, this, &ProfileDock::profileShown);
        connect(&document->selection(), &ItemSelection::changed, this, &ProfileDock::showSelection);
        connect(&document->work(), &DocumentWork::stageChanged, this, &ProfileDock::showState);
        connect(document, &Document::fileChanged, this, &ProfileDock::showState);
    }
    showProfile();
}

void ProfileDock::showProfile()
{
    const ProfileSumsPtr sums = m_document ? m_document->profile().sums() : nullptr;
    if (sums != m_shown) {
        m_shown = sums;
        m_panel->setSums(sums, sums ? m_document->profile().sumsHere() : nullptr);
        const QString other = sums && m_document->profile().isOfOther()
                                  ? u"measured on another state, run again (F5) \u00B7 "_s
                                  : QString();
        m_panel->setSummary(sums ? other + summaryText(*sums) : QString());
        showRoofline();
        showSelection();
        emit factsChanged();
    }
    showState();
}

// Points and peaks are only computed when the plot is shown.
void ProfileDock::showRoofline()
{
    const PreparationPtr preparation = m_document ? m_document->picture().preparation() : nullptr;
    if (!m_shown || !m_panel->isRooflineShown() || !preparation ||
        preparation->sharedTree().get() != &m_shown->tree())
        return;
    const GraphShapesPtr shapes = m_document->picture().shapes();
    RooflineView* view = m_panel->roofline();
    view->setPoints(m_shown, rooflinePoints(*m_shown, preparation->graph(),
                                            shapes ? &shapes->inferred : nullptr));
    ProfileSession& session = m_document->profile();
    if (!session.isMeasuredHere()) {
        view->setPeaks({}, u"the peak performance of the measured machine is not known"_s);
    } else {
        view->setPeaks(session.peaks(), u"measuring the peak performance of this machine \u2026"_s);
        session.wantPeaks();
    }
    showSelection();
}

// The interface panel keeps the shape for later runs.
void ProfileDock::runWithShape(const QString& tensor, const QString& text)
{
    if (!m_document)
        return;
    const auto shape = parseShape(text.toStdString());
    if (!shape)
        return m_panel->setFailure(plainText(shape.error().message));
    InterfaceSession& interface = m_document->interface();
    const std::string name = tensor.toStdString();
    const auto named = [&] {
        const auto& inputs = interface.choice().inputs;
        const auto found = std::ranges::find(inputs, name, &ChosenTensor::tensor);
        return found == inputs.end() ? std::optional<ChosenTensor>() : *found;
    };
    if (!named())
        interface.mark(InterfaceSide::Inputs, name, true);
    auto input = named();
    if (!input)
        return;
    input->shape = *shape;
    interface.edit(InterfaceSide::Inputs, *input);
    emit actionRequested("graph.profile");
}

void ProfileDock::showState()
{
    m_panel->setFailure(m_document ? m_document->profile().failure() : QString());
    const auto open = m_document ? m_document->profile().openShape() : nullptr;
    m_panel->askForShape(open ? plainText(open->tensor) : QString(),
                         open ? plainText(open->proposed) : QString());
    m_panel->setBusy(m_document && m_document->profile().isBusy());
    m_panel->setObstacle(m_document ? whyNotMeasured(*m_document)
                                    : u"Open a model first (Ctrl+O)"_s);
}

void ProfileDock::showSelection()
{
    const ItemId item = m_document ? m_document->selection().item() : ItemId{};
    if (!m_shown || !item.isValid())
        return m_panel->setSelected({});
    m_panel->setSelected(item.isNode() ? std::vector<NodeId>{item.node()}
                                       : nodesWithin(*m_shown, item.group()));
}

FactSections profileFacts(const Document& document, ItemId item)
{
    const ProfileSumsPtr& sums = document.profile().sums();
    const ProfileSum sum = sums ? sums->of(item) : ProfileSum{};
    if (sum.nodes == 0)
        return {};
    const NodeProfile& profile = sums->profile();
    const double runs = double(std::max<std::int64_t>(profile.runs, 1));
    const auto share = [](double part, double all) {
        return all > 0 ? shareText(part / all) : QString();
    };
    FactSection section{u"Profile"_s, plainText(profile.source), {}};
    section.facts.push_back(
        fact(u"time"_s, timeText(double(sum.nanoseconds) / runs),
             share(double(sum.nanoseconds), double(sums->all().nanoseconds)),
             u"%1 ns in %2"_s.arg(exactText(sum.nanoseconds), counted(profile.runs, u"run"_s))));
    if (item.isNode()) {
        const ProfiledNode& node = profile.nodes[*sums->rowOf(item.node())];
        if (node.least && node.most)
            section.facts.push_back(
                fact(u"spread"_s,
                     timeText(double(*node.least)) + u" … "_s + timeText(double(*node.most)), {},
                     u"The fastest and the slowest run"_s));
        if (node.calls != 1)
            section.facts.push_back(fact(u"calls"_s, exactText(node.calls), u"in a run"_s, {}));
    } else {
        section.facts.push_back(
            fact(u"measured"_s, counted(sum.nodes, u"node"_s), u"their exact sum"_s, {}));
    }
    if (sum.flops > 0) {
        const double seconds = double(sum.nanoseconds) / runs / 1e9;
        section.facts.push_back(
            fact(u"work"_s, flopsText(sum.flops),
                 seconds > 0 ? flopsText(std::int64_t(double(sum.flops) / seconds)) + u"/s"_s
                             : QString(),
                 exactText(sum.flops) + u" floating-point operations"_s));
    }
    const ProfileSumsPtr& here = document.profile().sumsHere();
    if (const ProfileSum other = here ? here->of(item) : ProfileSum{}; other.nodes > 0)
        section.facts.push_back(
            fact(u"here"_s,
                 timeText(double(other.nanoseconds) /
                          double(std::max<std::int64_t>(here->profile().runs, 1))),
                 share(double(other.nanoseconds), double(here->all().nanoseconds)),
                 u"The last run on this machine"_s));
    section.facts.push_back(fact(u"memory"_s, bytesText(sum.bytes),
                                 share(double(sum.bytes), double(sums->all().bytes)),
                                 exactText(std::int64_t(sum.bytes)) + u" bytes of outputs"_s));
    return {std::move(section)};
}

} // namespace lapidary
