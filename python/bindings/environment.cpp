#include "tidewise/environment.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "app/cli/environment_options.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "env/environment_names.h"
#include "env/file/reader.h"
#include "env/import/projection_data.h"
#include "env/levels/level_dates.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tidewise::python {
namespace {

// The caller converts arrays, so that each copy is visible where it is made.
template <class T, int dimensions>
using InputArray = nb::ndarray<const T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

using InputModes = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

template <class Array>
auto values_of(const Array& array) {
  return std::vector<std::remove_const_t<typename Array::Scalar>>(array.data(),
                                                                  array.data() + array.size());
}

Environment from_arrays(const EnvironmentAxes& axes, const InputArray<float, 3>& u_mean,
                        const InputArray<float, 3>& v_mean, const InputModes& u_mode,
                        const InputModes& v_mode, const InputArray<float, 3>& coefficient,
                        const std::optional<InputArray<float, 3>>& scalar,
                        const std::optional<InputArray<std::uint8_t, 3>>& masked) {
  EnvironmentArrays arrays{.axes = axes,
                           .u_mean = values_of(u_mean),
                           .v_mean = values_of(v_mean),
                           .u_mode = values_of(u_mode),
                           .v_mode = values_of(v_mode),
                           .coefficient = values_of(coefficient)};
  if (scalar) arrays.scalar = values_of(*scalar);
  if (masked) arrays.masked = values_of(*masked);
  const nb::gil_scoped_release released;
  return Environment::from(arrays);
}

Environment open_environment(const std::filesystem::path& file,
                             const std::map<std::string, std::string>& names) {
  EnvironmentNames environment_names;
  for (const auto& [role, member] : environment_roles) {
    const auto entry = names.find(role);
    if (entry != names.end()) environment_names.*member = entry->second;
  }
  const nb::gil_scoped_release released;
  return Environment::open(file, environment_names);
}

/// Facts of an environment that callers need to define a mission.
nb::dict facts_of(const Environment& environment) {
  bool geographic = false;
  std::vector<double> dates;
  {
    const nb::gil_scoped_release released;
    const EnvironmentReader reader(environment.file(), environment.names());
    geographic = reader.info().coordinates == Coordinates::geographic;
    dates = LevelDates(reader).all();
  }
  nb::dict facts;
  facts["geographic"] = geographic;
  facts["dates"] = array_of(std::move(dates));
  return facts;
}

}  // namespace

void bind_environment(nb::module_& module) {
  nb::class_<EnvironmentAxes>(module, "EnvironmentAxes",
                              "How large an environment is, and where its cells and levels lie.")
      .def(nb::init<>())
      .def_rw("nx", &EnvironmentAxes::nx)
      .def_rw("ny", &EnvironmentAxes::ny)
      .def_rw("x_first", &EnvironmentAxes::x_first)
      .def_rw("y_first", &EnvironmentAxes::y_first)
      .def_rw("dx", &EnvironmentAxes::dx)
      .def_rw("dy", &EnvironmentAxes::dy)
      .def_rw("levels", &EnvironmentAxes::levels)
      .def_rw("time_first", &EnvironmentAxes::time_first)
      .def_rw("time_step", &EnvironmentAxes::time_step)
      .def_rw("modes", &EnvironmentAxes::modes)
      .def_rw("realizations", &EnvironmentAxes::realizations)
      .def_rw("metric", &EnvironmentAxes::metric);
  nb::class_<Environment>(module, "Environment", "An environment that missions are planned in.")
      .def_static("open", &open_environment, "file"_a, "names"_a)
      .def_static("take", &Environment::take, "file"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_static("from_arrays", &from_arrays, "axes"_a, "u_mean"_a.noconvert(),
                  "v_mean"_a.noconvert(), "u_mode"_a.noconvert(), "v_mode"_a.noconvert(),
                  "coefficient"_a.noconvert(), "scalar"_a.noconvert().none(),
                  "masked"_a.noconvert().none())
      .def_prop_ro("axes", &Environment::axes, nb::rv_policy::copy)
      .def_prop_ro("file", &Environment::file)
      .def("facts", facts_of,
           "geographic: whether cells have longitudes and latitudes; dates: of the levels [s since "
           "1970], empty where times count from none.")
      .def(
          "save",
          [](const Environment& environment, const std::filesystem::path& file, bool overwrite) {
            const nb::gil_scoped_release released;
            validate_environment_output(file, overwrite ? Overwrite::asked : Overwrite::refused,
                                        {environment.file()});
            environment.save(file);
          },
          "file"_a, "overwrite"_a);
  module.def("set_projection_folders", ingest::set_projection_folders, "folders"_a,
             "Where PROJ looks for its database from now on, one folder after the other.");
}

}  // namespace tidewise::python
