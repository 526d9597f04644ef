#include "env/gyre/options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "env/environment_info.h"
#include "env/error/codes.h"

namespace tidewise::gyre {
namespace {

void require_count(const char* option, std::int64_t value, std::int64_t min, std::int64_t max) {
  if (value >= min && value <= max) return;
  throw input_error(errors::env_option_outside_range, option, value, min, max);
}

/// Throws InputError unless min ≤ value ≤ max; also for NaN.
void require_number(const char* option, double value, double min, double max) {
  if (value >= min && value <= max) return;
  throw input_error(errors::env_option_outside_range, option, value, min, max);
}

void validate_surroundings(const Surroundings& surroundings) {
  require_number("--cloud-speed", surroundings.cloud_speed, 0, 1);
  for (const MovingSquare& square : surroundings.obstacles) {
    require_number("--obstacle: its level of entry", square.entry, -1e6, 1e6);
    require_number("--obstacle: its southern edge", square.south, 0, 1);
    require_number("--obstacle: its speed", square.speed, 0, 1);
  }
}

}  // namespace

void validate_options(const EnvironmentOptions& options) {
  require_count("--nx", options.nx, 16, 4096);
  require_count("--ny", options.ny, 16, 4096);
  require_count("--nt", options.level_count, 2, 1'000'000);
  require_count("--modes", options.mode_count, 1, 40);
  // Fewer realizations than modes cannot span them.
  require_count("--realizations", options.realization_count, options.mode_count + 2,
                weight_total - 1);
  require_count("--perturbations", options.uncertainty.perturbation_count, options.mode_count + 1,
                100'000);
  require_number("--step", options.level_step, 1e-3, 1e9);
  require_number("--speed", options.greatest_speed, 1e-6, 1e3);
  require_number("--reynolds", options.numbers.reynolds, 1, 1e5);
  require_number("--beta", options.numbers.beta, 1, 1e6);
  require_number("--spin-up", options.spin_up, 1e-3, 1e3);
  require_number("--lead", options.lead, 0, 1e3);
  require_number("--correlation-length", options.uncertainty.correlation_length, 0.01, 0.5);
  validate_surroundings(options.surroundings);
}

NamedOptions named_options(const EnvironmentOptions& options) {
  NamedOptions named;
  // {} gives the shortest text that reads back as the same number.
  const auto add = [&](const char* name, const auto& value) {
    named.emplace_back(name, fmt::format("{}", value));
  };
  add("--nx", options.nx);
  add("--ny", options.ny);
  add("--nt", options.level_count);
  add("--modes", options.mode_count);
  add("--realizations", options.realization_count);
  add("--seed", options.uncertainty.seed);
  add("--reynolds", options.numbers.reynolds);
  add("--beta", options.numbers.beta);
  add("--spin-up", options.spin_up);
  add("--lead", options.lead);
  add("--correlation-length", options.uncertainty.correlation_length);
  add("--perturbations", options.uncertainty.perturbation_count);
  add("--speed", options.greatest_speed);
  named.emplace_back("--step", fmt::format("{}s", options.level_step));
  const Surroundings& surroundings = options.surroundings;
  add("--cloud-speed", surroundings.cloud_speed);
  for (const MovingSquare& square : surroundings.obstacles) {
    named.emplace_back("--obstacle",
                       fmt::format("{},{},{}", square.entry, square.south, square.speed));
  }
  if (surroundings.obstacles.empty()) named.emplace_back("--obstacle", "none");
  return named;
}

std::string command_of(const EnvironmentOptions& options) {
  std::string command = "tidewise env wind-driven-gyre";
  for (const auto& [name, value] : named_options(options)) command += " " + name + " " + value;
  return command;
}

}  // namespace tidewise::gyre
