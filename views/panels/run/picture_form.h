// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace lapidary {

// The content of the form.
struct PictureFields {
    QString images;
    QString labels;
    QString truth;
    float mean = 0; // a pixel x becomes (x - mean) / std
    float std = 255;

    bool operator==(const PictureFields&) const = default;
};

// Returns "\u22121 to 1", the form's name of a scaling that it offers; else an empty text.
QString pixelRangeName(float mean, float std);

// The fields for an evaluation: the pictures, the scaling of their pixels, and the state to compare
// with.
class PictureForm : public QWidget {
    Q_OBJECT
public:
    explicit PictureForm(QWidget* parent = nullptr);

    void setFields(const PictureFields& fields);
    const PictureFields& fields() const { return m_fields; }
    // The first one means no other state.
    void setPeers(const QStringList& names);
    int peer() const; // 0: none
    // Shows the feeds of the inputs that are not fed pictures; empty: there are none.
    void setBeside(const QString& text);

signals:
    void edited();
    void imagesRequested(); // the user wants to choose them
    void labelsRequested();
    void truthRequested();

private:
    QLineEdit* addPath(QGridLayout& grid, const QString& name, const QString& title,
                       const QString& tip, void (PictureForm::*wish)());
    QComboBox* addChoice(QGridLayout& grid, const QString& name, const QString& title,
                         const QString& tip);
    void take();

    PictureFields m_fields;
    QLineEdit* m_images;
    QLineEdit* m_labels;
    QLineEdit* m_truth;
    QComboBox* m_pixels;
    QComboBox* m_peer;
    QLabel* m_beside;
};

} // namespace lapidary
