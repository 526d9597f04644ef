#include "output/view/packed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "output/view/packed_numbers.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;
using Shape = std::vector<std::size_t>;

constexpr std::int32_t gap_value = -32768;  // a 16-bit value that quantise_range() does not use

// Maximum share of the remaining bytes for each part; bytes that it does not use go to the next.
constexpr double share_of_flights = 0.4;
constexpr double share_of_obstacles = 0.1;
constexpr double share_of_policy = 0.55;
constexpr double share_of_corridor = 0.1;
constexpr double share_of_reach = 0.4;

struct NamedNumbers {
  std::string name;
  PackedNumbers numbers;
};
using Arrays = std::vector<NamedNumbers>;

std::size_t size_of(const Arrays& arrays) {
  std::size_t size = 0;
  for (const NamedNumbers& array : arrays) size += array.numbers.stream.size();
  return size;
}

std::size_t share(std::size_t bytes_left, double part) {
  return static_cast<std::size_t>(part * static_cast<double>(bytes_left));
}

Json to_json(const ViewLattice& lattice) {
  return {{"first_level", lattice.first_level},
          {"level_stride", lattice.level_stride},
          {"level_count", lattice.level_count},
          {"cell_stride", lattice.cell_stride},
          {"nx", lattice.nx},
          {"ny", lattice.ny}};
}

Shape plane_shape(const ViewLattice& lattice) {
  return {static_cast<std::size_t>(lattice.level_count), static_cast<std::size_t>(lattice.ny),
          static_cast<std::size_t>(lattice.nx)};
}

Shape mode_shape(const FlowView& flow) {
  Shape shape = plane_shape(flow.lattice);
  shape.insert(shape.begin() + 1, static_cast<std::size_t>(flow.mode_count));
  if (flow.fixed_modes) shape.erase(shape.begin());
  return shape;
}

/// The greatest component of the mean and of the modes.
double fastest_of(const FlowView& flow) {
  double fastest = 0;
  for (const VelocityView& velocity : flow.velocity) {
    for (std::size_t n = 0; n < velocity.u_mean.size(); ++n) {
      fastest = std::max<double>(fastest, std::hypot(velocity.u_mean[n], velocity.v_mean[n]));
    }
    for (const auto* mode : {&velocity.u_mode, &velocity.v_mode}) {
      for (const float value : *mode) fastest = std::max<double>(fastest, std::abs(value));
    }
  }
  return fastest;
}

template <class Number>
Quantisation range_of(const std::vector<Number>& values) {
  double min = 0;
  double max = 0;
  bool has_value = false;
  for (const Number value : values) {
    if (!std::isfinite(value)) continue;
    min = has_value ? std::min(min, static_cast<double>(value)) : static_cast<double>(value);
    max = has_value ? std::max(max, static_cast<double>(value)) : static_cast<double>(value);
    has_value = true;
  }
  return quantise_range(min, max);
}

template <class Number>
NamedNumbers pack_by_range(const std::string& name, const std::vector<Number>& values,
                           const Shape& shape) {
  const Quantisation quantisation = range_of(values);
  return {name,
          pack_numbers(quantise(values, quantisation), shape, ElementBytes::two, quantisation)};
}

template <class Number>
NamedNumbers pack_whole(const std::string& name, const std::vector<Number>& values,
                        const Shape& shape, ElementBytes element) {
  return {name, pack_numbers({values.begin(), values.end()}, shape, element)};
}

/// Packs a field in which gaps have `gap_value`, which hardly affects its compressed size, because
/// gaps lie together.
NamedNumbers pack_with_gaps(const std::string& name, std::vector<float> values,
                            const Shape& shape) {
  const Quantisation quantisation = range_of(values);
  std::vector<std::uint8_t> gap(values.size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    gap[n] = std::isfinite(values[n]) ? 0 : 1;
    if (gap[n] != 0) values[n] = static_cast<float>(quantisation.offset);
  }
  std::vector<std::int32_t> numbers = quantise(values, quantisation);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    // The offset was rounded to a float: numbers may be a step off at the ends of the range.
    numbers[n] = gap[n] != 0 ? gap_value : std::clamp(numbers[n], gap_value + 1, -gap_value - 1);
  }
  return {name, pack_numbers(std::move(numbers), shape, ElementBytes::two, quantisation)};
}

