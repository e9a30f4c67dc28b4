// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/feed_form.h"

#include "runner/feeds/feed_text.h"
#include "views/models/display_text.h"
#include "views/panels/base/elided_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>

#include <array>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

enum Kind { RandomKind, ZerosKind, OnesKind, WrittenKind, PictureKind, FileKind };
enum Page { NoPage, RandomPage, WrittenPage, FilePage };

struct Preset {
    const char16_t* name;
    float mean;
    float std;
    std::optional<std::array<float, 3>> means = {};
    bool isBgr = false;
};

// The mean values of ImageNet's training pictures, as networks from slim and Caffe subtract them.
constexpr std::array<float, 3> imageNet{123.68F, 116.78F, 103.94F};
const std::array<Preset, 6> presets{{
    {u"0 to 1", 0, 255},
    {u"\u22121 to 1", 127.5F, 127.5F},
    {u"0 to 255", 0, 1},
    {u"x \u2212 127.5", 127.5F, 1},
    {u"x \u2212 ImageNet mean", 0, 1, imageNet},
    {u"x \u2212 ImageNet mean, BGR", 0, 1, imageNet, true},
}};

bool isPreset(const Preset& preset, const PictureFeed& picture)
{
    const bool isSameMean = preset.means ? picture.means == preset.means
                                         : !picture.means && picture.mean == preset.mean;
    return isSameMean && picture.std == preset.std && picture.isBgr == preset.isBgr;
}

bool isPictureFile(const QString& path)
{
    static const QRegularExpression suffix(u"\\.(png|jpe?g|gif|bmp)$"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    return suffix.match(path).hasMatch();
}

Kind kindOf(const FeedSource& source)
{
    if (std::holds_alternative<RandomFeed>(source))
        return RandomKind;
    if (const auto* constant = std::get_if<ConstantFeed>(&source))
        return constant->number == 0 ? ZerosKind : constant->number == 1 ? OnesKind : WrittenKind;
    if (std::holds_alternative<PictureFeed>(source))
        return PictureKind;
    return std::holds_alternative<FileFeed>(source) ? FileKind : WrittenKind;
}

QLineEdit* lineField(const QString& name, const QString& title, const QString& hint,
                     QWidget* parent)
{
    auto* field = new QLineEdit(parent);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(title);
    field->setPlaceholderText(hint);
    return field;
}

} // namespace

FeedForm::FeedForm(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(this))
    , m_kind(new QComboBox(this))
    , m_fields(new QStackedWidget(this))
{
    setObjectName(u"feedForm"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_title->setBold(true);
    m_kind->setObjectName(u"feedKind"_s);
    m_kind->setAccessibleName(u"Source of the input"_s);
    m_kind->addItems({u"Random numbers"_s, u"Zeros"_s, u"Ones"_s, u"Values"_s, u"Picture"_s,
                      u"File (.npy, .npz, raw bytes)"_s});
    m_fields->addWidget(new QWidget(m_fields));
    m_fields->addWidget(buildRandom());
    m_fields->addWidget(buildWritten());
    m_fields->addWidget(buildFile());
    m_fields->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 8);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_kind);
    column->addWidget(m_fields);
    column->addStretch();
    connect(m_kind, &QComboBox::activated, this, &FeedForm::chooseKind);
    setInput({}, {});
}

QWidget* FeedForm::buildRandom()
{
    m_seed = lineField(u"feedSeed"_s, u"Seed, or SEED:LOW:HIGH"_s, u"Seed, or SEED:LOW:HIGH"_s,
                       m_fields);
    connect(m_seed, &QLineEdit::editingFinished, this, &FeedForm::send);
    return m_seed;
}

QWidget* FeedForm::buildWritten()
{
    m_written = lineField(u"feedValues"_s, u"Values, or the text of a string input"_s,
                          u"1, 2.5, 3"_s, m_fields);
    connect(m_written, &QLineEdit::editingFinished, this, &FeedForm::send);
    return m_written;
}

