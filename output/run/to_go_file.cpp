#include "output/run/to_go_file.h"

#include <limits>
#include <string>

#include "env/file/grid_mapping.h"
#include "output/run/attributes.h"
#include "output/run/policy_description.h"

namespace tidewise {
namespace {

constexpr const char* arrival = "arrival_probability";
constexpr const char* time_to_go = "time_to_go";
constexpr const char* energy_to_go = "energy_to_go";
constexpr const char* flight_density = "flight_density";
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
/// Least arrival probability for which means are written.
constexpr double min_arrival = 1e-7;

}  // namespace

ToGoWriter::ToGoWriter(AtomicFile& file, const EnvironmentInfo& info, const EnergyModel& energy,
                       const PolicyFile& policy, const FlightDensity* flights)
    : ny_(static_cast<std::uint64_t>(info.grid.ny)),
      nx_(static_cast<std::uint64_t>(info.grid.nx)),
      flights_(flights),
      arrival_(ny_ * nx_),
      time_(ny_ * nx_),
      energy_(ny_ * nx_),
      file_(Hdf5File::create(file.temporary_path())) {
  set_run_attributes(file_, info, "Chance of arriving, time and energy to go",
                     policy.mission_text(), "swept the policy");
  define(info, energy, policy);
}

void ToGoWriter::define(const EnvironmentInfo& info, const EnergyModel& energy,
                        const PolicyFile& policy) {
  define_axes(file_, info, info.grid, policy.time());
  const auto define_map = [&](const char* name, const std::string& units, const char* meaning) {
    file_.define_variable(name, NumberType::float32, {"time", "y", "x"},
                          {.chunk = {1, ny_, nx_}, .fill = double(nan), .deflate = deflate_level});
    describe(file_, name, units, meaning);
  };
  const std::string time_units = info.units == Units::metric ? "s" : "1";
  define_map(arrival, "1", "probability of arriving by the policy from here on");
  define_map(time_to_go, time_units, "mean time to go of what arrives");
  define_map(energy_to_go, energy_units(energy, info.units), "mean energy to go of what arrives");
  std::vector<std::string> maps{arrival, time_to_go, energy_to_go};
  if (flights_ != nullptr) {
    define_map(flight_density, "1",
               "density of the flights under way over that on the rim of the smallest region that "
               "holds nine in ten of them");
    maps.emplace_back(flight_density);
  }
  if (info.coordinates == Coordinates::geographic) {
    write_places(file_, info.grid, read_longitude(policy), read_latitude(policy), maps);
  }
  write_grid_mapping(file_, read_grid_mapping(policy.file(), "action"), maps);
}

void ToGoWriter::accept(TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed) {
  for (std::size_t cell = 0; cell < arrival_.size(); ++cell) {
    const ToGo& state = to_go[cell];
    const bool arrives = closed[cell] == 0 && state.arrival > min_arrival;
    arrival_[cell] = closed[cell] == 0 ? static_cast<float>(state.arrival) : nan;
    time_[cell] = arrives ? static_cast<float>(state.time / state.arrival) : nan;
    energy_[cell] = arrives ? static_cast<float>(state.energy / state.arrival) : nan;
  }
  const Extents start{static_cast<std::uint64_t>(k.value), 0, 0};
  const Extents count{1, ny_, nx_};
  file_.write(arrival, start, count, arrival_.data());
  file_.write(time_to_go, start, count, time_.data());
  file_.write(energy_to_go, start, count, energy_.data());
  if (flights_ == nullptr) return;
  std::vector<float> density = flights_->at(k);
  for (std::size_t cell = 0; cell < density.size(); ++cell) {
    if (closed[cell] != 0) density[cell] = nan;
  }
  file_.write(flight_density, start, count, density.data());
}

void ToGoWriter::finish() { file_.close(); }

ToGoReader::ToGoReader(const std::filesystem::path& path, const PolicyFile& policy)
    : file_(Hdf5File::open(path), "make the file again with 'tidewise reach'"),
      cells_(static_cast<std::size_t>(policy.grid().cell_count())) {
  constexpr double rounding = 1 + 1e-5;
  const TimeAxis& axis = policy.time();
  const Extents shape{static_cast<std::uint64_t>(axis.level_count),
                      static_cast<std::uint64_t>(policy.grid().ny),
                      static_cast<std::uint64_t>(policy.grid().nx)};
  const auto rule = [&](const char* name, double max) {
    return DatasetRule{name, NumberKind::floating, shape,        "(time, y, x)",
                       0,    max * rounding,       Gaps::allowed};
  };
  arrival_ = rule(arrival, 1);
  time_ = rule(time_to_go, axis.level_count * axis.step);
  file_.require(arrival_);
  file_.require(time_);
}

void ToGoReader::read_arrival(TimeLevel k, std::vector<float>& field) const {
  read(arrival_, k, field);
}

void ToGoReader::read_time(TimeLevel k, std::vector<float>& field) const { read(time_, k, field); }

void ToGoReader::read(const DatasetRule& rule, TimeLevel k, std::vector<float>& field) const {
  field.resize(cells_);
  file_.read_slice<float>(rule, static_cast<std::uint64_t>(k.value), field);
}

}  // namespace tidewise