std::string nth(std::int32_t n) {
  if (n % 10 == 2 && n % 100 != 12) return fmt::format("{}nd", n);
  if (n % 10 == 3 && n % 100 != 13) return fmt::format("{}rd", n);
  if (n % 10 == 1 && n % 100 != 11) return fmt::format("{}st", n);
  return fmt::format("{}th", n);
}

/// Adds a note such as "The flow is kept at every 4th cell, …", if the lattice is thinned.
void add_thinning_note(Json& notes, const std::string& what, const ViewLattice& lattice) {
  std::string text;
  if (lattice.cell_stride > 1) text = fmt::format("every {} cell", nth(lattice.cell_stride));
  if (lattice.level_stride > 1) {
    if (!text.empty()) text += " and ";
    text += fmt::format("every {} time level", nth(lattice.level_stride));
  }
  if (!text.empty())
    notes.push_back(fmt::format("{} kept at {}, to keep this page small.", what, text));
}

class Packer {
 public:
  Packer(RunView run, std::size_t max_bytes) : run_(std::move(run)), max_bytes_(max_bytes) {
    packed_.facts = std::move(run_.facts);
    packed_.facts["notes"] = run_.notes;
    packed_.facts["grid"] = {{"nx", run_.grid.nx},           {"ny", run_.grid.ny},
                             {"x_first", run_.grid.x_first}, {"y_first", run_.grid.y_first},
                             {"dx", run_.grid.dx},           {"dy", run_.grid.dy}};
    packed_.facts["arrays"] = Json::object();
  }

  PackedRun pack() {
    add_globe();
    add_flights();
    add_obstacles();
    add_natural_earth();
    add_policy();
    add_corridor();
    add_reach();
    add_flow();
    return std::move(packed_);
  }

 private:
  std::size_t bytes_left() const {
    return max_bytes_ > packed_.bytes.size() ? max_bytes_ - packed_.bytes.size() : 0;
  }
  Json& notes() { return packed_.facts["notes"]; }

  void add(const Arrays& arrays) {
    for (const auto& [name, numbers] : arrays) {
      packed_.facts["arrays"][name] = {{"shape", numbers.shape},
                                       {"bytes", static_cast<int>(numbers.element)},
                                       {"axes", numbers.axes},
                                       {"step", numbers.quantisation.step},
                                       {"offset", numbers.quantisation.offset},
                                       {"begin", packed_.bytes.size()},
                                       {"size", numbers.stream.size()}};
      packed_.bytes.insert(packed_.bytes.end(), numbers.stream.begin(), numbers.stream.end());
    }
  }

  void add_globe() {
    packed_.facts["globe"] = nullptr;
    if (!run_.globe) return;
    const GlobeView& globe = *run_.globe;
    Shape shape = plane_shape(globe.lattice);
    constexpr Quantisation point{1e-8};  // 0.06 m
    shape[0] = 3;
    add({{"globe_point",
          pack_numbers(quantise(globe.point, point), shape, ElementBytes::four, point)}});
    constexpr Quantisation turn{1.0 / 32767};
    shape[0] = 2;
    add({{"convergence",
          pack_numbers(quantise(globe.convergence, turn), shape, ElementBytes::two, turn)}});
    packed_.facts["globe"] = to_json(globe.lattice);
  }

