#pragma once

#include <string>
#include <utility>

namespace tidewise {

/// What an environment file calls its variables; a mission's [environment.names] may say otherwise.
struct EnvironmentNames {
  std::string x = "x";
  std::string y = "y";
  std::string time = "time";
  std::string u_mean = "u_mean";
  std::string v_mean = "v_mean";
  std::string u_mode = "u_mode";
  std::string v_mode = "v_mode";
  std::string coefficient = "coefficient";
  std::string scalar_mean = "scalar_mean";
  std::string obstacle_mask = "obstacle_mask";
  std::string realization_weight = "realization_weight";
  std::string lon = "lon";
  std::string lat = "lat";
};

/// The role of each, as missions and commands call it.
inline constexpr std::pair<const char*, std::string EnvironmentNames::*> environment_roles[] = {
    {"x", &EnvironmentNames::x},
    {"y", &EnvironmentNames::y},
    {"time", &EnvironmentNames::time},
    {"u_mean", &EnvironmentNames::u_mean},
    {"v_mean", &EnvironmentNames::v_mean},
    {"u_mode", &EnvironmentNames::u_mode},
    {"v_mode", &EnvironmentNames::v_mode},
    {"coefficient", &EnvironmentNames::coefficient},
    {"scalar_mean", &EnvironmentNames::scalar_mean},
    {"obstacle_mask", &EnvironmentNames::obstacle_mask},
    {"realization_weight", &EnvironmentNames::realization_weight},
    {"lon", &EnvironmentNames::lon},
    {"lat", &EnvironmentNames::lat}};

}  // namespace tidewise
