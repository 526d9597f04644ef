#include "app/cli/common_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/parse_number.h"
#include "env/units/quantity.h"

namespace tidewise {

void add_settings_option(Command command, std::vector<std::string>& settings) {
  command
      .add_option(
          "--set", settings,
          "KEY=VALUE in place of the mission's own, e.g. mission.objective=energy; repeatable")
      .type_name("KEY=VALUE")
      .one_at_a_time();
}

void add_precision_option(Command command, Precision& precision) {
  command.add_choice<Precision>("--precision", precision,
                                {{"float", Precision::float32}, {"double", Precision::float64}},
                                "Precision of probabilities and values");
}

void add_value_flag(Command command, Values& values) {
  command.add_flag(
      "--value", [&values] { values = Values::shown; },
      "Print values too: the expected total reward, in the unit of the objective");
}

void add_surfacing_option(Command command, std::optional<std::string>& surfacing) {
  command
      .add_option("--surfacing", surfacing,
                  "Time to the next surfacing, e.g. 6h, whose 50 and 90 % regions are printed "
                  "(default: the policy's next decision)")
      .type_name("DURATION");
}

double parse_surfacing(const std::string& surfacing, const EnvironmentInfo& info) {
  const double duration = parse_duration("--surfacing", surfacing);
  const bool has_unit = !parse_number<double>(surfacing);
  if (info.units == Units::metric && !has_unit && duration < info.time.step) {
    throw input_error(errors::option_without_unit, "--surfacing", surfacing, duration,
                      info.time.step, "6h");
  }
  return duration;
}

void add_overwrite_flag(Command command, Overwrite& overwrite) {
  command.add_flag(
      "--overwrite", [&overwrite] { overwrite = Overwrite::asked; },
      "Replace an existing run or file at the output path");
}

void OutputFiles::add(Command command, std::vector<std::string> endings,
                      const std::string& description) {
  endings_ = std::move(endings);
  command.add_option("--out", files_, description)
      .type_name(fmt::format("FILE{}", fmt::join(endings_, "|FILE")))
      .one_at_a_time();
}

std::string OutputFiles::with_ending(std::string_view ending) const {
  std::string chosen;
  for (const std::string& file : files_) {
    const std::string file_ending = std::filesystem::path(file).extension().string();
    if (std::find(endings_.begin(), endings_.end(), file_ending) == endings_.end()) {
      throw input_error(errors::output_ending_unknown, file, fmt::join(endings_, " or "));
    }
    if (file_ending != ending) continue;
    if (!chosen.empty()) throw input_error(errors::output_ending_twice, file, chosen, ending);
    chosen = file;
  }
  return chosen;
}

void add_seed_option(Command command, std::uint64_t& seed, const std::string& description) {
  const auto validate_seed = [](const std::string& text) -> std::string {
    if (parse_number<std::uint64_t>(text)) return {};
    return fmt::format("{} is no seed; give a whole number from 0 to {}", text,
                       std::numeric_limits<std::uint64_t>::max());
  };
  command.add_option("--seed", seed, description).check(validate_seed).show_default();
}

}  // namespace tidewise