  Arrays pack_tracks() const {
    const FlightsView& flights = *run_.flights;
    const std::size_t drawn = flights.drawn.size();
    const Shape tracks{drawn, flights.max_points};
    Arrays arrays{pack_whole("drawn", flights.drawn, {drawn}, ElementBytes::four),
                  pack_whole("point_count", flights.point_count, {drawn}, ElementBytes::four),
                  pack_by_range("track_x", flights.x, tracks),
                  pack_by_range("track_y", flights.y, tracks)};
    if (!flights.profile.empty()) {
      arrays.push_back(pack_whole("track_profile", flights.profile, tracks, ElementBytes::one));
    }
    return arrays;
  }

  void keep_half_of_flights() {
    FlightsView& flights = *run_.flights;
    FlightsView half = flights;
    half.drawn.clear();
    half.point_count.clear();
    half.x.clear();
    half.y.clear();
    half.profile.clear();
    for (std::size_t n = 0; n < flights.drawn.size(); n += 2) {
      const auto begin = static_cast<std::ptrdiff_t>(n * flights.max_points);
      const auto end = begin + static_cast<std::ptrdiff_t>(flights.max_points);
      half.drawn.push_back(flights.drawn[n]);
      half.point_count.push_back(flights.point_count[n]);
      half.x.insert(half.x.end(), flights.x.begin() + begin, flights.x.begin() + end);
      half.y.insert(half.y.end(), flights.y.begin() + begin, flights.y.begin() + end);
      if (flights.profile.empty()) continue;
      half.profile.insert(half.profile.end(), flights.profile.begin() + begin,
                          flights.profile.begin() + end);
    }
    flights = std::move(half);
  }

  void add_flights() {
    packed_.facts["flights"] = nullptr;
    if (!run_.flights) return;
    FlightsView& flights = *run_.flights;
    const std::size_t count = flights.outcome.size();
    const double last = *std::max_element(flights.end_time.begin(), flights.end_time.end());
    const Quantisation moment{last > 0 ? last / (1 << 30) : 1};
    Arrays ends{{"end_time", pack_numbers(quantise(flights.end_time, moment), {count},
                                          ElementBytes::four, moment)},
                pack_whole("outcome", flights.outcome, {count}, ElementBytes::one),
                pack_whole("flown_realization", flights.realization, {count}, ElementBytes::four),
                pack_by_range("energy", flights.energy, {count})};
    if (!flights.weight.empty()) ends.push_back(pack_by_range("weight", flights.weight, {count}));
    add(ends);
    Arrays tracks = pack_tracks();
    const std::size_t max = share(bytes_left(), share_of_flights);
    while (size_of(tracks) > max && flights.drawn.size() > 1) {
      keep_half_of_flights();
      tracks = pack_tracks();
    }
    add(tracks);
    packed_.facts["flights"] = {{"count", count}, {"drawn", flights.drawn.size()}};
    if (flights.drawn.size() < count) {
      notes().push_back(fmt::format(
          "{} of {} flights are drawn, to keep this page small; the percentages and the "
          "curve of arrivals count all of them.",
          flights.drawn.size(), count));
    }
  }

  void add_obstacles() {
    ObstacleView& obstacles = run_.obstacles;
    const auto pack = [&] {
      return Arrays{pack_whole("closed", obstacles.closed, plane_shape(obstacles.lattice),
                               ElementBytes::one)};
    };
    Arrays arrays = pack();
    const std::size_t max = share(bytes_left(), share_of_obstacles);
    while (size_of(arrays) > max && obstacles.closed.size() > 1) {
      const ViewLattice coarse = coarsened(obstacles.lattice, CoarsenFirst::levels);
      obstacles = {coarse, thinned(obstacles.closed, 1, obstacles.lattice, coarse)};
      arrays = pack();
    }
    add(arrays);
    packed_.facts["obstacles"] = to_json(obstacles.lattice);
    add_thinning_note(notes(), "Obstacles are", obstacles.lattice);
  }

