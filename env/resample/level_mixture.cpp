#include "env/resample/level_mixture.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tidewise {
namespace {

using ingest::Sampling;

constexpr double round_off = 1e-9;  // [steps]

void add(std::map<std::int32_t, double>& parts, double position, double weight) {
  const double lower = std::floor(position);
  const double share = position - lower;
  const auto level = static_cast<std::int32_t>(lower);
  if (share < 1) parts[level] += weight * (1 - share);
  if (share > 0) parts[level + 1] += weight * share;
}

std::vector<LevelPart> to_list(const std::map<std::int32_t, double>& parts) {
  std::vector<LevelPart> list;
  list.reserve(parts.size());
  for (const auto& [level, weight] : parts) list.push_back({level, weight});
  return list;
}

}  // namespace

/// The fractional level of a time, 0 … last().
double LevelMixture::level_of(double time) const {
  const double steps = std::clamp((time - time_.first) / time_.step, 0.0, last());
  return std::abs(steps - std::round(steps)) < round_off ? std::round(steps) : steps;
}

std::vector<LevelPart> LevelMixture::flow_at(const std::vector<double>& times) const {
  std::map<std::int32_t, double> parts;
  for (const double time : times) {
    double position = level_of(time);
    if (held_ == Sampling::mean) {
      // The last level's flow comes half a step after that of the level before.
      const double middle = position - 0.5;
      position = middle > last() - 1 ? last() - 1 + 2 * (middle - (last() - 1)) : middle;
    }
    position =
        std::abs(position - std::round(position)) < round_off ? std::round(position) : position;
    add(parts, std::clamp(position, 0.0, last()), 1.0 / static_cast<double>(times.size()));
  }
  return to_list(parts);
}

std::vector<LevelPart> LevelMixture::state_at(double time) const {
  std::map<std::int32_t, double> parts;
  add(parts, level_of(time), 1);
  return to_list(parts);
}

IndexRange LevelMixture::closing(double time, double next) const {
  const double last_within = std::max(std::ceil(level_of(time)), std::ceil(level_of(next)) - 1);
  return {static_cast<std::int32_t>(std::floor(level_of(time))),
          static_cast<std::int32_t>(last_within)};
}

Sampling held_by_levels(const std::string& history) {
  const auto contains = [&](const char* words) { return history.find(words) != std::string::npos; };
  if (contains("tidewise env resample")) return Sampling::mean;
  const bool begin =
      contains("--sample begin") || contains("env double-gyre") || contains("env wind-driven-gyre");
  return begin ? Sampling::begin : Sampling::mean;
}

}  // namespace tidewise
