// SPDX-License-Identifier: Apache-2.0
// Each node is one line of text, its fields in the order of SearchField separated by blanks, so
// that a term on all fields is a single match of the whole line. RE2 runs in Latin-1: names may be
// any bytes, and every byte is then a character.
#include "graph_model/explore/search_index.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <re2/re2.h>

namespace lapidary {
namespace {

constexpr std::size_t attrTextLimit = 48;

struct Term {
    SearchField field = SearchField::Any;
    bool isNegated = false;
    bool isAnchored = false;
    std::unique_ptr<RE2> pattern;
};

re2::StringPiece piece(std::string_view text)
{
    return {text.data(), text.size()};
}

// Splits at blanks; double quotes protect blanks and are dropped.
std::vector<std::string> splitWords(std::string_view query)
{
    std::vector<std::string> words;
    std::string word;
    bool isQuoted = false;
    for (const char c : query) {
        if (c == '"') {
            isQuoted = !isQuoted;
        } else if ((c == ' ' || c == '\t') && !isQuoted) {
            if (!word.empty())
                words.push_back(std::exchange(word, {}));
        } else {
            word += c;
        }
    }
    if (!word.empty())
        words.push_back(word);
    return words;
}

std::string withPlainTimes(std::string text)
{
    static constexpr std::string_view times = "\xC3\x97";
    for (std::size_t at = text.find(times); at != std::string::npos; at = text.find(times, at))
        text.replace(at, times.size(), "x");
    return text;
}

constexpr std::array<std::pair<std::string_view, SearchField>, 9> prefixes{{
    {"name:", SearchField::Name},
    {"op:", SearchField::Op},
    {"dtype:", SearchField::DType},
    {"type:", SearchField::DType},
    {"shape:", SearchField::Shape},
    {"input:", SearchField::Input},
    {"device:", SearchField::Device},
    {"attr:", SearchField::Attribute},
    {"attribute:", SearchField::Attribute},
}};

Term parseTerm(std::string word, std::string& note)
{
    Term term;
    if (word.size() > 1 && word.front() == '-') {
        term.isNegated = true;
        word.erase(0, 1);
    }
    for (const auto& [prefix, field] : prefixes) {
        if (!std::string_view(word).starts_with(prefix))
            continue;
        term.field = field;
        word.erase(0, prefix.size());
        break;
    }
    word = withPlainTimes(std::move(word));
    RE2::Options options(RE2::Latin1);
    options.set_case_sensitive(false);
    options.set_log_errors(false);
    term.pattern = std::make_unique<RE2>(piece(word), options);
    if (!term.pattern->ok()) {
        note = "\"" + word + "\" is searched as plain text: " + term.pattern->error();
        options.set_literal(true);
        term.pattern = std::make_unique<RE2>(piece(word), options);
    }
    term.isAnchored = word.find_first_of("^$") != std::string::npos;
    return term;
}

void appendPlain(std::string& out, std::string_view text)
{
    for (const char c : text)
        out += (c == '\n' || c == '\r' || c == '\t') ? ' ' : c;
}

void appendAttribute(std::string& out, const Attr& attr)
{
    appendPlain(out, attr.name);
    out += '=';
    appendPlain(out, withPlainTimes(attr.value.text(attrTextLimit)));
}

void appendAttributes(std::string& out, const Node& node)
{
    bool isFirst = true;
    for (const Attr& attr : node.attrs()) {
        if (attr.name == "_output_shapes")
            continue;
        if (!std::exchange(isFirst, false))
            out += ' ';
        appendAttribute(out, attr);
    }
}

std::string_view firstWord(std::string_view text)
{
    return text.substr(0, text.find(' '));
}

} // namespace

// The terms of one search, which can be matched with nodes.
class SearchPass {
public:
    SearchPass(SearchIndexPtr index, std::string_view query, std::string& note)
        : m_index(std::move(index))
    {
        for (std::string& word : splitWords(query))
            m_terms.push_back(parseTerm(std::move(word), note));
    }

    bool isEmpty() const { return m_terms.empty(); }

    // Returns the field of the first term that is not negated; nothing if a term does not match.
    std::optional<SearchField> match(std::size_t node) const
    {
        std::optional<SearchField> first;
        for (const Term& term : m_terms)
            if (matches(term, node) == term.isNegated)
                return std::nullopt;
        for (const Term& term : m_terms)
            if (!term.isNegated && !first)
                first = where(term, node);
        return first.value_or(SearchField::Name);
    }