  void add_policy() {
    PolicyView& policy = run_.policy;
    const auto pack = [&] {
      const Shape shape = plane_shape(policy.lattice);
      return Arrays{pack_whole("action", policy.action, shape, ElementBytes::two),
                    pack_with_gaps("value", policy.value, shape)};
    };
    Arrays arrays = pack();
    const std::size_t max = share(bytes_left(), run_.flow ? share_of_policy : 1);
    while (size_of(arrays) > max && policy.action.size() > 1) {
      const ViewLattice coarse = coarsened(policy.lattice, CoarsenFirst::levels);
      policy = {coarse, thinned(policy.action, 1, policy.lattice, coarse),
                thinned(policy.value, 1, policy.lattice, coarse)};
      arrays = pack();
    }
    add(arrays);
    packed_.facts["policy"] = to_json(policy.lattice);
    add_thinning_note(notes(), "Action and value are", policy.lattice);
  }

  void add_natural_earth() {
    const NaturalEarthView& earth = run_.natural_earth;
    add_lines("coast", earth.coast);
    add_lines("depth_200", earth.depth_200);
    add_lines("depth_1000", earth.depth_1000);
    Json& names = packed_.facts["names"] = Json::array();
    for (const MapName& map_name : earth.names) {
      names.push_back({map_name.name, map_name.point.x, map_name.point.y, map_name.is_sea});
    }
  }

  void add_lines(const std::string& name, const NaturalEarthView::Lines& lines) {
    std::vector<std::int32_t> begin;
    std::vector<double> x, y;
    for (const auto& line : lines) {
      begin.push_back(static_cast<std::int32_t>(x.size()));
      for (const PlanePoint& point : line) {
        x.push_back(point.x);
        y.push_back(point.y);
      }
    }
    if (x.empty()) return;
    add({pack_whole(name + "_begin", begin, {begin.size()}, ElementBytes::four),
         pack_by_range(name + "_x", x, {x.size()}), pack_by_range(name + "_y", y, {y.size()})});
  }

  void add_corridor() {
    packed_.facts["corridor"] = nullptr;
    if (!run_.corridor) return;
    CorridorView& corridor = *run_.corridor;
    // The step is finer than a drawn line, and the maximum suffices far within the corridor.
    constexpr Quantisation density{1.0 / 60};
    constexpr float max = 4;
    for (float& value : corridor.density) value = std::min(value, max);
    const auto pack = [&] {
      return Arrays{
          {"density", pack_numbers(quantise(corridor.density, density),
                                   plane_shape(corridor.lattice), ElementBytes::one, density)}};
    };
    Arrays arrays = pack();
    const std::size_t max_size = share(bytes_left(), run_.flow ? share_of_corridor : 1);
    while (size_of(arrays) > max_size && corridor.density.size() > 1) {
      const ViewLattice coarse = coarsened(corridor.lattice, CoarsenFirst::levels);
      corridor = {coarse, thinned(corridor.density, 1, corridor.lattice, coarse)};
      arrays = pack();
    }
    add(arrays);
    packed_.facts["corridor"] = to_json(corridor.lattice);
  }

  void add_reach() {
    packed_.facts["reach"] = nullptr;
    if (!run_.reach) return;
    ReachView& reach = *run_.reach;
    const auto pack = [&] {
      const Shape shape = plane_shape(reach.lattice);
      return Arrays{pack_with_gaps("arrival", reach.arrival, shape),
                    pack_with_gaps("time_to_go", reach.time_to_go, shape)};
    };
    Arrays arrays = pack();
    const std::size_t max = share(bytes_left(), run_.flow ? share_of_reach : 1);
    while (size_of(arrays) > max && reach.arrival.size() > 1) {
      const ViewLattice coarse = coarsened(reach.lattice, CoarsenFirst::levels);
      reach = {coarse, thinned(reach.arrival, 1, reach.lattice, coarse),
               thinned(reach.time_to_go, 1, reach.lattice, coarse)};
      arrays = pack();
    }
    add(arrays);
    packed_.facts["reach"] = to_json(reach.lattice);
    add_thinning_note(notes(), "Chance of arriving and time to go are", reach.lattice);
  }

