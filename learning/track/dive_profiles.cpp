#include "learning/track/dive_profiles.h"

#include <algorithm>
#include <cmath>

#include "base/parse_number.h"

namespace tidewise {
namespace {

/// How deep the dives of a profile go [m].
std::optional<double> greatest_depth(const EnvironmentProfile& profile) {
  const auto colon = profile.depths.find(':');
  return colon == std::string::npos ? std::nullopt
                                    : parse_number<double>(profile.depths.substr(colon + 1));
}

}  // namespace

std::optional<std::int32_t> find_profile(const EnvironmentInfo& info, const std::string& name) {
  const auto found =
      std::find_if(info.profiles.begin(), info.profiles.end(),
                   [&](const EnvironmentProfile& profile) { return profile.name == name; });
  if (found == info.profiles.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - info.profiles.begin());
}

std::optional<std::int32_t> nearest_profile(const EnvironmentInfo& info, double depth) {
  std::optional<std::int32_t> nearest;
  double least = 0;
  for (std::size_t p = 0; p < info.profiles.size(); ++p) {
    const auto reaches = greatest_depth(info.profiles[p]);
    if (!reaches) continue;
    const double apart = std::abs(*reaches - depth);
    if (nearest && apart >= least) continue;
    nearest = static_cast<std::int32_t>(p);
    least = apart;
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
