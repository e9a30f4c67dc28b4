// SPDX-License-Identifier: Apache-2.0
#include "app/actions/handbook_window.h"

#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pageMargin = 24;
constexpr int contentsWidth = 220;

QString textOf(const QString& file)
{
    QFile page(file);
    return page.open(QIODevice::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
}

// Shows pages with their pictures no wider than the window.
class PageBrowser : public QTextBrowser {
public:
    QVariant loadResource(int type, const QUrl& name) override
    {
        const QVariant found = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::ImageResource)
            return found;
        QImage picture = found.value<QImage>();
        if (picture.isNull() && !picture.loadFromData(found.toByteArray()))
            return found;
        const int bar =
            verticalScrollBar()->isVisible() ? 0 : verticalScrollBar()->sizeHint().width();
        const int room = std::max(viewport()->width() - bar - 2 * pageMargin, 100);
        return picture.width() > room ? picture.scaledToWidth(room, Qt::SmoothTransformation)
                                      : picture;
    }
};

class HandbookWindow : public QDialog {
public:
    HandbookWindow(QWidget* window, const QString& firstPage)
        : QDialog(window)
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setObjectName(u"handbook"_s);
        setWindowTitle(u"Handbook"_s);
        makeContents();
        m_page->setAccessibleName(u"Handbook"_s);
        m_page->setFrameShape(QFrame::NoFrame);
        m_page->document()->setDocumentMargin(pageMargin);
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(8, 8, 0, 0);
        row->addLayout(m_left);
        row->addWidget(m_page, 1);
        addPages(firstPage);
        connect(m_list, &QListWidget::currentItemChanged, this,
                [this](const QListWidgetItem* item) { open(item); });
        connect(m_search, &QLineEdit::textChanged, this, [this] { filter(); });
        connect(m_search, &QLineEdit::returnPressed, this, [this] { findInPage(); });
        connect(m_back, &QPushButton::clicked, m_page, &QTextBrowser::backward);
        connect(m_page, &QTextBrowser::backwardAvailable, m_back, &QWidget::setEnabled);
        connect(m_page, &QTextBrowser::sourceChanged, this,
                [this](const QUrl& page) { follow(page); });
    }

    void begin()
    {
        show();
        m_list->setCurrentRow(0); // the page has its width now
        m_search->setFocus();
    }

private:
    void makeContents()
    {
        m_search->setObjectName(u"handbookSearch"_s);
        m_search->setAccessibleName(u"Search in the handbook"_s);
        m_search->setPlaceholderText(u"Search"_s);
        m_search->setClearButtonEnabled(true);
        m_list->setObjectName(u"handbookContents"_s);
        m_list->setAccessibleName(u"Contents"_s);
        m_list->setFrameShape(QFrame::NoFrame);
        m_list->setSpacing(2);
        for (QWidget* widget : {static_cast<QWidget*>(m_search), static_cast<QWidget*>(m_list)})
            widget->setFixedWidth(contentsWidth);
        m_back->setEnabled(false);
        m_back->setAutoDefault(false);
        m_left->addWidget(m_search);
        m_left->addWidget(m_list, 1);
        m_left->addWidget(m_back);
        m_left->setContentsMargins(0, 0, 0, 8);
    }

    void addPages(const QString& firstPage)
    {
        addPage(u"Lapidary"_s, firstPage);
        static const QRegularExpression link(u"^\\s*- \\[([^\\]]+)\\]\\(([^)]+\\.md)\\)"_s,
                                             QRegularExpression::MultilineOption);
        const QString folder = QFileInfo(firstPage).absolutePath() + u'/';
        for (auto found = link.globalMatch(textOf(firstPage)); found.hasNext();) {
            const QRegularExpressionMatch one = found.next();
            addPage(one.captured(1), folder + one.captured(2));
        }
    }

    void addPage(const QString& title, const QString& file)
    {
        auto* item = new QListWidgetItem(title, m_list);
        item->setData(Qt::UserRole, QFileInfo(file).absoluteFilePath());
        item->setData(Qt::UserRole + 1, title + u'\n' + textOf(file));
    }

    void open(const QListWidgetItem* item)
    {
        if (item == nullptr)
            return;
        const QUrl page = QUrl::fromLocalFile(item->data(Qt::UserRole).toString());
        if (m_page->source().adjusted(QUrl::RemoveFragment) != page)
            m_page->setSource(page, QTextDocument::MarkdownResource);
        findInPage();
    }

    // Lists the pages that contain the text, and shows the first one.
    void filter()
    {
        QListWidgetItem* first = nullptr;
        for (int i = 0; i < m_list->count(); ++i) {
            QListWidgetItem* item = m_list->item(i);
            const bool holds = item->data(Qt::UserRole + 1)
                                   .toString()
                                   .contains(m_search->text(), Qt::CaseInsensitive);
            item->setHidden(!holds);
            first = first == nullptr && holds ? item : first;
        }
        if (first != nullptr &&
            (m_list->currentItem() == nullptr || m_list->currentItem()->isHidden()))
            m_list->setCurrentItem(first);
        else
            findInPage();
    }

    // Marks the next occurrence of the text in the page, wrapping around at the end.
    void findInPage()
    {
        if (m_search->text().isEmpty() || m_page->find(m_search->text()))
            return;
        m_page->moveCursor(QTextCursor::Start);
        m_page->find(m_search->text());
    }

    void follow(const QUrl& page)
    {
        const QString file = QFileInfo(page.toLocalFile()).absoluteFilePath();
        for (int i = 0; i < m_list->count(); ++i)
            if (m_list->item(i)->data(Qt::UserRole).toString() == file)
                m_list->setCurrentRow(i);
    }

    QVBoxLayout* m_left = new QVBoxLayout;
    QLineEdit* m_search = new QLineEdit(this);
    QListWidget* m_list = new QListWidget(this);
    QPushButton* m_back = new QPushButton(u"Back"_s, this);
    PageBrowser* m_page = new PageBrowser;
};

} // namespace

void showHandbook(QWidget* window, const QString& firstPage)
{
    auto* handbook = new HandbookWindow(window, firstPage);
    handbook->resize(1000, 680);
    handbook->begin();
}

} // namespace lapidary