QWidget* FeedForm::buildFile()
{
    auto* page = new QWidget(m_fields);
    m_path = lineField(u"feedPath"_s, u"File"_s, u"Drop a file, or choose one"_s, page);
    m_choose = new QPushButton(u"Choose\u2026"_s, page);
    m_choose->setObjectName(u"feedChoose"_s);
    m_choose->setAccessibleName(u"Choose a file"_s);
    m_preset = new QComboBox(page);
    m_preset->setObjectName(u"feedPreset"_s);
    m_preset->setAccessibleName(u"Scale of the picture's values"_s);
    m_preset->setToolTip(u"How a pixel value x from 0 to 255 is converted"_s);
    for (const Preset& preset : presets)
        m_preset->addItem(QString::fromUtf16(preset.name));
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(m_path, 1);
    row->addWidget(m_choose);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_preset);
    connect(m_path, &QLineEdit::editingFinished, this, &FeedForm::send);
    connect(m_choose, &QPushButton::clicked, this, &FeedForm::fileRequested);
    connect(m_preset, &QComboBox::activated, this, [this](int at) {
        if (std::size_t(at) >= presets.size())
            return;
        const Preset& preset = presets[std::size_t(at)];
        m_scaling = {{}, preset.mean, preset.std, preset.means, preset.isBgr};
        send();
    });
    return page;
}

void FeedForm::showKind(int kind)
{
    m_kind->setCurrentIndex(kind);
    const bool isFile = kind == PictureKind || kind == FileKind;
    m_fields->setCurrentIndex(isFile                ? FilePage
                              : kind == RandomKind  ? RandomPage
                              : kind == WrittenKind ? WrittenPage
                                                    : NoPage);
    m_fields->setVisible(kind != ZerosKind && kind != OnesKind);
    m_preset->setVisible(kind == PictureKind);
}

// A source that needs more than its kind is not sent until the user has filled that in.
void FeedForm::chooseKind(int kind)
{
    showKind(kind);
    if ((kind == PictureKind || kind == FileKind) && m_path->text().isEmpty())
        return m_path->setFocus();
    if (kind == WrittenKind && m_written->text().isEmpty())
        return m_written->setFocus();
    send();
}

FeedSource FeedForm::source() const
{
    switch (m_kind->currentIndex()) {
    case ZerosKind: return ConstantFeed{0};
    case OnesKind: return ConstantFeed{1};
    case WrittenKind: return WrittenFeed{m_written->text().toStdString()};
    case PictureKind: {
        PictureFeed picture = m_scaling;
        picture.path = m_path->text().toStdString();
        return picture;
    }
    case FileKind: return FileFeed{m_path->text().toStdString()};
    default: break;
    }
    return RandomFeed{};
}

void FeedForm::send()
{
    if (m_tensor.isEmpty())
        return;
    // The seed may be wrong; the row then shows the error.
    const QString words = m_kind->currentIndex() == RandomKind
                              ? u"random:"_s + m_seed->text().trimmed()
                              : QString::fromStdString(feedSourceText(source()));
    emit wordsChosen(m_tensor, words);
}

void FeedForm::setFile(const QString& path)
{
    m_path->setText(path);
    showKind(isPictureFile(path) ? PictureKind : FileKind);
    send();
}

void FeedForm::show(const FeedSource& source)
{
    if (const auto* written = std::get_if<WrittenFeed>(&source))
        m_written->setText(QString::fromStdString(written->text));
    if (const auto* file = std::get_if<FileFeed>(&source))
        m_path->setText(QString::fromStdString(file->path));
    const auto* picture = std::get_if<PictureFeed>(&source);
    if (picture != nullptr) {
        m_path->setText(QString::fromStdString(picture->path));
        m_scaling = *picture;
    }
    int at = -1;
    for (std::size_t i = 0; i < presets.size(); ++i)
        if (isPreset(presets[i], m_scaling))
            at = int(i);
    m_preset->setCurrentIndex(at);
    showKind(kindOf(source));
}

void FeedForm::setInput(const QString& tensor, const QString& words)
{
    const bool isOther = tensor != m_tensor;
    m_tensor = tensor;
    m_title->setText(tensor);
    setEnabled(!tensor.isEmpty());
    if (isOther)
        for (QLineEdit* field : {m_seed, m_written, m_path})
            field->clear();
    if (isOther)
        m_scaling = {};
    const auto source = parseFeedSource(words.toStdString());
    const bool isRandom = words.startsWith(u"random"_s);
    if (isRandom)
        m_seed->setText(words.section(u':', 1));
    show(source && !tensor.isEmpty() ? *source : FeedSource(RandomFeed{}));
}

} // namespace lapidary
