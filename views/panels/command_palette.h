// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

class QLineEdit;
class QListView;
class QStandardItemModel;

namespace lapidary {

struct PaletteEntry {
    QString id;
    QString label;
    QString key; // as shown to people
    QString help;
    QString obstacle = {}; // the reason why it cannot be done now; empty: it can
};

// Returns the entries whose label, ID or help contains the letters of every typed word. Labels that
// begin with it come first; disabled entries come last.
std::vector<PaletteEntry> matchingEntries(const std::vector<PaletteEntry>& entries,
                                          const QString& typed);

// The list of all actions by name: it floats at the top of the window, filters while the user
// types, and runs the chosen action on Enter.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent = nullptr);

    void open(std::vector<PaletteEntry> entries);
    int visibleEntries() const;

signals:
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void accept();

    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_field;
    QListView* m_list;
    QStandardItemModel* m_model;
};

} // namespace lapidary
