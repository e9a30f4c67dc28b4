// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/note_model.h"
#include "views/panels/base/headed_panel.h"

class QLineEdit;
class QPushButton;

namespace lapidary {

class PanelTable;

// The notes and bookmarks of a graph, and a field for the note of the selected box.
class NotePanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit NotePanel(QWidget* parent = nullptr);

    void setRows(std::vector<NoteRow> rows);
    // Shows the note of the selected box; an empty name: nothing is selected.
    void setSelected(const QString& name, const QString& text, bool isBookmark);
    void editText(); // gives the field the focus

signals:
    void textEdited(const QString& text); // of the selected box
    void rowEdited(bool isScope, const QString& place, const QString& text);
    void rowChosen(bool isScope, const QString& place);

private:
    void buildTable();

    NoteModel* m_model;
    PanelTable* m_table = nullptr;
    QLineEdit* m_text = nullptr;
    QPushButton* m_bookmark = nullptr;
};

} // namespace lapidary
