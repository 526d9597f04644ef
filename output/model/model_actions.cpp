#include "output/model/model_actions.h"

#include <cstdint>

namespace tidewise {

void write_model_actions(Hdf5File& file, const std::vector<Action>& actions) {
  std::vector<double> speed;
  std::vector<double> heading;
  std::vector<std::int32_t> ax;
  std::vector<std::int32_t> ay;
  std::vector<std::uint8_t> profile;
  for (const auto& action : actions) {
    speed.push_back(action.speed);
    heading.push_back(action.heading);
    ax.push_back(action.displacement.x);
    ay.push_back(action.displacement.y);
    profile.push_back(static_cast<std::uint8_t>(action.profile));
  }
  file.define_variable("speed", NumberType::float64, {"action"});
  file.define_variable("heading", NumberType::float64, {"action"});
  file.set_attribute("heading", "units", "radian");
  file.define_variable("displacement_x", NumberType::int32, {"action"});
  file.define_variable("displacement_y", NumberType::int32, {"action"});
  file.set_attribute("displacement_x", "long_name", "eastward step of the action, in 2^-20 cells");
  file.set_attribute("displacement_y", "long_name", "northward step of the action, in 2^-20 cells");
  file.write_all("speed", speed);
  file.write_all("heading", heading);
  file.write_all("displacement_x", ax);
  file.write_all("displacement_y", ay);
  if (actions.back().profile > 0) {
    file.define_variable("profile", NumberType::uint8, {"action"});
    file.set_attribute("profile", "long_name",
                       "which of the mission's vehicle.profiles the action dives, from 0 on");
    file.write_all("profile", profile);
  }
}

}  // namespace tidewise
