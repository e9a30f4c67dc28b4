// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

namespace lapidary {

class Picture;

// Opens and closes the groups of a picture. Its functions do nothing before the picture exists.
class OpenScopes {
public:
    explicit OpenScopes(Picture& picture)
        : m_picture(picture)
    {
    }

    void expand(GroupId id);
    void collapse(GroupId id);
    void toggle(ItemId item);
    void expandAll();
    void collapseAll();
    void expandInside(GroupId id); // one level
    void makeVisible(ItemId item); // opens the groups around it; Picture::revealed() follows

private:
    Picture& m_picture;
};

} // namespace lapidary
