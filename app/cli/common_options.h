#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "env/environment_info.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// Adds the option --set KEY=VALUE, which may be repeated, to a command.
void add_settings_option(Command command, std::vector<std::string>& settings);

enum class Precision { float32, float64 };

/// Adds the option --precision, float or double, to a command.
void add_precision_option(Command command, Precision& precision);

/// Visibility of the expected total rewards, by which plans are compared, in a report.
enum class Values { hidden, shown };

/// Adds the flag --value, which adds the values of plans to a report.
void add_value_flag(Command command, Values& values);

/// Adds the option --surfacing DURATION, the time until the vehicle surfaces next.
void add_surfacing_option(Command command, std::optional<std::string>& surfacing);
/// The time in --surfacing [s or 1]. Errors: InputError for an invalid duration, and for a number
/// without a unit that is less than a step if times are in seconds.
double parse_surfacing(const std::string& surfacing, const EnvironmentInfo& info);

/// Adds the flag --overwrite, which lets the command replace an earlier run or another file.
void add_overwrite_flag(Command command, Overwrite& overwrite);

/// The files of --out, which may be repeated: the ending of each file sets its format.
class OutputFiles {
 public:
  /// Adds --out. `endings`: the allowed endings, such as ".csv". The object must outlive the
  /// command.
  void add(Command command, std::vector<std::string> endings, const std::string& description);

  /// The file with this ending; empty if none is given. Errors: InputError if a file has an ending
  /// that is not allowed, or two files have this one.
  std::string with_ending(std::string_view ending) const;

 private:
  std::vector<std::string> endings_;
  std::vector<std::string> files_;
};

/// Adds the option --seed, an unsigned integer of 64 bits. Refuses -1, which CLI11 would wrap
/// around.
void add_seed_option(Command command, std::uint64_t& seed, const std::string& description);

}  // namespace tidewise
