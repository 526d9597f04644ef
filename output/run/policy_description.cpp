#include "output/run/policy_description.h"

#include <fmt/format.h>

#include "base/error.h"
#include "env/file/profile_words.h"
#include "env/file/time_reference.h"

namespace tidewise {
namespace {

// Prefix that PolicyWriter adds to the environment's title.
constexpr std::string_view title_prefix = "Policy: ";

}  // namespace

EnvironmentInfo describe_environment_of(const PolicyFile& policy) {
  const Hdf5File& file = policy.file();
  EnvironmentInfo info;
  info.grid = policy.grid();
  info.time = policy.time();
  const std::string length = file.text_attribute("x", "units").value_or("1");
  info.units = length == "m" ? Units::metric : Units::nondimensional;
  info.time_units = file.text_attribute("time", "units").value_or("1");
  info.projection = file.text_attribute("/", "projection").value_or("");
  info.coordinates = policy.has_positions() ? Coordinates::geographic : Coordinates::plane;
  info.history = file.text_attribute("/", "history").value_or("");
  const std::string title = file.text_attribute("/", "title").value_or("");
  info.profiles = policy.profiles().empty() ? read_profile_words(file, "/") : policy.profiles();
  if (title.starts_with(title_prefix)) info.title = title.substr(title_prefix.size());
  return info;
}

PolicyFrame place_of(const PolicyFile& policy, const std::string& name) {
  const EnvironmentInfo info = describe_environment_of(policy);
  PolicyFrame place{name, info.grid, info.time, 0, info.projection, policy.actions()};
  for (const EnvironmentProfile& profile : policy.profiles()) {
    place.profiles.push_back(profile.name);
  }
  try {
    place.origin = time_reference(info.time_units, "").value_or(0);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: variable time: {}", policy.path().string(), error.what()));
  }
  return place;
}

std::string value_units(const PolicyFile& policy) {
  return policy.file().text_attribute("value", "units").value_or("");
}

std::vector<double> read_longitude(const PolicyFile& policy) {
  return policy.read_positions().longitude;
}

std::vector<double> read_latitude(const PolicyFile& policy) {
  return policy.read_positions().latitude;
}

}  // namespace tidewise
