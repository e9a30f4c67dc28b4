// SPDX-License-Identifier: Apache-2.0
#include "views/panels/breadcrumb_bar.h"

#include "graph_model/scopes/local_name.h"
#include "views/models/display_text.h"

#include <QComboBox>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastCrumb = 36;
constexpr int lowHeight = 28;
constexpr int choiceHeight = 32;
constexpr int widestChoice = 320;
constexpr int choiceFrame = 48;       // width of the choice besides its text
constexpr std::size_t scopeLimit = 6; // deeper paths show their last parts

// Returns the maximum width of a text with which all texts fit; shorter ones are not
// cut.
int widestOf(std::vector<int> widths, int room)
{
    std::ranges::sort(widths);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const int share = room / int(widths.size() - i);
        if (widths[i] > share)
            return std::max(share, leastCrumb);
        room -= widths[i];
    }
    return widths.empty() ? room : widths.back();
}

} // namespace

BreadcrumbBar::BreadcrumbBar(QWidget* parent)
    : QWidget(parent)
    , m_crumbs(new QWidget(this))
    , m_row(new QHBoxLayout(m_crumbs))
    , m_entries(new QComboBox(this))
{
    setObjectName(u"breadcrumb"_s);
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(lowHeight);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(0);
    m_crumbs->setObjectName(u"crumbs"_s);
    m_crumbs->setMinimumWidth(0);
    m_crumbs->installEventFilter(this);
    m_crumbs->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_entries->setObjectName(u"graphChoice"_s);
    m_entries->setAccessibleName(u"Graph of the file"_s);
    m_entries->setToolTip(u"Which graph of the file is shown"_s);
    m_entries->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_entries->setMaximumWidth(widestChoice);
    m_entries->hide();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(m_crumbs, 1);
    row->addWidget(m_entries);
    connect(m_entries, &QComboBox::activated, this, &BreadcrumbBar::entryChosen);
}

void BreadcrumbBar::setGraphs(const QStringList& path)
{
    m_path = path;
    rebuild();
}

void BreadcrumbBar::setItem(const GraphPtr& graph, const ScopeTreePtr& tree, ItemId item)
{
    m_items.clear();
    if (graph && tree && item.isValid() && item != ItemId::of(rootGroup)) {
        const QString name = item.isNode() ? plainText(localName(*tree, *graph, item.node()))
                                           : plainText(tree->group(item.group()).name);
        const QString tip = item.isNode() ? plainText(graph->node(item.node()).name())
                                          : plainText(tree->group(item.group()).path);
        m_items.push_back({name, tip, -1, item});
        for (GroupId at = tree->parentOf(item); at.isValid() && at != rootGroup;
             at = tree->group(at).parent)
            m_items.push_back({plainText(tree->group(at).name), plainText(tree->group(at).path), -1,
                               ItemId::of(at)});
        std::reverse(m_items.begin(), m_items.end());
        if (m_items.size() > scopeLimit)
            m_items.erase(m_items.begin(), m_items.end() - scopeLimit);
    }
    rebuild();
}

void BreadcrumbBar::setEntries(const QStringList& titles, int current)
{
    m_entries->clear();
    const QFontMetrics metrics = m_entries->fontMetrics();
    for (const QString& title : titles) {
        m_entries->addItem(metrics.elidedText(title, Qt::ElideMiddle, widestChoice - choiceFrame));
        m_entries->setItemData(m_entries->count() - 1, title, Qt::ToolTipRole);
    }
    m_entries->setCurrentIndex(current);
    m_entries->setVisible(titles.size() > 1);
    setFixedHeight(titles.size() > 1 ? choiceHeight : lowHeight);
}

void BreadcrumbBar::addCrumb(const Crumb& crumb, bool isLast)
{
    if (m_row->count() > 0) {
        auto* separator = new QLabel(u"\u203A"_s, m_crumbs);
        separator->setProperty("muted", true);
        m_row->addWidget(separator);
    }
    auto* button = new QToolButton(m_crumbs);
    button->setAutoRaise(true);
    button->setProperty("crumb", isLast ? u"last"_s : u"path"_s);
    QFont f = button->font();
    f.setWeight(isLast ? QFont::DemiBold : QFont::Normal);
    button->setFont(f);
    button->setText(crumb.text);
    button->setToolTip(crumb.tip);
    button->setAccessibleName(u"Go to "_s + crumb.text);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, [this, depth = crumb.depth, item = crumb.item] {
        if (depth >= 0)
            emit graphActivated(depth);
        else
            emit itemActivated(item);
    });
    m_row->addWidget(button);
    m_shown.push_back({button, crumb.text});
}

void BreadcrumbBar::rebuild()
{
    while (QLayoutItem* child = m_row->takeAt(0)) {
        if (child->widget() != nullptr) {
            child->widget()->hide();
            child->widget()->deleteLater(); // this may be called from the button's click
        }
        delete child;
    }
    m_shown.clear();
    std::vector<Crumb> crumbs;
    for (int i = 0; i < m_path.size(); ++i)
        crumbs.push_back({m_path[i], m_path[i], i, {}});
    crumbs.insert(crumbs.end(), m_items.begin(), m_items.end());
    for (std::size_t i = 0; i < crumbs.size(); ++i)
        addCrumb(crumbs[i], i + 1 == crumbs.size());
    m_row->addStretch(1);
    fit();
}

// Cuts the longest texts if not all fit.
void BreadcrumbBar::fit()
{
    std::vector<int> widths;
    int room = m_crumbs->width();
    for (int i = 0; i < m_row->count(); ++i)
        if (const QWidget* widget = m_row->itemAt(i)->widget())
            room -= qobject_cast<const QLabel*>(widget) != nullptr ? widget->sizeHint().width() : 0;
    for (const Shown& shown : m_shown) {
        widths.push_back(shown.button->fontMetrics().horizontalAdvance(shown.text));
        shown.button->setText(shown.text);
        room -= shown.button->sizeHint().width() - widths.back();
    }
    const int widest = widestOf(widths, room);
    for (std::size_t i = 0; i < m_shown.size(); ++i)
        if (widths[i] > widest)
            m_shown[i].button->setText(m_shown[i].button->fontMetrics().elidedText(
                m_shown[i].text, Qt::ElideMiddle, widest));
}

bool BreadcrumbBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fit();
    return QWidget::eventFilter(watched, event);
}

} // namespace lapidary