    // Appends the texts that the terms match besides names, ops and shapes.
    void appendAskedFor(std::uint32_t node, std::vector<std::string>& texts) const
    {
        for (const Term& term : m_terms) {
            if (term.isNegated)
                continue;
            const SearchField field = where(term, node);
            if (field == SearchField::Attribute)
                appendMatching(term, m_index->graph()->node(NodeId{node}), texts);
            else if (field == SearchField::DType || field == SearchField::Input ||
                     field == SearchField::Device)
                texts.emplace_back(m_index->field(node, field));
        }
    }

private:
    static void appendMatching(const Term& term, const Node& node, std::vector<std::string>& texts)
    {
        for (const Attr& attr : node.attrs()) {
            std::string text;
            appendAttribute(text, attr);
            if (RE2::PartialMatch(piece(text), *term.pattern))
                texts.push_back(std::move(text));
        }
    }
    bool matchesField(const Term& term, std::size_t node, SearchField field) const
    {
        return RE2::PartialMatch(piece(m_index->field(node, field)), *term.pattern);
    }
    // For convolutions and products, terms may also match the filter, their second input.
    bool matchesFilter(const Term& term, std::size_t node) const
    {
        const std::string_view filter = m_index->filterSizes(NodeId{std::uint32_t(node)});
        return !filter.empty() && RE2::PartialMatch(piece(filter), *term.pattern);
    }
    bool matches(const Term& term, std::size_t node) const
    {
        if (term.field == SearchField::Shape && matchesFilter(term, node))
            return true;
        if (term.field != SearchField::Any || !term.isAnchored)
            return matchesField(term, node, term.field);
        for (std::size_t i = 0; i < SearchIndex::fieldCount; ++i)
            if (matchesField(term, node, SearchField(i)))
                return true;
        return false;
    }
    SearchField where(const Term& term, std::size_t node) const
    {
        if (term.field != SearchField::Any)
            return term.field;
        for (const SearchField field :
             {SearchField::Name, SearchField::Op, SearchField::Shape, SearchField::Input,
              SearchField::DType, SearchField::Device})
            if (matchesField(term, node, field))
                return field;
        return SearchField::Attribute;
    }

    SearchIndexPtr m_index;
    std::vector<Term> m_terms;
};

std::string_view searchFieldName(SearchField field)
{
    static constexpr std::array<std::string_view, 8> names{
        "op", "name", "dtype", "shape", "input shape", "device", "attribute", "anything"};
    return names[std::size_t(field)];
}

std::string_view SearchIndex::field(std::size_t node, SearchField field) const
{
    const std::size_t at = node * fieldCount;
    if (field == SearchField::Any)
        return std::string_view(m_text).substr(m_start[at], m_start[at + fieldCount] - m_start[at]);
    const std::size_t begin = m_start[at + std::size_t(field)];
    return std::string_view(m_text).substr(begin, m_start[at + std::size_t(field) + 1] - begin - 1);
}

std::string_view SearchIndex::sizes(NodeId id) const
{
    return firstWord(field(id.value, SearchField::Shape));
}

// The filter is the second input.
std::string_view SearchIndex::filterSizes(NodeId id) const
{
    if (workKind(field(id.value, SearchField::Op)) == WorkKind::None)
        return {};
    const std::string_view inputs = field(id.value, SearchField::Input);
    const std::size_t second = inputs.find(' ');
    const std::string_view filter =
        second == inputs.npos ? std::string_view() : firstWord(inputs.substr(second + 1));
    return filter == "?" ? std::string_view() : filter;
}

std::vector<std::string> SearchAnswer::askedFor(NodeId id) const
{
    std::vector<std::string> texts;
    if (pass)
        pass->appendAskedFor(id.value, texts);
    return texts;
}

void SearchIndex::append(NodeId id, const DescribeNode& describe)
{
    const Node& node = m_graph->node(id);
    const SearchFacts facts = describe ? describe(*m_graph, id) : SearchFacts{};
    const auto add = [this](std::string_view text) {
        appendPlain(m_text, text);
        m_text += ' ';
        m_start.push_back(m_text.size());
    };
    add(node.op());
    add(node.name());
    add(facts.dtype);
    add(facts.shape);
    add(facts.inputShapes);
    add(node.device());
    appendAttributes(m_text, node);
    m_text += ' ';
    m_start.push_back(m_text.size());
}

Result<SearchIndexPtr> SearchIndex::make(GraphPtr graph, const DescribeNode& describe,
                                         const Job& job)
{
    std::shared_ptr<SearchIndex> index(new SearchIndex);
    index->m_graph = std::move(graph);
    const std::size_t size = index->m_graph->size();
    index->m_start.reserve(size * fieldCount + 1);
    index->m_start.push_back(0);
    for (std::uint32_t i = 0; i < size; ++i) {
        if (i % 256 == 0) {
            if (job.cancelled())
                return cancelledError();
            job.progress(double(i) / double(size));
        }
        index->append(NodeId{i}, describe);
    }
    return SearchIndexPtr(std::move(index));
}

Result<SearchAnswer> SearchIndex::find(std::string_view query, const Job& job) const
{
    SearchAnswer answer;
    const auto pass = std::make_shared<const SearchPass>(shared_from_this(), query, answer.note);
    answer.pass = pass;
    if (pass->isEmpty())
        return answer;
    for (std::uint32_t i = 0; i < m_graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (const std::optional<SearchField> field = pass->match(i))
            answer.hits.push_back({NodeId{i}, *field});
    }
    return answer;
}

} // namespace lapidary
