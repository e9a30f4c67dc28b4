// SPDX-License-Identifier: Apache-2.0
#include "app/window/docks/target_dock.h"

#include "app/document/recipe/recipe_edits.h"
#include "views/models/display_text.h"
#include "views/panels/target/target_panel.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t mostNodes = 200; // for one finding

std::vector<std::pair<QString, QString>> targetTexts()
{
    std::vector<std::pair<QString, QString>> texts;
    for (const Target& target : allTargets())
        texts.emplace_back(plainText(target.name), plainText(target.title));
    return texts;
}

int numberOf(const Target* target)
{
    return target == nullptr ? -1 : int(target - allTargets().data());
}

std::vector<TargetFinding> findingRows(const TargetReport& report)
{
    std::vector<TargetFinding> rows;
    for (const SupportFinding& finding : report.support.findings) {
        TargetFinding row{.op = plainText(finding.op),
                          .types = plainText(finding.types),
                          .why = plainText(finding.why),
                          .isMissing = isMissing(finding.fault),
                          .count = qint64(finding.count()),
                          .nodes = {}};
        if (finding.needed == 0 && row.isMissing)
            row.why += u"; no output needs it"_s;
        if (!finding.functionNodes.empty())
            row.why += u"; in functions: "_s + plainText(finding.functionNodes.front());
        for (const NodeId id : finding.nodes)
            if (row.nodes.size() < mostNodes)
                row.nodes.emplace_back(id, plainText(report.graph->node(id).name()));
        rows.push_back(std::move(row));
    }
    return rows;
}

QString obstacleOf(const Remedy& remedy)
{
    return remedy.kind == Remedy::Kind::Pass || remedy.kind == Remedy::Kind::Freeze
               ? QString()
               : u"This changes the program on the device, not the graph"_s;
}

std::vector<TargetRemedy> remedyRows(const TargetReport& report)
{
    std::vector<TargetRemedy> rows;
    if (!report.plan)
        return rows;
    for (const Remedy& remedy : report.plan->remedies)
        rows.push_back({.text = plainText(remedy.text),
                        .effect = remedy.after
                                      ? u"%1 \u2192 %2"_s.arg(remedy.before).arg(*remedy.after)
                                      : u"%1, not tried"_s.arg(remedy.before),
                        .obstacle = obstacleOf(remedy)});
    return rows;
}

// Returns both results: for the whole file, and for the part between inputs and outputs.
QString summaryOf(const TargetReport& report)
{
    const SupportCount& whole = report.support.whole;
    const SupportCount& needed = report.support.needed;
    const auto share = [](const SupportCount& count) {
        return u"%1 of %2"_s.arg(count.missing).arg(counted(std::int64_t(count.nodes), u"node"_s));
    };
    if (whole.missing == 0)
        return u"Every node has a kernel there. Limits that show when it runs are not checked."_s;
    QString text = share(whole) +
                   (whole.missing == 1 ? u" has no kernel there"_s : u" have no kernel there"_s);
    if (!report.outputs.empty())
        text += needed.missing == 0 ? u"; none of them is between the inputs and outputs"_s
                                    : u"; between inputs and outputs %1"_s.arg(share(needed));
    return text;
}

// Chooses the inputs with which the step was tried.
void chooseInputs(InterfaceSession& interface, const std::vector<std::string>& now,
                  const std::vector<std::string>& wanted)
{
    const auto isIn = [](const std::vector<std::string>& names, const std::string& name) {
        return std::ranges::find(names, name) != names.end();
    };
    for (const std::string& name : wanted)
        if (!isIn(now, name))
            interface.mark(InterfaceSide::Inputs, name, true);
    for (const std::string& name : now)
        if (!isIn(wanted, name))
            interface.mark(InterfaceSide::Inputs, name, false);
}

} // namespace