  Arrays pack_flow() const {
    const FlowView& flow = *run_.flow;
    const Shape planes = plane_shape(flow.lattice);
    const double fastest = fastest_of(flow);
    const Quantisation quantisation{fastest > 0 ? fastest / 4000 : 1};
    const auto modes = static_cast<std::size_t>(flow.mode_count);
    Arrays arrays{
        pack_by_range("coefficient", flow.coefficient, {planes[0], modes, flow.realization.size()}),
        pack_whole("realization", flow.realization, {flow.realization.size()}, ElementBytes::four)};
    if (!flow.covariance.empty()) {
      arrays.insert(arrays.begin() + 1,
                    pack_by_range("covariance", flow.covariance, {planes[0], modes, modes}));
    }
    for (std::size_t p = 0; p < flow.velocity.size(); ++p) {
      const auto add_velocity = [&](const char* name, const std::vector<float>& values,
                                    const Shape& shape) {
        arrays.push_back(
            {p == 0 ? name : fmt::format("{}_{}", name, p),
             pack_numbers(quantise(values, quantisation), shape, ElementBytes::two, quantisation)});
      };
      const VelocityView& velocity = flow.velocity[p];
      add_velocity("u_mean", velocity.u_mean, planes);
      add_velocity("v_mean", velocity.v_mean, planes);
      add_velocity("u_mode", velocity.u_mode, mode_shape(flow));
      add_velocity("v_mode", velocity.v_mode, mode_shape(flow));
    }
    if (!flow.scalar.empty()) arrays.push_back(pack_by_range("scalar", flow.scalar, planes));
    return arrays;
  }

  void coarsen_flow() {
    FlowView& flow = *run_.flow;
    const ViewLattice from = flow.lattice;
    const ViewLattice to = coarsened(from, CoarsenFirst::cells);
    const auto modes = static_cast<std::size_t>(flow.mode_count);
    ViewLattice modes_to = to;
    if (flow.fixed_modes) modes_to.level_count = 1;
    for (VelocityView& velocity : flow.velocity) {
      velocity.u_mean = thinned(velocity.u_mean, 1, from, to);
      velocity.v_mean = thinned(velocity.v_mean, 1, from, to);
      velocity.u_mode = thinned(velocity.u_mode, modes, from, modes_to);
      velocity.v_mode = thinned(velocity.v_mode, modes, from, modes_to);
    }
    if (!flow.scalar.empty()) flow.scalar = thinned(flow.scalar, 1, from, to);
    const auto rows = [&](std::vector<float>& values, std::size_t columns) {
      ViewLattice row = from;
      row.cell_stride = 1;
      row.nx = static_cast<std::int32_t>(columns);
      row.ny = 1;
      ViewLattice fewer = row;
      fewer.level_stride = to.level_stride;
      fewer.level_count = to.level_count;
      values = thinned(values, modes, row, fewer);
    };
    rows(flow.coefficient, flow.realization.size());
    if (!flow.covariance.empty()) rows(flow.covariance, modes);
    flow.lattice = to;
  }

  void add_flow() {
    packed_.facts["flow"] = nullptr;
    if (!run_.flow) return;
    FlowView& flow = *run_.flow;
    Arrays arrays = pack_flow();
    while (size_of(arrays) > bytes_left() && flow.lattice.size() > 1) {
      coarsen_flow();
      arrays = pack_flow();
    }
    add(arrays);
    packed_.facts["flow"] = to_json(flow.lattice);
    packed_.facts["flow"]["mode_count"] = flow.mode_count;
    packed_.facts["flow"]["fixed_modes"] = flow.fixed_modes;
    packed_.facts["flow"]["has_scalar"] = !flow.scalar.empty();
    add_thinning_note(notes(), "The flow is", flow.lattice);
  }

  RunView run_;
  std::size_t max_bytes_;
  PackedRun packed_;
};

}  // namespace

PackedRun pack_run(RunView run, std::size_t max_bytes) {
  return Packer(std::move(run), max_bytes).pack();
}

}  // namespace tidewise
