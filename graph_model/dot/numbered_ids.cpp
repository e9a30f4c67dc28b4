// SPDX-License-Identifier: Apache-2.0
#include "graph_model/dot/numbered_ids.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {
namespace {

// Even numbers have a name, odd ones do not, as cgraph requires.
struct Names {
    Agraph_t* graph = nullptr;
    std::vector<char*> texts; // in the graph's own store, since cgraph reads the bytes before them
    std::unordered_map<std::string_view, IDTYPE> numbers;
    IDTYPE nameless = 1;
};

Names& namesOf(void* state)
{
    return *static_cast<Names*>(state);
}

void* openNames(Agraph_t* graph, Agdisc_t*)
{
    return new Names{graph, {}, {}};
}

void closeNames(void* state)
{
    delete static_cast<Names*>(state);
}

long numberOf(void* state, int, char* text, IDTYPE* id, int create)
{
    Names& names = namesOf(state);
    if (text == nullptr) {
        *id = names.nameless;
        names.nameless += 2;
        return 1;
    }
    const auto known = names.numbers.find(text);
    if (known != names.numbers.end()) {
        *id = known->second;
        return 1;
    }
    if (create == 0)
        return 0;
    names.texts.push_back(agstrdup(names.graph, text));
    *id = IDTYPE(2 * names.texts.size());
    names.numbers.emplace(names.texts.back(), *id);
    return 1;
}

bool isNamed(const Names& names, IDTYPE id)
{
    return id % 2 == 0 && id > 0 && id / 2 <= names.texts.size();
}

long takeNumber(void* state, int, IDTYPE id)
{
    return isNamed(namesOf(state), id) ? 1 : 0;
}

void freeNumber(void*, int, IDTYPE) {}

char* nameOf(void* state, int, IDTYPE id)
{
    const Names& names = namesOf(state);
    return isNamed(names, id) ? names.texts[std::size_t(id / 2) - 1] : nullptr;
}

void ignoreObject(void*, int, void*) {}

} // namespace

Agiddisc_t* numberedIds()
{
    static Agiddisc_t discipline{openNames, numberOf,   takeNumber,  freeNumber,
                                 nameOf,    closeNames, ignoreObject};
    return &discipline;
}

Agnode_t* namedNode(Agraph_t* graph, const char* name, bool create)
{
    IDTYPE id = 0;
    void* state = graph->clos->state.id;
    if (numberOf(state, AGNODE, const_cast<char*>(name), &id, create ? 1 : 0) == 0)
        return nullptr;
    return agidnode(graph, id, create ? 1 : 0);
}

} // namespace lapidary
