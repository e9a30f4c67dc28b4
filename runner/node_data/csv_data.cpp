// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/text.h"
#include "runner/node_data/parse_numbers.h"

#include <algorithm>

namespace lapidary {
namespace {

using Record = std::vector<std::string>;

// A line with more cells is not part of a table of nodes; its cells would take many times the
// memory of the file.
constexpr std::size_t mostCells = 4096;

Error inLine(std::size_t line, const std::string& why)
{
    return {ErrorCode::BadFile, "line " + std::to_string(line) + ": " + why};
}

// Cuts a text into records of cells; a cell in double quotes may hold anything.
class CsvReader {
public:
    CsvReader(std::string_view text, char separator)
        : m_text(text)
        , m_separator(separator)
    {
    }

    bool atEnd() const { return m_at == m_text.size(); }
    std::size_t line() const { return m_recordLine; } // line number of the last record
    Result<Record> next()
    {
        m_recordLine = m_line;
        Record record;
        for (bool isMore = true; isMore;) {
            if (record.size() == mostCells)
                return inLine(m_recordLine, "has more than " + std::to_string(mostCells) +
                                                " cells; leave out columns without numbers of "
                                                "nodes");
            ASSIGN_OR_RETURN(std::string cell, nextCell());
            record.push_back(std::move(cell));
            isMore = !atEnd() && m_text[m_at] == m_separator;
            if (!atEnd())
                step();
        }
        return record;
    }

private:
    void step()
    {
        if (m_text[m_at] == '\r' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n')
            ++m_at;
        m_line += m_text[m_at] == '\n' ? 1 : 0;
        ++m_at;
    }
    bool isCellEnd() const
    {
        const char c = m_text[m_at];
        return c == m_separator || c == '\n' || c == '\r';
    }
    Result<std::string> nextCell()
    {
        while (!atEnd() && m_text[m_at] == ' ')
            ++m_at;
        if (!atEnd() && m_text[m_at] == '"')
            return quotedCell();
        const std::size_t begin = m_at;
        while (!atEnd() && !isCellEnd())
            ++m_at;
        return std::string(trimmed(m_text.substr(begin, m_at - begin)));
    }
    Result<std::string> quotedCell()
    {
        const std::size_t line = m_line;
        std::string cell;
        for (++m_at; !atEnd(); ++m_at) {
            if (m_text[m_at] != '"') {
                m_line += m_text[m_at] == '\n' ? 1 : 0;
                cell += m_text[m_at];
                continue;
            }
            const bool isDoubled = m_at + 1 < m_text.size() && m_text[m_at + 1] == '"';
            if (!isDoubled)
                break;
            cell += m_text[++m_at];
        }
        if (atEnd())
            return inLine(line, "a quote is not closed");
        ++m_at;
        while (!atEnd() && m_text[m_at] == ' ')
            ++m_at;
        if (!atEnd() && !isCellEnd())
            return inLine(m_line, "a cell continues after its closing quote");
        return cell;
    }

    std::string_view m_text;
    char m_separator;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
    std::size_t m_recordLine = 1;
};

bool isBlank(const Record& record)
{
    return std::ranges::all_of(record, [](const std::string& cell) { return cell.empty(); });
}

// Returns the separator that is most frequent in the first line; a comma if it has none.
char separatorOf(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of("\r\n");
    const std::string_view line = text.substr(std::min(begin, text.size()))
                                      .substr(0, text.find_first_of("\r\n", begin) - begin);
    char best = ',';
    for (const char separator : {';', '\t'})
        if (std::ranges::count(line, separator) > std::ranges::count(line, best))
            best = separator;
    return best;
}

// Gathers the columns of a table, record by record.
class DataColumns {
public:
    DataColumns(const Record& titles, bool hasTitles, const std::string& title, char separator)
        : m_columns(titles.size())
        , m_hasDecimalComma(separator == ';')
    {
        const auto named = std::ranges::find_if(titles, isNameTitle);
        if (hasTitles && named != titles.end())
            m_names = std::size_t(named - titles.begin());
        for (std::size_t i = 0; i < titles.size(); ++i) {
            if (hasTitles)
                m_columns[i] = titledData(titles[i]);
            if (m_columns[i].name.empty())
                m_columns[i].name =
                    titles.size() == 2 ? title : title + " " + std::to_string(i + 1);
        }
    }

    void add(const Record& record)
    {
        const std::string& key = record[m_names];
        if (key.empty())
            return;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            if (i == m_names)
                continue;
            if (const auto number = numberIn(record[i], m_hasDecimalComma))
                m_columns[i].numbers.push_back({key, *number});
            else
                ++m_columns[i].withoutNumber;
        }
    }
    std::vector<NodeData> take() { return std::move(m_columns); }

private:
    std::vector<NodeData> m_columns;
    std::size_t m_names = 0;
    bool m_hasDecimalComma;
};

} // namespace

Result<std::vector<NodeData>> parseCsvData(std::string_view text, const std::string& title,
                                           const Job& job)
{
    const char separator = separatorOf(text);
    CsvReader reader(text, separator);
    Record first;
    while (!reader.atEnd() && isBlank(first)) {
        ASSIGN_OR_RETURN(first, reader.next());
    }
    if (first.size() < 2)
        return inLine(reader.line(),
                      "has only one column; expected are node names and numbers, separated by "
                      "commas, semicolons or tabs");
    const bool hasTitles = std::none_of(first.begin() + 1, first.end(), [&](const auto& cell) {
        return numberIn(cell, separator == ';').has_value();
    });
    DataColumns columns(first, hasTitles, title, separator);
    if (!hasTitles)
        columns.add(first);
    for (std::size_t records = 0; !reader.atEnd(); ++records) {
        if (records % 4096 == 0 && job.cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(const Record record, reader.next());
        if (isBlank(record))
            continue;
        if (record.size() != first.size())
            return inLine(reader.line(), "has " + std::to_string(record.size()) +
                                             (record.size() == 1 ? " cell" : " cells") +
                                             " where the first line has " +
                                             std::to_string(first.size()));
        columns.add(record);
    }
    return columns.take();
}

} // namespace lapidary
