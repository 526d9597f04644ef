#include "learning/track/dive_profiles.h"

#include <algorithm>
#include <cmath>

#include "env/units/depths.h"

namespace tidewise {

std::optional<std::int32_t> find_profile(const EnvironmentInfo& info, const std::string& name) {
  const auto match =
      std::find_if(info.profiles.begin(), info.profiles.end(),
                   [&](const EnvironmentProfile& profile) { return profile.name == name; });
  if (match == info.profiles.end()) return std::nullopt;
  return static_cast<std::int32_t>(match - info.profiles.begin());
}

std::optional<std::int32_t> nearest_profile(const EnvironmentInfo& info, double depth,
                                            std::size_t count) {
  std::optional<std::int32_t> nearest;
  double min = 0;
  if (count == 0) count = info.profiles.size();
  for (std::size_t p = 0; p < count; ++p) {
    const auto deepest = deepest_of(info.profiles[p].depths);
    if (!deepest) continue;
    const double difference = std::abs(*deepest - depth);
    if (nearest && difference >= min) continue;
    nearest = static_cast<std::int32_t>(p);
    min = difference;
  }
  return nearest;
}

std::string profile_names(const EnvironmentInfo& info) {
  std::string names;
  for (const EnvironmentProfile& profile : info.profiles) {
    names += (names.empty() ? "" : ", ") + profile.name;
  }
  return names;
}

}  // namespace tidewise
