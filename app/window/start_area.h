// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QThreadPool;
class QTimer;
class QWidget;

namespace lapidary {

class SamplePictures;
class StartPage;
struct WindowParts;

// The area that is shown while no file is open: recent files and samples, with pictures.
class StartArea : public QObject {
    Q_OBJECT
public:
    StartArea(QThreadPool& pool, const WindowParts& parts, QWidget* parent);

    QWidget* page() const;
    void setShown(bool isShown); // while it is, pictures of samples are made
    void renew();
    bool isBusy() const;

private:
    void drawSamples();

    const WindowParts& m_parts;
    StartPage* m_page;
    SamplePictures* m_samples;
    QTimer* m_drawSamples; // waits, since a file may be opened at once
};

} // namespace lapidary
