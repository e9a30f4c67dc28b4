// SPDX-License-Identifier: Apache-2.0
#include "app/actions/key_list.h"

#include "app/actions/action_sections.h"
#include "app/actions/action_set.h"

#include <QDialog>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString keyText(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
}

QTreeWidgetItem* addHeading(QTreeWidget* list, const QString& title)
{
    auto* heading = new QTreeWidgetItem(list, {title});
    QFont bold = list->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(0, bold);
    heading->setExpanded(true);
    return heading;
}

QDialog* plainDialog(QWidget* window, const QString& title, QWidget* content, QSize size)
{
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(content);
    dialog->resize(size);
    dialog->show();
    return dialog;
}

} // namespace

void showKeyList(QWidget* window, ActionTables tables)
{
    auto* list = new QTreeWidget;
    list->setAccessibleName(u"Keys"_s);
    list->setColumnCount(3);
    list->setHeaderLabels({u"Action"_s, u"Key"_s, u"What it does"_s});
    list->setRootIsDecorated(false);
    list->setFrameShape(QFrame::NoFrame);
    for (const ActionSection& section : actionSections(tables)) {
        QTreeWidgetItem* heading = nullptr; // only for menus that have actions with keys
        for (const ActionSpec* spec : section.actions) {
            if (spec->key.empty())
                continue;
            if (heading == nullptr)
                heading = addHeading(list, keyText(section.title));
            new QTreeWidgetItem(heading,
                                {keyText(spec->label), keyText(*spec), keyText(spec->help)});
        }
    }
    list->resizeColumnToContents(0);
    list->resizeColumnToContents(1);
    plainDialog(window, u"Keys"_s, list, {760, 560})->setObjectName(u"keyList"_s);
}

} // namespace lapidary
