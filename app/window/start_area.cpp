// SPDX-License-Identifier: Apache-2.0
#include "app/window/start_area.h"

#include "app/actions/action_set.h"
#include "app/base/install_paths.h"
#include "app/document/file/state_store.h"
#include "app/window/base/sample_pictures.h"
#include "app/window/parts/document_opener.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/parts/window_parts.h"
#include "views/models/display_text.h"
#include "views/panels/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QFileInfoList sampleFiles()
{
    // The largest samples first: they have the most interesting pictures.
    const QDir folder(QString::fromStdString(samplesFolder().string()));
    return folder.entryInfoList({u"*.pb"_s}, QDir::Files, QDir::Size);
}

} // namespace

StartArea::StartArea(QThreadPool& pool, const WindowParts& parts, QWidget* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_page(new StartPage(parent))
    , m_samples(new SamplePictures(pool, this))
    , m_drawSamples(new QTimer(this))
{
    m_drawSamples->setSingleShot(true);
    connect(m_drawSamples, &QTimer::timeout, this, &StartArea::drawSamples);
    connect(m_samples, &SamplePictures::pictureMade, this, [this](const QString& path) {
        m_page->setPicture(path, m_samples->picture(path, m_parts.theme->theme().isDark));
    });
    connect(m_page, &StartPage::openRequested, this, [this] { m_parts.actions->run("file.open"); });
    connect(m_page, &StartPage::fileRequested, this,
            [this](const QString& path) { m_parts.opener->open(path); });
}

QWidget* StartArea::page() const
{
    return m_page;
}

void StartArea::setShown(bool isShown)
{
    if (isShown)
        return renew();
    m_drawSamples->stop();
    m_samples->stop();
}

bool StartArea::isBusy() const
{
    return m_drawSamples->isActive() || m_samples->isBusy();
}

void StartArea::renew()
{
    std::vector<StartEntry> recent;
    for (const RecentFile& file : m_parts.store->recentFiles())
        recent.push_back(
            {file.path, file.title, QFileInfo(file.path).absolutePath(), file.picture});
    std::vector<StartEntry> samples;
    for (const QFileInfo& file : sampleFiles())
        samples.push_back(
            {file.absoluteFilePath(), file.completeBaseName().replace(u'_', u' '),
             bytesText(std::uint64_t(file.size())),
             m_samples->picture(file.absoluteFilePath(), m_parts.theme->theme().isDark)});
    m_page->setEntries(recent, samples);
    m_drawSamples->start(0);
}

void StartArea::drawSamples()
{
    QStringList paths;
    for (const QFileInfo& file : sampleFiles())
        paths.append(file.absoluteFilePath());
    m_samples->request(paths);
}

} // namespace lapidary
