#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "tidewise/rollout.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tidewise::python {
namespace {

/// One member of all points of a flight, where it lies: `owner` keeps the flights.
template <class T>
nb::ndarray<nb::numpy, const T> member_of(const std::vector<TrajectoryPoint>& points,
                                          T TrajectoryPoint::*member, const nb::object& owner) {
  static_assert(sizeof(TrajectoryPoint) % sizeof(T) == 0);
  const std::size_t shape[] = {points.size()};
  const std::int64_t strides[] = {sizeof(TrajectoryPoint) / sizeof(T)};
  return {points.empty() ? nullptr : &(points.front().*member), 1, shape, owner, strides};
}

nb::dict points_of(const nb::object& self, std::int64_t number) {
  const auto& flights = nb::cast<const Flights&>(self);
  const std::vector<Trajectory>& all = flights.trajectories();
  if (number < 0 || number >= static_cast<std::int64_t>(all.size())) {
    throw InputError("flight " + std::to_string(number) + ": there are " +
                     std::to_string(all.size()) + " flights; choose one by its number from 0");
  }
  const std::vector<TrajectoryPoint>& points = all[static_cast<std::size_t>(number)].points;
  nb::dict arrays;
  arrays["x"] = member_of(points, &TrajectoryPoint::x, self);
  arrays["y"] = member_of(points, &TrajectoryPoint::y, self);
  arrays["heading"] = member_of(points, &TrajectoryPoint::heading, self);
  arrays["speed"] = member_of(points, &TrajectoryPoint::speed, self);
  arrays["energy"] = member_of(points, &TrajectoryPoint::energy, self);
  arrays["harvested"] = member_of(points, &TrajectoryPoint::harvested, self);
  return arrays;
}

template <class T, class Value>
Array<T> of_each(const Flights& flights, Value value) {
  std::vector<T> values;
  values.reserve(flights.trajectories().size());
  for (const Trajectory& one : flights.trajectories()) values.push_back(static_cast<T>(value(one)));
  return array_of(std::move(values));
}

}  // namespace

void bind_flights(nb::module_& module) {
  nb::class_<Flights>(module, "Flights", "All flights of one policy.")
      .def("__len__", [](const Flights& flights) { return flights.trajectories().size(); })
      .def(
          "points",
          [](nb::handle self, std::int64_t number) {
            return points_of(nb::borrow<nb::object>(self), number);
          },
          "number"_a,
          "x, y, heading, speed, energy and harvested of a flight, each (point): views, no copies.")
      .def_prop_ro("outcome",
                   [](const Flights& flights) {
                     return of_each<std::uint8_t>(
                         flights, [](const Trajectory& one) { return one.outcome; });
                   })
      .def_prop_ro("total_reward",
                   [](const Flights& flights) {
                     return of_each<double>(flights,
                                            [](const Trajectory& one) { return one.total_reward; });
                   })
      .def_prop_ro("warnings", &Flights::warnings);
}

}  // namespace tidewise::python
