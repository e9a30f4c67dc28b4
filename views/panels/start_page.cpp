// SPDX-License-Identifier: Apache-2.0
#include "views/panels/start_page.h"

#include "views/panels/base/theme_of.h"

#include <QAbstractButton>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int cardWidth = 200;
constexpr int pictureHeight = 112;
constexpr int columns = 4;

} // namespace

// Draws a file as a picture, with its name and folder below.
class FileCard : public QAbstractButton {
public:
    FileCard(const StartEntry& entry, QWidget* parent)
        : QAbstractButton(parent)
        , m_entry(entry)
    {
        setObjectName(u"fileCard"_s);
        setText(entry.title);
        setAccessibleName(u"Open "_s + entry.title);
        setToolTip(entry.path);
        setFixedSize(cardWidth, pictureHeight + 52);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setCursor(Qt::PointingHandCursor);
    }

    void setPicture(const QImage& picture)
    {
        m_entry.picture = picture;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
        const Theme& theme = themeOf(*this);
        const bool isActive = hasFocus() || underMouse();
        painter.setBrush(theme[isActive ? Role::Hover : Role::Surface]);
        painter.setPen(QPen(theme[isActive ? Role::Accent : Role::Line], 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        const QRect frame(1, 1, width() - 2, pictureHeight);
        painter.fillRect(frame.adjusted(5, 5, -5, 0), theme[Role::Canvas]);
        if (!m_entry.picture.isNull()) {
            const QSize size =
                m_entry.picture.size().scaled(frame.size() - QSize(12, 8), Qt::KeepAspectRatio);
            QRect target(QPoint(), size);
            target.moveCenter(frame.center());
            painter.drawImage(target, m_entry.picture);
        } else {
            painter.setPen(theme[Role::TextMuted]);
            painter.drawText(frame, Qt::AlignCenter, u"no picture yet"_s);
        }
        const QRect text = rect().adjusted(10, pictureHeight + 6, -10, -6);
        const int line = fontMetrics().height() + 2;
        painter.setPen(theme[Role::Text]);
        painter.drawText(QRect(text.left(), text.top(), text.width(), line), Qt::AlignVCenter,
                         fontMetrics().elidedText(m_entry.title, Qt::ElideMiddle, text.width()));
        painter.setPen(theme[Role::TextMuted]);
        painter.drawText(QRect(text.left(), text.top() + line, text.width(), line),
                         Qt::AlignVCenter,
                         fontMetrics().elidedText(m_entry.detail, Qt::ElideMiddle, text.width()));
    }

private:
    StartEntry m_entry;
};

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    setObjectName(u"startPage"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_column->setContentsMargins(0, 0, 0, 0);
    setEntries({}, {});
}

QWidget* StartPage::buildSection(const QString& title, const std::vector<StartEntry>& entries)
{
    auto* section = new QWidget;
    auto* grid = new QGridLayout(section);
    grid->setContentsMargins(0, 12, 0, 0);
    grid->setSpacing(12);
    auto* heading = new QLabel(title, section);
    heading->setProperty("heading", true);
    grid->addWidget(heading, 0, 0, 1, columns);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto* card = new FileCard(entries[i], section);
        m_samples[entries[i].path] = card;
        connect(card, &QAbstractButton::clicked, this,
                [this, path = entries[i].path] { emit fileRequested(path); });
        grid->addWidget(card, 1 + int(i) / columns, int(i) % columns);
    }
    grid->setColumnStretch(columns, 1);
    return section;
}

void StartPage::setPicture(const QString& path, const QImage& picture)
{
    const auto card = m_samples.find(path);
    if (card != m_samples.end() && !picture.isNull())
        card->second->setPicture(picture);
}

void StartPage::setEntries(const std::vector<StartEntry>& recent,
                           const std::vector<StartEntry>& samples)
{
    if (m_content != nullptr) {
        m_content->hide();
        m_content->deleteLater();
    }
    m_samples.clear();
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    auto* page = new QWidget;
    page->setObjectName(u"startContent"_s);
    auto* column = new QVBoxLayout;
    auto* title = new QLabel(u"Lapidary"_s, page);
    title->setProperty("display", true);
    auto* tagline = new QLabel(u"Inspect, cut and polish TensorFlow graphs."_s, page);
    tagline->setProperty("muted", true);
    auto* open = new QPushButton(u"Open a model\u2026"_s, page);
    open->setObjectName(u"openButton"_s);
    open->setProperty("primary", true);
    open->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto* drop = new QLabel(
        u"or drop a model here: .pb, .pbtxt, .meta, .tflite, .onnx or a SavedModel folder"_s, page);
    drop->setProperty("muted", true);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(open);
    row->addWidget(drop);
    row->addStretch(1);
    column->addStretch(1);
    column->addWidget(title);
    column->addWidget(tagline);
    column->addSpacing(16);
    column->addLayout(row);
    if (!recent.empty())
        column->addWidget(buildSection(u"Recent"_s, recent));
    if (!samples.empty())
        column->addWidget(buildSection(u"Samples"_s, samples));
    column->addStretch(2);
    auto* centered = new QHBoxLayout(page);
    centered->setContentsMargins(32, 24, 32, 24);
    centered->addStretch(1);
    centered->addLayout(column);
    centered->addStretch(1);
    area->setWidget(page);
    m_content = area;
    m_column->addWidget(area);
}

} // namespace lapidary
