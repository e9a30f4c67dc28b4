// SPDX-License-Identifier: Apache-2.0
#include "app/actions/handbook_window.h"
#include "tests/catch.h"

#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QWidget>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

void writePage(const QTemporaryDir& folder, const QString& name, const QByteArray& text)
{
    QFile page(folder.filePath(name));
    REQUIRE(page.open(QIODevice::WriteOnly));
    page.write(text);
}

} // namespace

TEST_CASE("the handbook has contents, and a search that leaves the pages that hold it", "[window]")
{
    const QTemporaryDir folder;
    writePage(folder, u"index.md"_s, "# Start\n\n- [Opening](opening.md)\n  - [Keys](keys.md)\n");
    writePage(folder, u"opening.md"_s, "# Opening\n\nDrop a file.\n");
    writePage(folder, u"keys.md"_s, "# Keys\n\nPress a button.\n");
    QWidget window;
    showHandbook(&window, folder.filePath(u"index.md"_s));
    auto* handbook = window.findChild<QDialog*>(u"handbook"_s);
    REQUIRE(handbook != nullptr);
    auto* contents = handbook->findChild<QListWidget*>(u"handbookContents"_s);
    auto* page = handbook->findChild<QTextBrowser*>();
    REQUIRE(contents->count() == 3);
    CHECK(contents->item(1)->text() == u"Opening"_s);
    CHECK(page->toPlainText().contains(u"Start"_s));
    handbook->findChild<QLineEdit*>(u"handbookSearch"_s)->setText(u"BUTTON"_s);
    CHECK(contents->item(0)->isHidden());
    CHECK(contents->item(1)->isHidden());
    CHECK(contents->currentItem()->text() == u"Keys"_s);
    CHECK(page->toPlainText().contains(u"Press a button"_s));
    CHECK(page->textCursor().selectedText() == u"button"_s);
}
