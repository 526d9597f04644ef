#include "app/cli/command_line_error.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/error/codes.h"
#include "planner/mission/read/keys.h"

namespace tidewise {
namespace {

/// The rest of the library's text after `mark`; all of it if there is no mark.
std::string after(const std::string& text, const std::string& mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? text : text.substr(at + mark.size());
}

std::string before(const std::string& text, const std::string& mark) {
  return text.substr(0, text.find(mark));
}

/// A renamed option, or a command that has moved to a group.
struct FormerName {
  std::string_view command;  ///< end of the command's name; empty: any command
  std::string_view name;
  std::string_view now;
};
constexpr std::array former_names = std::to_array<FormerName>({
    {"", "--device", "--devices N"},
    {"build", "--form", "--format"},
    {"bound", "--start", "--at-xy X,Y (in degrees --at LON,LAT)"},
    {"compare", "--fly", "--cost flown"},
    {"compare", "--json", "--out FILE.json"},
    {"compare", "--no-cost", "--cost none"},
    {"departures", "--csv", "--out FILE.csv"},
    {"departures", "--json", "--out FILE.json"},
    {"export", "--levels", "--from K --to K"},
    {"export", "--list", "--out goto_lN.ma"},
    {"export", "--most", "--ensemble N"},
    {"export", "--x", "--plane --bbox WEST,SOUTH,EAST,NORTH"},
    {"export", "--y", "--plane --bbox WEST,SOUTH,EAST,NORTH"},
    {"import", "--scalar-file", "--scalar FILE:NAME"},
    {"lookup", "--regions", "--out FILE.geojson"},
    {"observe", "--drifting", "--drifter FILE"},
    {"observe", "--mode-length", "--add-mode LENGTH"},
    {"plan", "--block-size", "--set planner.block_size=N"},
    {"plan", "--engine", "--set planner.engine=NAME"},
    {"reach", "--geojson", "--out FILE.geojson"},
    {"replan", "--drifting", "--drifter FILE"},
    {"replan", "--from", "--at-xy X,Y (in degrees --at LON,LAT)"},
    {"replan", "--mode-length", "--add-mode LENGTH"},
    {"replan", "--passed", "--leg N (one more)"},
    {"rollout", "--observation-error", "--error S"},
    {"rollout", "--replan-every", "--every K"},
    {"rollout", "--start", "--at-xy X,Y (in degrees --at LON,LAT)"},
    {"savings", "--productivity", "--assets N,STATES"},
    {"solve", "--relative", "--stop relative"},
    {"wind-driven-gyre", "--level-step", "--step DURATION"},
    {"wind-driven-gyre", "--restart-over", "--overwrite"},
    {"", "refine", "research"},
    {"", "bound", "research"},
    {"", "build", "research"},
    {"", "solve", "research"},
    {"", "mdp", "research"},
    {"", "bench", "research"},
});

std::string describe_extra(const CommandLineError& error) {
  const std::string& word = error.extra_word;
  if (!word.starts_with('-')) {
    return error_text(errors::command_word_extra, word, error.command);
  }
  const std::string option = before(word, "=");
  const std::string_view now = present_name(error.command, option);
  if (!now.empty()) return error_text(errors::option_renamed, option, now);
  const std::string suggestion = nearest_word(option, {error.options.begin(), error.options.end()});
  return error_text(errors::option_unknown, word, error.command,
                    suggestion.empty() ? "" : fmt::format(" (did you mean {}?)", suggestion));
}

std::string describe_count(const std::string& text) {
  const std::string count = after(text, "required ");
  if (text.ends_with(" missing")) {
    return error_text(errors::option_value_missing, before(text, ":"), before(count, " missing"));
  }
  const std::string option = before(before(after(text, "arguments to "), ":"), ",");
  return error_text(errors::option_value_count, option);
}

std::string describe_cause(const CommandLineError& error) {
  const std::string& text = error.text;
  switch (error.mistake) {
    case Mistake::extra_word:
      return describe_extra(error);
    case Mistake::no_number: {
      const std::string setting = after(text, "Could not convert: ");
      if (setting == text) break;
      return error_text(errors::option_value_not_number, before(setting, " = "),
                        after(setting, " = "));
    }
    case Mistake::value_count:
      return describe_count(text);
    case Mistake::excluded:
      return error_text(errors::options_exclude_each_other, before(text, " excludes "),
                        after(text, " excludes "));
    case Mistake::needs_other:
      return error_text(errors::option_needs_other, before(text, " requires "),
                        after(text, " requires "));
    case Mistake::other:
      break;
  }
  return error_text(errors::command_line_invalid, text);
}

}  // namespace

std::string_view present_name(std::string_view command, std::string_view name) {
  const auto* former =
      std::find_if(former_names.begin(), former_names.end(), [&](const FormerName& entry) {
        return entry.name == name && command.ends_with(entry.command);
      });
  return former == former_names.end() ? "" : former->now;
}

std::string describe_command_line_error(const CommandLineError& error) {
  return add_words(describe_cause(error), fmt::format("; see '{} --help'", error.command));
}

}  // namespace tidewise
