// SPDX-License-Identifier: Apache-2.0
#include "app/window/notes/note_controller.h"

#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"
#include "views/panels/notes/note_panel.h"

#include <QMainWindow>

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

ItemId itemAt(const Document& document, const NoteSession::Place& place)
{
    const PreparationPtr& preparation = document.picture().preparation();
    if (!document.graph() || !preparation)
        return {};
    if (place.isScope) {
        const GroupId group = preparation->tree().find(place.name);
        return group.isValid() ? ItemId::of(group) : ItemId{};
    }
    const NodeId node = document.graph()->find(place.name);
    return node.isValid() ? ItemId::of(node) : ItemId{};
}

std::optional<NoteSession::Place> selectedPlace(const Document& document)
{
    const ItemId item = document.selection().item();
    const PreparationPtr& preparation = document.picture().preparation();
    if (!item.isValid() || !preparation || preparation->sharedGraph() != document.graph())
        return {};
    if (item.isNode())
        return NoteSession::Place{false, std::string(document.graph()->node(item.node()).name())};
    const std::string& path = preparation->tree().group(item.group()).path;
    return path.empty() ? std::nullopt : std::optional(NoteSession::Place{true, path});
}

} // namespace

NoteController::NoteController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new NotePanel)
{
    addTablePanel(parts, m_panel, TableGroup::Graph, u"Notes"_s, u"Notes and bookmarks (Alt+F2)"_s);
    connect(m_panel, &NotePanel::textEdited, this, [this](const QString& text) {
        if (m_document && m_selected)
            m_document->notes().setText(*m_selected, text.toStdString());
    });
    connect(m_panel, &NotePanel::rowEdited, this,
            [this](bool isScope, const QString& place, const QString& text) {
                if (m_document)
                    m_document->notes().setText({isScope, place.toStdString()}, text.toStdString());
            });
    connect(m_panel, &NotePanel::rowChosen, this, &NoteController::goTo);
    connect(parts.docks, &WindowDocks::documentChanged, this, &NoteController::setDocument);
}

void NoteController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    m_selected.reset();
    if (document != nullptr) {
        const auto showAll = [this] {
            showRows();
            showSelected();
        };
        connect(&document->notes(), &NoteSession::changed, this, showAll);
        connect(&document->picture(), &Picture::made, this, showAll);
        connect(&document->selection(), &ItemSelection::changed, this,
                &NoteController::showSelected);
    }
    showRows();
    showSelected();
}

void NoteController::showRows()
{
    std::vector<NoteRow> rows;
    if (m_document)
        for (const auto& [place, note] : m_document->notes().notes())
            rows.push_back({place.isScope, QString::fromStdString(place.name),
                            QString::fromStdString(note.text), note.isBookmark,
                            itemAt(*m_document, place).isValid()});
    m_panel->setRows(std::move(rows));
}

void NoteController::showSelected()
{
    m_selected = m_document ? selectedPlace(*m_document) : std::nullopt;
    if (!m_selected)
        return m_panel->setSelected({}, {}, false);
    const Note note = m_document->notes().noteOf(*m_selected);
    m_panel->setSelected(plainText(m_selected->name), QString::fromStdString(note.text),
                         note.isBookmark);
}

bool NoteController::hasSelected() const
{
    return m_document && m_selected;
}

void NoteController::show()
{
    m_parts.docks->showTable(m_panel);
}

bool NoteController::isShown() const
{
    return m_parts.docks->isTableShown(m_panel);
}

void NoteController::edit()
{
    show();
    m_panel->editText();
}

void NoteController::toggleBookmark()
{
    if (!hasSelected())
        return;
    NoteSession& notes = m_document->notes();
    const bool isBookmark = !notes.noteOf(*m_selected).isBookmark;
    notes.setBookmark(*m_selected, isBookmark);
    showSelected(); // a button that was pressed shows the actual state again
    m_parts.status->notice(isBookmark ? u"Bookmarked"_s : u"No longer a bookmark"_s);
}

void NoteController::goTo(bool isScope, const QString& name)
{
    if (!m_document)
        return;
    const ItemId item = itemAt(*m_document, {isScope, name.toStdString()});
    if (item.isValid())
        m_parts.tabs->view()->goTo(item);
    else
        m_parts.status->notice(u"%1 is not in the shown graph"_s.arg(name));
}

} // namespace lapidary
