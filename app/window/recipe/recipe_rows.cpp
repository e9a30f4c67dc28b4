// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/recipe_rows.h"

#include "views/models/display_text.h"
#include "views/models/recipe/pass_list_model.h"

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

using ItemStatus = RecipeSession::Status;

RecipeRow::Status rowStatus(ItemStatus status)
{
    switch (status) {
    case ItemStatus::Off: return RecipeRow::Status::Off;
    case ItemStatus::Pending: return RecipeRow::Status::Pending;
    case ItemStatus::Waiting: return RecipeRow::Status::Waiting;
    case ItemStatus::Applied: return RecipeRow::Status::Applied;
    case ItemStatus::Failed: return RecipeRow::Status::Failed;
    case ItemStatus::Blocked: return RecipeRow::Status::Blocked;
    }
    return RecipeRow::Status::Pending;
}

QString argumentsText(const RecipeStep& step)
{
    QStringList texts;
    for (const auto& [name, value] : step.parameters.entries())
        texts.append(name == "op" || name == "attribute_name"
                         ? plainText(value)
                         : plainText(name) + u'=' + plainText(value));
    return texts.join(u", "_s);
}

// Returns "\u221214", "+212", "0".
QString differenceText(std::size_t before, std::size_t after)
{
    const auto count = std::int64_t(after) - std::int64_t(before);
    return count < 0 ? u"\u2212"_s + exactText(-count)
                     : (count > 0 ? u"+"_s : QString()) + exactText(count);
}

QString foundText(const TimelineState& state)
{
    if (!state.isWhole())
        return u"fails"_s;
    if (state.pass != nullptr && state.pass->find != nullptr)
        return exactText(std::int64_t(state.matches())) + u" found"_s;
    return counted(std::int64_t(state.edit.changes), u"change"_s);
}

QString noteOf(const RecipeSession::Place& place)
{
    if (!place.state)
        return {};
    const TimelineState& state = *place.state;
    if (!state.isWhole())
        return plainText(state.fault);
    if (!state.ignoredError.empty())
        return u"left out: "_s + plainText(state.ignoredError);
    if (state.edit.changes > 0)
        return {};
    const auto misses = std::int64_t(state.nearMisses());
    return misses > 0
               ? u"nothing to rewrite; %1"_s.arg(counted(misses, u"near miss"_s, u"near misses"_s))
               : QString();
}

QString factsOf(std::size_t nodes, std::uint64_t bytes)
{
    return counted(std::int64_t(nodes), u"node"_s) + u" \u00B7 "_s + bytesText(bytes);
}

QString titleOf(const RecipeStep& step)
{
    return plainText(step.pass).replace(u'_', u' ');
}

TimelineEntry::Tone toneOf(const Verdict& verdict)
{
    switch (verdict.kind) {
    case Verdict::Kind::Same: return TimelineEntry::Tone::Good;
    case Verdict::Kind::Differs:
        return verdict.grade == Grade::Broken ? TimelineEntry::Tone::Problem
                                              : TimelineEntry::Tone::Warning;
    default: return TimelineEntry::Tone::Muted;
    }
}

// Returns a remark if quantizing made the model larger; else an empty text.
QString growthText(const RecipeSession& session, std::size_t item)
{
    const std::uint64_t bytes = session.places()[item].state->bytes;
    const bool quantizes = std::ranges::any_of(
        session.items().begin(), session.items().begin() + std::ptrdiff_t(item) + 1,
        [](const auto& each) {
            return each.step.pass == "quantize_nodes" || each.step.pass == "quantize_weights";
        });
    return quantizes && session.baseBytes() > 0 && bytes > session.baseBytes()
               ? u"8 bits do not pay off: the file grows from %1 to %2."_s.arg(
                     bytesText(session.baseBytes()), bytesText(bytes))
               : QString();
}

