#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tidewise {

/// Returns `text` as a TOML string, quoted and escaped.
std::string quote_toml(std::string_view text);

struct TomlEntry;

/// A TOML value, independent of the types of the parser.
struct TomlValue {
  using Array = std::vector<TomlValue>;
  /// A table. Its content follows as separate entries, and `entries` is empty. Only a table in a
  /// list has its content here, with keys relative to the table.
  struct Table {
    std::vector<TomlEntry> entries;
  };
  struct Other {
    std::string text;
  };  ///< one of TOML's own dates or times

  std::variant<bool, std::int64_t, double, std::string, Array, Table, Other> content;
};

/// Formats a value as in TOML, shortened if it is long, for messages.
std::string to_text(const TomlValue& value);

/// Origin of a value. Relative paths start from the file's folder or from the working folder.
enum class TomlOrigin { file, command_line };

/// One key, by its full dotted name, and its value.
struct TomlEntry {
  std::string key;
  TomlValue value;
  std::string place;  ///< "mission.toml:12" or "--set mission.objective=tim"
  TomlOrigin origin = TomlOrigin::file;
  std::uint32_t line = 0;  ///< position of the value in its text, counted from 1; 0 if unknown
  std::uint32_t column = 0;
};

/// Returns all keys of a TOML text, tables included, in the order of their names. `name`: the
/// text's name in messages. Errors: InputError with name, line and reason if the text is not TOML.
std::vector<TomlEntry> parse_toml(const std::string& text, const std::string& name);

/// Reads a file. `kind`: the kind of file, for messages. Errors: also InputError if it is missing,
/// a folder or not readable.
std::vector<TomlEntry> read_toml(const std::filesystem::path& path,
                                 std::string_view kind = "mission");

/// A "KEY=VALUE" of the command line, and its name in messages.
struct Setting {
  Setting(const char* text) : Setting(std::string(text)) {}
  Setting(const std::string& text) : assignment(text), place("--set " + text) {}
  Setting(std::string text, std::string option)
      : assignment(std::move(text)), place(std::move(option)) {}

  std::string assignment;
  std::string place;
};

/// Returns the entries of a setting. VALUE is TOML, or else a bare word or path that is taken as a
/// string. Errors: InputError with the setting.
std::vector<TomlEntry> parse_setting(const Setting& setting);

/// Returns `entries` with those of `settings` in place of equal keys.
std::vector<TomlEntry> override_entries(std::vector<TomlEntry> entries,
                                        const std::vector<TomlEntry>& settings);

}  // namespace tidewise
