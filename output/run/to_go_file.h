#pragma once

#include <filesystem>
#include <vector>

#include "base/file/atomic_file.h"
#include "base/hdf5/checked_dataset.h"
#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "output/run/policy_file.h"
#include "output/view/flight_density.h"
#include "solver/evaluate/to_go.h"

namespace tidewise {

/// Writes the outcome of a policy from every state as a NetCDF-4 compatible file with CF
/// attributes, (time, y, x): arrival_probability; time_to_go and energy_to_go, means over arrivals;
/// with flights also flight_density (output/view/flight_density.h). Closed cells are NaN, and so
/// are means without arrivals. Errors: RunError when writing fails.
class ToGoWriter {
 public:
  /// `file`: the caller commits it. `energy`: of the mission. `policy`: the policy that was
  /// evaluated, whose levels are written. `flights`: borrowed; null: no flights.
  ToGoWriter(AtomicFile& file, const EnvironmentInfo& info, const EnergyModel& energy,
             const PolicyFile& policy, const FlightDensity* flights);
  void accept(TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed);
  /// Completes the file, which can then be committed.
  void finish();

 private:
  void define(const EnvironmentInfo& info, const EnergyModel& energy, const PolicyFile& policy);

  std::uint64_t ny_;
  std::uint64_t nx_;
  const FlightDensity* flights_;
  std::vector<float> arrival_, time_, energy_;  // (y, x), of the level at hand
  Hdf5File file_;
};

/// Reads the fields for a page. Errors: InputError for a file with other cells or levels.
class ToGoReader {
 public:
  ToGoReader(const std::filesystem::path& path, const PolicyFile& policy);

  /// Probability of arrival, (y, x); NaN in closed cells.
  void read_arrival(TimeLevel k, std::vector<float>& arrival) const;
  void read_time(TimeLevel k, std::vector<float>& time) const;  ///< [s or 1]

 private:
  void read(const DatasetRule& rule, TimeLevel k, std::vector<float>& field) const;

  CheckedFile file_;
  std::size_t cells_;
  DatasetRule arrival_, time_;
};

}  // namespace tidewise
