#include "tidewise/policy.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/arrays.h"
#include "bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tidewise::python {
namespace {

Array<std::int16_t> actions_at(const Policy& policy, std::int32_t level) {
  std::vector<std::int16_t> plane;
  {
    const nb::gil_scoped_release released;
    plane = policy.action_plane(level);
  }
  return array_of(std::move(plane), {std::size_t(policy.rows()), std::size_t(policy.columns())});
}

Array<float> values_at(const Policy& policy, std::int32_t level) {
  std::vector<float> plane;
  {
    const nb::gil_scoped_release released;
    plane = policy.value_plane(level);
  }
  return array_of(std::move(plane), {std::size_t(policy.rows()), std::size_t(policy.columns())});
}

}  // namespace

void bind_policy(nb::module_& module) {
  nb::class_<Policy::Steering>(module, "Action",
                               "A heading, a speed through the water and where it dives.")
      .def_ro("heading", &Policy::Steering::heading, "[rad] counter-clockwise from +x")
      .def_ro("speed", &Policy::Steering::speed, "[m s-1 or 1]")
      .def_ro("profile", &Policy::Steering::profile,
              "That it dives, of several that the vehicle has; else empty.");
  nb::class_<Policy>(module, "Policy", "What to do where and when.")
      .def_static("open", &Policy::open, "file"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("leg", &Policy::leg, "number"_a, "Another leg of its mission, 1 the first.")
      .def_prop_ro("legs", &Policy::legs)
      .def("at", &Policy::at, "level"_a, "x"_a, "y"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("value", &Policy::value, "level"_a, "x"_a, "y"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("actions_at", actions_at, "level"_a,
           "(y, x) int16: which action; -1 where none is taken.")
      .def("values_at", values_at, "level"_a, "(y, x) float32: expected total reward.");
}

}  // namespace tidewise::python
