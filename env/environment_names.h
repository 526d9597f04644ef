#pragma once

#include <string>
#include <utility>

#include "tidewise/environment.h"

namespace tidewise {

/// The role of each variable, as mission files and commands name it, and the member of
/// EnvironmentNames that holds the variable's name.
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
