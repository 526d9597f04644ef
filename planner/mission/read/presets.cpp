#include "planner/mission/read/presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/mission/read/keys.h"

namespace tidewise {

// If a source gives only the total power, half of it is assigned to motion at the given speed and
// half to electronics: in gliders, pumps and electronics share it about equally.
const std::vector<VehiclePreset>& vehicle_presets() {
  static const std::vector<VehiclePreset> presets{
      {"slocum-g3",
       {0.35},
       18.0,
       2.2,
       1000,
       0.17,
       "0.35 m/s, 1000 m: Teledyne's data sheet; 0.17 m/s vertical: a glide at 26 degrees, a "
       "guess; "
       "4.4 W in all: 75 days on primary lithium cells (OOI 2021) of some 29 MJ"},
      {"seaglider",
       {0.25},
       4.0,
       0.25,
       1000,
       0.07,
       "0.25 m/s on 0.5 W in all, 1000 m: Eriksen et al. 2001, IEEE J. Oceanic Eng. 26, 424; 0.07 "
       "m/s vertical: some 580 dives to 1000 m in 191 days (University of Washington 2005)"},
      {"spray",
       {0.25},
       3.7,
       0.23,
       1000,
       0.1,
       "0.25 m/s, 0.1 m/s vertical, dives of 6 h to 1000 m: spraydata.ucsd.edu; 0.46 W in all: 13 "
       "MJ for 330 days, Rudnick et al. 2004, "
       "Mar. Tech. Soc. J. 38, 73"},
      {"wave-glider",
       {0.0, 0.75},
       0.0,
       10.0,
       0,
       0,
       "1.5 knots in a moderate sea, moved by its waves: Manley and Willcox 2010, OCEANS; 10 W for "
       "electronics: about the average yield of its two 43 W panels, a guess"},
      {"argo",
       {0.0},
       0.0,
       0.0,
       0,
       0,
       "drifts at its parking depth: take the currents from there (env import --depth); energy is "
       "not modelled"},
      {"auv-1ms",
       {0.5, 1.0},
       16.0,
       8.0,
       0,
       0,
       "0.5 to 1 m/s with 8 W for instruments: Bellingham et al. 2010, IEEE/OES AUV (Tethys); 16 W "
       "to "
       "move at 1 m/s: a guess"}};
  return presets;
}

const VehiclePreset* find_preset(std::string_view name) {
  const auto& presets = vehicle_presets();
  const auto found = std::find_if(presets.begin(), presets.end(),
                                  [&](const VehiclePreset& preset) { return preset.name == name; });
  return found == presets.end() ? nullptr : &*found;
}

std::string describe_presets(std::string_view wrong) {
  std::vector<std::string_view> names;
  for (const VehiclePreset& vehicle_preset : vehicle_presets())
    names.push_back(vehicle_preset.name);
  const std::string near = wrong.empty() ? "" : nearest_word(wrong, names);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near));
}

}  // namespace tidewise
