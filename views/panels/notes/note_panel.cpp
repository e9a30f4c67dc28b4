// SPDX-License-Identifier: Apache-2.0
#include "views/panels/notes/note_panel.h"

#include "views/panels/base/obstacle.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/table_panels.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int noteFieldWidth = 320;

} // namespace

NotePanel::NotePanel(QWidget* parent)
    : HeadedPanel(u"note"_s, u"Notes"_s, parent)
    , m_model(new NoteModel(this))
    , m_text(new QLineEdit(&head()))
{
    m_text->setObjectName(u"noteText"_s);
    m_text->setAccessibleName(u"Note of the selected box"_s);
    m_text->setPlaceholderText(u"A note; Enter keeps it"_s);
    m_text->setMinimumWidth(noteFieldWidth);
    head().add(m_text);
    m_bookmark =
        head().addButton(u"noteBookmark"_s, u"\u2605 Bookmark"_s,
                         u"Lists the selected box among the bookmarks (M)"_s, "note.bookmark");
    m_bookmark->setCheckable(true);
    buildTable();
    column().addWidget(m_table, 1);
    connect(m_text, &QLineEdit::editingFinished, this, [this] { emit textEdited(m_text->text()); });
    connect(m_model, &NoteModel::textEdited, this, &NotePanel::rowEdited);
    setSelected({}, {}, false);
}

void NotePanel::buildTable()
{
    m_table = new PanelTable(u"Notes and bookmarks"_s, this);
    m_table->setObjectName(u"noteTable"_s);
    m_table->setModel(m_model);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(NoteModel::BookmarkColumn, 44);
    m_table->setColumnWidth(NoteModel::PlaceColumn, 320);
    const auto choose = [this](const QModelIndex& index) {
        if (const NoteRow* at = m_model->row(index.row()))
            emit rowChosen(at->isScope, at->place);
    };
    connect(m_table, &QTableView::clicked, this, choose);
    connect(m_table, &QTableView::activated, this, choose);
}

void NotePanel::setRows(std::vector<NoteRow> rows)
{
    m_model->setRows(std::move(rows));
}

void NotePanel::setSelected(const QString& name, const QString& text, bool isBookmark)
{
    setRemark(name.isEmpty() ? u"Select a node or scope to write a note"_s : name, false);
    const QSignalBlocker blocker(m_text);
    if (m_text->text() != text)
        m_text->setText(text);
    const QString why = name.isEmpty() ? u"Select a node or scope first"_s : QString();
    setObstacle(*m_text, why);
    setObstacle(*m_bookmark, why);
    m_bookmark->setChecked(isBookmark);
}

void NotePanel::editText()
{
    m_text->setFocus();
    m_text->selectAll();
}

} // namespace lapidary
