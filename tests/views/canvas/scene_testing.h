// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <QImage>

#include <string>

namespace lapidary {

// Scenes built by hand, to test painter and canvas without the layout.
class SceneMaker {
public:
    SceneMaker();

    // Returns the index of the box. Node ids are assigned in order.
    std::int32_t op(std::string title, std::string op, OpFamily family, Rect rect,
                    std::int32_t parent = -1);
    std::int32_t group(std::string title, std::string summary, std::string detail, Rect rect,
                       bool isOpen, std::uint32_t repeats = 1, std::int32_t parent = -1);
    std::int32_t chip(std::string text, std::int32_t consumer);
    std::int32_t stub(std::string text, ItemId leadsTo, Rect rect);
    void edge(std::int32_t from, std::int32_t to, std::vector<Point> route, std::string label = {},
              EdgeKind kind = EdgeKind::Data, float width = 1.5F);
    // Adds a straight line from the bottom of one box to the top of the other.
    void connect(std::int32_t from, std::int32_t to, std::string label = {},
                 EdgeKind kind = EdgeKind::Data);
    // Lets the edge `outer` contain what the edge `inner` contains: two pieces of one edge.
    void share(std::size_t outer, std::size_t inner);
    SceneBox& box(std::int32_t index) { return m_scene->boxes[std::size_t(index)]; }
    ScenePtr finish();

private:
    std::int32_t add(SceneBox box);

    std::shared_ptr<Scene> m_scene;
    std::uint32_t m_nodes = 0;
    std::uint32_t m_groups = 0;
};

ScenePtr residualScene();                  // a stage of a residual network, one group open
ScenePtr gridScene(int columns, int rows); // a grid of ops, each connected to the one below

// Returns the number of different pixels.
int pixelsApart(const QImage& a, const QImage& b);

} // namespace lapidary
