// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/strip/stage_marks.h"
#include "views/strip/strip_layout.h"

#include <QAbstractButton>

namespace lapidary {

struct FamilyColors;
struct Theme;

// Describes what one place of the strip shows.
struct StageFace {
    Stage::Kind kind = Stage::Kind::Work;
    bool isRest = false; // stands for several stages that have no room
    QString name;
    QString suffix; // "×4"
    QString shape;
    OpFamily family = OpFamily::Unknown;
    StageMarks marks;
};

// One place of the strip: a button with the colors of what it leads to.
class StageButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit StageButton(QWidget* parent);

    void setFace(StageFace face);
    const StageFace& face() const { return m_face; }
    void setCurrent(bool isCurrent); // the selection is in it
    bool isCurrent() const { return m_isCurrent; }
    QString shownName() const; // as it is painted: cut, or the shape in its place
    bool showsShape() const;
    // Returns what a face would take of the row, without its share. An end without room for all
    // says what its tensor is like, not how it is called.
    static CellWish wishOf(const StageFace& face);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    FamilyColors colors(const Theme& theme) const;
    int nameRoom() const;
    int tagsWidth() const;
    void paintShape(QPainter& painter, const FamilyColors& colors, const Theme& theme) const;
    void paintTags(QPainter& painter, const Theme& theme) const;
    void paintTexts(QPainter& painter, const FamilyColors& colors) const;

    StageFace m_face;
    bool m_isCurrent = false;
};

} // namespace lapidary
