#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/depth/depth_level.h"
#include "env/import/depth/profile.h"
#include "env/import/depth/s_coordinate.h"
#include "env/import/source/water_columns.h"

namespace tidewise::ingest {

/// Means of fields over the depths of dives, column by column, from levels added one after the
/// other. In a column a field is linear between its levels, and constant above the first and below
/// the last level with water. A dive ends at the margin above the bottom. A column has no dive if
/// the dive's first depth lies below that end, or if the water is too shallow.
class DiveColumns {
 public:
  /// For levels of the same depths everywhere, or for levels that follow the bottom in water whose
  /// depth at rest is `h` [m], (point).
  DiveColumns(DiveRequest request, DiveLevels levels, std::size_t point_count);
  DiveColumns(DiveRequest request, SCoordinate levels, std::vector<double> h);

  std::size_t level_count() const { return level_count_; }
  std::size_t profile_count() const { return request_.profiles.size(); }

  /// First pass: counts the levels with water in each column. Call it for each level from the first
  /// on, with its `planes`: (plane, point), NaN where there is no water.
  void count_water(std::size_t level, const std::vector<double>& planes);
  /// Sets the depth of the bottom [m], (point), in place of the levels' own; NaN: land.
  void set_bottom(std::vector<double> bottom) { external_bottom_ = std::move(bottom); }
  /// Computes the ends of columns. Call it after all levels are counted, and at every time for
  /// levels that follow the bottom. `surface`: height of the surface [m], (point); empty: at rest.
  void compute_ends(const std::vector<double>& surface = {});
  /// Throws InputError, without the file's name, for profiles deeper than the levels, or without a
  /// dive in any column.
  void validate() const;
  /// One line per profile for the user: the depths that it reaches.
  std::vector<std::string> notes() const;

  /// Second pass: adds a level's part to `means`, (profile, plane, point), initially zeros.
  void add(std::size_t level, const std::vector<double>& planes, std::vector<double>& means) const;
  /// The columns as of the last compute_ends(), without fields.
  WaterColumns columns() const;
  /// Sets `means` to NaN where a profile has no dive.
  void mark_missing(std::vector<double>& means) const;

 private:
  const double* depths(std::size_t point) const {
    return follows_bottom_ ? depth_.data() + point * level_count_ : depth_.data();
  }
  /// Greatest depth of a dive at a point [m].
  double dive_end_at(std::size_t point) const { return bottom_[point] - request_.bottom_margin; }
  /// Greatest depth that a point's levels cover [m]; infinity if they end at the bottom.
  double reach(std::size_t point) const;
  bool has_dive(const Profile& profile, std::size_t point) const;
  /// The weight of a level in the mean over a dive at a point.
  double share(const Profile& profile, std::size_t point, std::size_t level) const;

  DiveRequest request_;
  std::size_t point_count_;
  std::size_t level_count_;
  bool follows_bottom_;
  bool to_the_end_ = true;  // the file has no deeper levels
  SCoordinate s_;
  std::vector<double> h_;                // [m], (point), only for levels that follow the bottom
  std::vector<double> depth_;            // [m], (level), or (point, level)
  std::vector<std::size_t> wet_;         // (point): number of levels with water
  std::vector<double> external_bottom_;  // [m], (point); empty: none
  std::vector<double> bottom_;           // [m], (point); infinity: deeper than any dive
};

}  // namespace tidewise::ingest
