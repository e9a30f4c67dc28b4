// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The exit code of TensorFlow's C++ tools when anything fails (their -1).
inline constexpr int originalFailure = 255;

// Writes one message to standard error in the form of TensorFlow's log; `level` is I, W, E or F.
void originalLog(std::ostream& err, const std::string& message, char level = 'E');

// The flags of TensorFlow's C++ tools: "--name=value" in one word with two dashes; for bools also
// "--name". Everything else is left over.
class OriginalFlags {
public:
    explicit OriginalFlags(std::string_view program);

    // The current value is the default that the usage text shows.
    void addString(std::string name, std::string& value, std::string help);
    void addBool(std::string name, bool& value, std::string help);
    void addInt(std::string name, std::int32_t& value, std::string help);
    void addFloat(std::string name, float& value, std::string help);

    // Returns false for a bad value, which is logged, and if --help is the first of the words left
    // over.
    bool parse(std::span<const std::string> arguments, std::ostream& err);
    const std::vector<std::string>& leftover() const { return m_leftover; }
    std::string usage() const;

private:
    struct Flag {
        std::string name;
        std::string help;
        std::string shownDefault;
        std::string_view type;                             // "string", "bool", "int32" or "float"
        std::function<bool(const std::string& value)> set; // false for a value of another type
    };
    enum class Match { No, Yes, BadValue };
    Match match(const Flag& flag, std::string_view argument, std::ostream& err) const;

    std::string m_program;
    std::vector<Flag> m_flags;
    std::vector<std::string> m_leftover;
};

} // namespace lapidary
