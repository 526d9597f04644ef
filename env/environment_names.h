#pragma once

#include <string>

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

}  // namespace tidewise