TargetDock::TargetDock(QObject* parent)
    : QObject(parent)
    , m_panel(new TargetPanel)
{
    m_panel->setTargets(targetTexts());
    connect(m_panel, &TargetPanel::targetChosen, this, &TargetDock::choose);
    connect(m_panel, &TargetPanel::remedyRequested, this, &TargetDock::addRemedy);
    connect(m_panel, &TargetPanel::nodeActivated, this, [this](NodeId node) {
        if (m_document && m_shown && m_shown->graph == m_document->graph())
            emit itemRequested(ItemId::of(node));
    });
}

void TargetDock::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    if (document != nullptr) {
        connect(&document->target(), &TargetSession::changed, this, &TargetDock::show);
        connect(&document->target(), &TargetSession::busyChanged, this, &TargetDock::showState);
    }
    show();
}

void TargetDock::choose(int number)
{
    if (m_document)
        m_document->target().setTarget(number < 0 ? nullptr : &allTargets()[std::size_t(number)]);
    else
        m_panel->setTarget(-1);
}

void TargetDock::show()
{
    m_panel->setTarget(m_document ? numberOf(m_document->target().target()) : -1);
    const TargetReportPtr report = m_document ? m_document->target().report() : nullptr;
    if (report != m_shown) {
        m_shown = report;
        m_panel->setFindings(report ? findingRows(*report) : std::vector<TargetFinding>());
        m_panel->setRemedies(report ? remedyRows(*report) : std::vector<TargetRemedy>());
        emit factsChanged();
    }
    showState();
}

void TargetDock::showState()
{
    if (!m_document || m_document->target().target() == nullptr)
        return m_panel->setSummary(u"Choose the target device"_s);
    const TargetSession& session = m_document->target();
    if (!session.failure().isEmpty())
        return m_panel->setSummary(session.failure(), true);
    const QString title = session.jobTitle();
    if (!m_shown)
        return m_panel->setSummary(
            title.isEmpty()
                ? u"A function cannot be loaded on its own: go back to the whole graph (Alt+Up)"_s
                : title + u" \u2026"_s);
    m_panel->setSummary(summaryOf(*m_shown) +
                        (title.isEmpty() ? QString() : u" \u00B7 "_s + title + u" \u2026"_s));
}

// The remedies above this one were tried before it, so they are added first.
void TargetDock::addRemedy(int number)
{
    if (!m_document || !m_shown || !m_shown->plan || m_shown->graph != m_document->graph())
        return;
    const TargetReportPtr report = m_shown;
    const std::vector<Remedy>& remedies = report->plan->remedies;
    if (remedies[std::size_t(number)].kind == Remedy::Kind::Freeze)
        return emit actionRequested("recipe.freeze");
    RecipeSession& recipe = m_document->recipe();
    RecipeDraft draft = recipe.draft();
    std::size_t at = recipe.shown();
    std::vector<std::string> inputs = report->inputs;
    for (std::size_t i = 0; i <= std::size_t(number); ++i) {
        if (remedies[i].kind != Remedy::Kind::Pass)
            continue;
        draft = withAppliedItem(std::move(draft), at++, {remedies[i].step, true});
        if (remedies[i].step.pass == "strip_unused")
            inputs = remedies[i].inputs;
    }
    chooseInputs(m_document->interface(), report->inputs, inputs);
    recipe.change(std::move(draft));
    recipe.show(at);
}

FactSections targetFacts(const Document& document, ItemId item)
{
    const TargetReportPtr& report = document.target().report();
    if (!report || !item.isValid() || !item.isNode() || report->graph != document.graph())
        return {};
    for (const SupportFinding& finding : report->support.findings) {
        if (std::ranges::find(finding.nodes, item.node()) == finding.nodes.end())
            continue;
        const QString name = plainText(report->target->name);
        FactSection section{u"Target"_s, name, {}};
        section.facts.push_back({isMissing(finding.fault) ? u"no kernel"_s : u"not certain"_s,
                                 plainText(finding.why),
                                 plainText(finding.types),
                                 plainText(report->target->title),
                                 {}});
        return {std::move(section)};
    }
    return {};
}

} // namespace lapidary
