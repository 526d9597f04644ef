#pragma once

#include <cstdint>
#include <vector>

#include "env/import/grid/target_grid.h"
#include "env/import/source/field_sampler.h"
#include "env/import/source/regridder.h"

namespace tidewise::ingest {

/// One time level of one profile, for every member, on the environment's cells.
struct LevelEnsemble {
  std::vector<std::uint8_t> land;  ///< (y, x), 1 = a member has no velocity
  std::vector<std::size_t> water;  ///< the other cells, ascending
  std::size_t member_count = 0;
  /// Velocities along x and y of the plane [m s-1]: (member, component, water cell).
  std::vector<double> samples;
};

/// Interpolates a forecast's members, level by level, to the environment's cells: linear in time,
/// bilinear in space. Vectors are rotated from east and north to the plane's axes.
class EnsembleLevels {
 public:
  /// `source` holds u and v; `target` has cells on `plane`. Both must outlive this object. Each of
  /// the source's members is used at each of `lags` [s] from a level's time.
  EnsembleLevels(ForecastSource& source, const TargetGrid& target, const LocalPlane& plane,
                 std::vector<double> lags);

  std::size_t member_count() const { return lags_.size() * source_.member_count(); }
  std::size_t profile_count() const { return regridders_.size(); }
  const std::vector<std::uint8_t>& outside() const { return regridders_.front().outside(); }

  /// The ensemble at `seconds` since 1970, (profile). Times should ascend from call to call,
  /// because going back reads fields again. Errors: InputError if a profile has no water.
  std::vector<LevelEnsemble> at(double seconds);
  /// The mean ensemble at some times, ascending; cells that are land at any of them are land.
  /// Errors: those of at().
  std::vector<LevelEnsemble> mean_of(const std::vector<double>& times);

 private:
  /// Number of values of u and v of all members of the source.
  std::size_t profile_size() const { return 2 * source_.member_count() * source_.grid().size(); }
  std::vector<std::uint8_t> dry_points(std::size_t profile) const;
  void rotate_to_plane();
  LevelEnsemble on_cells(std::size_t profile, double seconds);

  ForecastSource& source_;
  const TargetGrid& target_;
  std::vector<double> lags_;
  FieldSampler sampler_;
  std::vector<Regridder> regridders_;  // (profile), each with its own water
  /// Unit vectors on the plane to true north at the source's points, (row, column), if these may
  /// lie around a pole. There east differs from point to point, so vectors are rotated before they
  /// are interpolated. Empty on grids along longitude and latitude.
  std::vector<PlanePoint> source_north_;
  std::vector<std::vector<double>> lagged_;  // (lag), each (profile, u or v, member, row, column)
};

}  // namespace tidewise::ingest
