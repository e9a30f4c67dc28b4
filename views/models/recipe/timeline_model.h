// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractListModel>

#include <vector>

namespace lapidary {

// One state on the timeline.
struct TimelineEntry {
    enum class Tone { Muted, Good, Warning, Problem };
    QString title;   // "fold batch norms"
    QString facts;   // "791 nodes · 97.2 MB"
    QString verdict; // "same numbers"
    Tone tone = Tone::Muted;
    QString help;          // everything about the state, for the tooltip
    bool isGhost = false;  // not applied yet: a preview
    std::size_t items = 0; // number of recipe steps that lead to it

    bool operator==(const TimelineEntry&) const = default;
};

// The states from the original to the last one, and a preview of the next one.
class TimelineModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum DataRole { FactsRole = Qt::UserRole + 1, VerdictRole, ToneRole, GhostRole, ShownRole };
    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<TimelineEntry> entries, int shown);
    const std::vector<TimelineEntry>& entries() const { return m_entries; }
    int shown() const { return m_shown; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<TimelineEntry> m_entries;
    int m_shown = -1;
};

} // namespace lapidary
