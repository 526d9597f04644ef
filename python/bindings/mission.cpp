#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "env/environment_names.h"
#include "tidewise/mission_file.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tidewise::python {
namespace {

nb::dict names_of(const MissionFile& mission) {
  nb::dict names;
  for (const auto& [role, member] : environment_roles) {
    names[role] = nb::cast(mission.names.*member);
  }
  return names;
}

}  // namespace

void bind_mission(nb::module_& module) {
  nb::class_<MissionFile>(module, "MissionFile", "What a mission asks for, key by key.")
      .def_ro("environment", &MissionFile::environment)
      .def_prop_ro("names", names_of)
      .def_rw("arrival_at_least", &MissionFile::arrival_at_least)
      .def_prop_rw(
          "all_departures",
          [](const MissionFile& mission) { return mission.planner.all_departures; },
          [](MissionFile& mission, bool all) { mission.planner.all_departures = all; })
      .def_prop_ro("flies", [](const MissionFile& mission) {
        return mission.rollout.mode != RolloutChoice::none;
      });
  module.def("read_mission", &read_mission, "file"_a, "settings"_a);
  module.def("mission_key_names", &mission_key_names);
  module.def("mission_of_settings", &mission_of_settings, "settings"_a, "name"_a);
}

}  // namespace tidewise::python
