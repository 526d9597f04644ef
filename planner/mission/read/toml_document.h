#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tidewise {

/// `text` as a TOML string, quoted and escaped.
std::string quote_toml(std::string_view text);

struct TomlEntry;

/// A TOML value, free of the parser's own types.
struct TomlValue {
  using Array = std::vector<TomlValue>;
  /// Its content follows as entries of their own; that of a table in a list is here, by the names
  /// that its keys have within the table.
  struct Table {
    std::vector<TomlEntry> entries;
  };
  struct Other {
    std::string text;
  };  ///< a date or time, which no mission needs

  std::variant<bool, std::int64_t, double, std::string, Array, Table, Other> content;
};

/// The value as it would be typed, shortened where it is long: for messages.
std::string to_text(const TomlValue& value);

/// Origin of a value. Relative paths start from the file's folder or from the working folder.
enum class TomlOrigin { file, command_line };

/// One key, by its full dotted name, and its value.
struct TomlEntry {
  std::string key;
  TomlValue value;
  std::string place;  ///< "mission.toml:12" or "--set mission.objective=tim"
  TomlOrigin origin = TomlOrigin::file;
  std::uint32_t line = 0;  ///< where the value begins in its text, both from 1; 0 where unknown
  std::uint32_t column = 0;
};

/// All keys of a text in TOML, tables included, in the order of their names. `name` is what
/// messages call it. Errors: InputError with name, line and reason when the text is no TOML.
std::vector<TomlEntry> parse_toml(const std::string& text, const std::string& name);

/// Reads a file, which messages call a `kind` file. Errors: also InputError if it is missing, a
/// folder or not readable.
std::vector<TomlEntry> read_toml(const std::filesystem::path& path,
                                 std::string_view kind = "mission");

/// "KEY=VALUE" of the command line, and what messages call it.
struct Setting {
  Setting(const char* text) : Setting(std::string(text)) {}
  Setting(const std::string& text) : assignment(text), place("--set " + text) {}
  Setting(std::string text, std::string option)
      : assignment(std::move(text)), place(std::move(option)) {}

  std::string assignment;
  std::string place;
};

/// The entries of one setting: VALUE is TOML, or else a bare word or path that is taken as a
/// string. Errors: InputError naming the setting.
std::vector<TomlEntry> parse_setting(const Setting& setting);

/// `entries` with those of `settings` in place of equal keys.
std::vector<TomlEntry> override_entries(std::vector<TomlEntry> entries,
                                        const std::vector<TomlEntry>& settings);

}  // namespace tidewise
