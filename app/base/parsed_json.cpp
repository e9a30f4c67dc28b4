// SPDX-License-Identifier: Apache-2.0
#include "app/base/parsed_json.h"

namespace lapidary {
namespace {

// Parses values only to find how deeply they are nested; stops if that is too deep.
class NestingMeter : public nlohmann::json_sax<nlohmann::json> {
public:
    bool isTooDeep() const { return m_depth > mostJsonNesting; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool key(string_t&) override { return true; }
    bool start_object(std::size_t) override { return goDeeper(); }
    bool start_array(std::size_t) override { return goDeeper(); }
    bool end_object() override { return goUp(); }
    bool end_array() override { return goUp(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override
    {
        return false;
    }

private:
    bool goDeeper()
    {
        ++m_depth;
        return !isTooDeep();
    }
    bool goUp()
    {
        --m_depth;
        return true;
    }

    std::size_t m_depth = 0;
};

} // namespace

bool nestsTooDeep(std::string_view bytes, nlohmann::json::input_format_t format)
{
    NestingMeter meter;
    nlohmann::json::sax_parse(bytes, &meter, format);
    return meter.isTooDeep();
}

nlohmann::json parsedJson(std::string_view text)
{
    using nlohmann::json;
    return nestsTooDeep(text, json::input_format_t::json) ? json(json::value_t::discarded)
                                                          : json::parse(text, nullptr, false);
}

} // namespace lapidary
