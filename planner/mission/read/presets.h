#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tidewise/mission.h"

namespace tidewise {

/// Published figures of a kind of vehicle, as a starting point.
struct VehiclePreset {
  std::string_view name;       ///< "slocum-g3"
  std::vector<double> speeds;  ///< [m s-1] through the water
  double c_f = 0;              ///< [W s2 m-2], see EnergyModel
  double c_t = 0;              ///< [W]
  double deepest = 0;          ///< [m] depth to which it glides; 0: it stays at one depth
  double vertical_speed = 0;   ///< [m s-1] down and up on dives; 0 where it does not glide
  std::string_view source;     ///< source of all these figures
};

/// All presets.
const std::vector<VehiclePreset>& vehicle_presets();

/// The preset of this name; null if there is none.
const VehiclePreset* find_preset(std::string_view name);

/// Lists all names, followed by the one closest to `wrong`, if any.
std::string describe_presets(std::string_view wrong = {});

}  // namespace tidewise