TimelineEntry entryOf(const RecipeSession& session, std::size_t item)
{
    const RecipeSession::Place& place = session.places()[item];
    TimelineEntry entry;
    entry.items = item + 1;
    entry.title = titleOf(session.items()[item].step);
    entry.isGhost = place.status == ItemStatus::Pending;
    entry.help = plainText(printRecipe({session.items()[item].step}));
    if (!place.state) {
        entry.facts = entry.isGhost ? u"looking \u2026"_s : u"running \u2026"_s;
        return entry;
    }
    const TimelineState& state = *place.state;
    if (!state.isWhole()) {
        entry.facts = entry.isGhost ? u"would fail"_s : u"failed"_s;
        entry.tone = TimelineEntry::Tone::Problem;
        entry.verdict = entry.isGhost ? QString() : u"failed"_s;
        entry.help += u'\n' + plainText(state.fault);
        return entry;
    }
    entry.facts = factsOf(state.graph()->size(), state.bytes);
    if (const QString growth = growthText(session, item); !growth.isEmpty()) {
        entry.facts += u" \u00B7 grows"_s;
        entry.help += u'\n' + growth;
    }
    if (entry.isGhost)
        return entry;
    const Verdict verdict = session.verdicts().of(state);
    entry.verdict = session.verdicts().isOn() ? verdictText(verdict) : u"valid"_s;
    entry.tone = toneOf(verdict);
    entry.help += u"\n%1 in %2\nValid: its wiring and types were checked.\n"_s.arg(
                      counted(std::int64_t(state.edit.changes), u"change"_s),
                      durationText(state.seconds * 1000)) +
                  verdictHelp(verdict);
    return entry;
}

} // namespace

QString verdictText(const Verdict& verdict)
{
    switch (verdict.kind) {
    case Verdict::Kind::Pending: return {};
    case Verdict::Kind::Running: return u"comparing \u2026"_s;
    case Verdict::Kind::Same: return u"same numbers"_s;
    case Verdict::Kind::Unknown: return u"valid, not run"_s;
    case Verdict::Kind::Differs: break;
    }
    if (!verdict.why.empty())
        return u"other shapes"_s;
    const QString grade = verdict.grade == Grade::Broken ? u"broken"_s : u"small loss"_s;
    if (!std::isfinite(verdict.sqnrDb))
        return grade;
    const double decibels = std::round(verdict.sqnrDb) + 0.0; // makes -0 to 0
    const QString number = QString::number(decibels, 'f', 0).replace(u'-', QChar(0x2212));
    const QString about = verdict.isCutShort ? u"\u2248"_s : QString();
    return u"%1, %2%3 dB"_s.arg(grade, about, number);
}

QString verdictHelp(const Verdict& verdict)
{
    QString text;
    switch (verdict.kind) {
    case Verdict::Kind::Pending: return u"Not compared with the original yet."_s;
    case Verdict::Kind::Running: return u"Is being compared with the original."_s;
    case Verdict::Kind::Unknown:
        return u"Could not be run beside the original: "_s + plainText(verdict.why);
    case Verdict::Kind::Same: text = u"Computes the same numbers as the original"_s; break;
    case Verdict::Kind::Differs:
        text = verdict.grade == Grade::Broken
                   ? u"Broken: computes other numbers than the original"_s
                   : u"Small loss: computes nearly what the original does"_s;
        break;
    }
    if (verdict.compared > 0)
        text +=
            u", on %1; %2 compared"_s.arg(counted(std::int64_t(verdict.samples), u"random input"_s),
                                          counted(std::int64_t(verdict.compared), u"tensor"_s));
    text += u'.';
    if (verdict.isCutShort)
        text += u"\nTime or memory did not suffice for more inputs: another run may find other "
                u"figures. lapidary verify takes as many as you say on the command line."_s;
    if (verdict.kind == Verdict::Kind::Differs && std::isfinite(verdict.sqnrDb))
        text += u"\nSignal to noise ratio of the outputs: %1 dB."_s.arg(verdict.sqnrDb, 0, 'f', 1);
    if (!verdict.output.empty())
        text += u"\nLargest error of an output: %1, in %2."_s.arg(valueText(verdict.maxAbs, 3),
                                                                  plainText(verdict.output));
    if (!verdict.first.empty())
        text += u"\nThe first tensor that differs is %1, by %2."_s.arg(
            plainText(verdict.first), valueText(verdict.firstMaxAbs, 3));
    if (!verdict.firstLarge.empty() && verdict.firstLarge != verdict.first)
        text += u"\nThe first tensor with a large loss is %1."_s.arg(plainText(verdict.firstLarge));
    if (!verdict.reason.empty())
        text += u"\nThe reason: %1."_s.arg(plainText(verdict.reason));
    if (!verdict.why.empty())
        text += u'\n' + plainText(verdict.why);
    return text;
}

