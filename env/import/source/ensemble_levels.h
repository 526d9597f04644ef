#pragma once

#include <cstdint>
#include <vector>

#include "env/import/grid/target_grid.h"
#include "env/import/source/field_sampler.h"
#include "env/import/source/regridder.h"

namespace tidewise::ingest {

/// One time level of every member on the environment's cells, of one profile.
struct LevelEnsemble {
  std::vector<std::uint8_t> land;  ///< (y, x), 1 = no velocity in some member
  std::vector<std::size_t> water;  ///< the other cells, growing
  std::size_t member_count = 0;
  /// Velocities along x and y of the plane [m s-1]: (member, component, water cell).
  std::vector<double> samples;
};

/// Brings a forecast's members, level by level, to the environment's cells: linear in time,
/// bilinear in space, vectors turned from east and north to the plane's axes.
class EnsembleLevels {
 public:
  /// `source` holds u and v; it and `target`, cells on `plane`, must outlive this object. Each of
  /// the source's members is taken at each of `lags` [s] from a level's time.
  EnsembleLevels(ForecastSource& source, const TargetGrid& target, const LocalPlane& plane,
                 std::vector<double> lags);

  std::size_t member_count() const { return lags_.size() * source_.member_count(); }
  std::size_t profile_count() const { return regridders_.size(); }
  const std::vector<std::uint8_t>& outside() const { return regridders_.front().outside(); }

  /// The ensemble at `seconds` since 1970, (profile). Times should grow from call to call; going
  /// back reads anew. Errors: InputError when a profile holds no water at all.
  std::vector<LevelEnsemble> at(double seconds);
  /// The mean of those at some times, growing; land at any of them is land. Errors: as at().
  std::vector<LevelEnsemble> mean_of(const std::vector<double>& times);

 private:
  /// Of u and v of all members of a source.
  std::size_t profile_size() const { return 2 * source_.member_count() * source_.grid().size(); }
  std::vector<std::uint8_t> dry_points(std::size_t profile) const;
  void turn_to_plane();
  LevelEnsemble on_cells(std::size_t profile, double seconds);

  ForecastSource& source_;
  const TargetGrid& target_;
  std::vector<double> lags_;
  FieldSampler sampler_;
  std::vector<Regridder> regridders_;  // (profile), each with its own water
  /// To true north on the plane at the source's points, where those may lie around a pole: there
  /// vectors are turned before they are interpolated, for east is another way at each. Empty on
  /// grids along longitude and latitude. (row, column)
  std::vector<PlanePoint> source_north_;
  std::vector<std::vector<double>> lagged_;  // (lag) of (profile, u or v, member, row, column)
};

}  // namespace tidewise::ingest
