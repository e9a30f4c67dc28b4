// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace lapidary {

struct LegendEntry {
    enum class Mark { Swatch, ControlEdge, BackEdge, Stack, Dot, Ramp, TwoSidedRamp };
    Mark mark = Mark::Swatch;
    QColor fill;
    QColor outline;
    QString text;
    QString tip;
    QString before = {}; // for a ramp: its dark end
};

// Explains the colors and lines of the picture. Entries that do not fit are counted at the end ("2
// more"); the note at the right is dropped first.
class LegendBar : public QWidget {
    Q_OBJECT
public:
    explicit LegendBar(QWidget* parent = nullptr);

    void setEntries(std::vector<LegendEntry> entries);
    void setNote(const QString& note); // "529 nodes, 106 folded into others"
    const std::vector<LegendEntry>& entries() const { return m_entries; }
    std::size_t shownCount() const; // number of entries that fit; the others are counted

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int entryWidth(const LegendEntry& entry) const;
    void paintRamp(QPainter& painter, const LegendEntry& entry, int x) const;
    std::vector<LegendEntry> m_entries;
    QString m_note;
};

} // namespace lapidary