std::vector<RecipeRow> recipeRows(const RecipeSession& session)
{
    std::vector<RecipeRow> rows;
    for (std::size_t i = 0; i < session.places().size(); ++i) {
        const RecipeSession::Place& place = session.places()[i];
        const RecipeStep& step = session.items()[i].step;
        RecipeRow row;
        row.pass = plainText(step.pass);
        row.arguments = argumentsText(step);
        row.status = rowStatus(place.status);
        row.note = noteOf(place);
        row.isProblem =
            place.state && (!place.state->isWhole() || !place.state->ignoredError.empty());
        if (place.state && place.status == ItemStatus::Applied)
            row.count = differenceText(place.before->size(), place.state->graph()->size());
        else if (place.state && place.status == ItemStatus::Pending)
            row.count = foundText(*place.state);
        if (const Pass* pass = findPass(step.pass))
            row.help = plainText(pass->summary);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<TimelineEntry> timelineEntries(const RecipeSession& session)
{
    std::vector<TimelineEntry> entries;
    if (!session.base() || session.items().empty())
        return entries;
    TimelineEntry original;
    original.title = u"original"_s;
    original.facts = factsOf(session.base()->size(), session.baseBytes());
    original.help = u"The graph of the file, as it was read."_s;
    entries.push_back(std::move(original));
    for (std::size_t i = 0; i < session.places().size(); ++i) {
        const ItemStatus status = session.places()[i].status;
        const bool isNext = nextItem(session) == i;
        if (isNext || status == ItemStatus::Applied || status == ItemStatus::Waiting ||
            status == ItemStatus::Failed)
            entries.push_back(entryOf(session, i));
        if (isNext || status == ItemStatus::Failed)
            break;
    }
    return entries;
}

int shownEntry(const RecipeSession& session, const std::vector<TimelineEntry>& entries)
{
    int shown = entries.empty() ? -1 : 0;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (!entries[i].isGhost && entries[i].items <= session.shown())
            shown = int(i);
    return shown;
}

QString stepSummary(const RecipeSession& session, std::size_t item)
{
    if (item >= session.places().size() || !session.places()[item].state ||
        !session.places()[item].state->isWhole())
        return {};
    const TimelineState& state = *session.places()[item].state;
    const bool isApplied = session.places()[item].status == ItemStatus::Applied;
    const QString nodes = counted(std::int64_t(state.edit.changes), u"change"_s);
    if (state.edit.changes == 0 && state.findings.empty())
        return state.remark.empty() ? u"nothing to change here"_s : plainText(state.remark);
    if (state.pass == nullptr || state.pass->find == nullptr)
        return isApplied ? nodes + u" made"_s : nodes + u" to make"_s;
    const std::size_t places = isApplied ? state.edit.places : state.matches();
    QString text = counted(std::int64_t(places), u"place"_s) +
                   (isApplied ? u" rewritten"_s : u" to rewrite"_s) + u" \u00B7 "_s + nodes;
    if (const auto misses = std::int64_t(state.nearMisses()); misses > 0)
        text += u" \u00B7 "_s + counted(misses, u"near miss"_s, u"near misses"_s);
    return text;
}

} // namespace lapidary
