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

/// Means of fields over the depths of dives, column by column, from levels that come one after the
/// other. In a column a field is linear between its levels, and even above the first and below the
/// last that holds water. A dive that would come nearer to the bottom than its margin ends there;
/// where its first depth lies below that, or the water is too shallow, there is none.
class DiveColumns {
 public:
  /// Levels of the same depths everywhere, or such as follow the bottom, whose depth at rest is `h`
  /// [m], (point).
  DiveColumns(DiveRequest request, DiveLevels levels, std::size_t point_count);
  DiveColumns(DiveRequest request, SCoordinate levels, std::vector<double> h);

  std::size_t level_count() const { return level_count_; }
  std::size_t profile_count() const { return request_.profiles.size(); }

  /// Counts the levels of each column that hold water, from the first on, each with its `planes`:
  /// (plane, point), NaN where there is none.
  void count_water(std::size_t level, const std::vector<double>& planes);
  /// The depth of the bottom [m], (point), in place of the levels' own; NaN: land.
  void set_bottom(std::vector<double> bottom) { bottom_told_ = std::move(bottom); }
  /// Once the water is counted, and for levels that follow the bottom at every time anew: where
  /// columns end. `surface`: the height of the surface [m], (point); empty: at rest.
  void settle(const std::vector<double>& surface = {});
  /// Errors: InputError, without the file's name, for profiles that the levels do not reach or that
  /// no column holds.
  void validate() const;
  /// A line a profile: how deep it comes.
  std::vector<std::string> notes() const;

  /// Adds a level's part to `means`, (profile, plane, point), which begin as zeros.
  void add(std::size_t level, const std::vector<double>& planes, std::vector<double>& means) const;
  /// Columns as they were settled last, yet without their fields.
  WaterColumns columns() const;
  /// NaN where a profile has no dive.
  void close(std::vector<double>& means) const;

 private:
  const double* depths(std::size_t point) const {
    return follows_bottom_ ? depth_.data() + point * level_count_ : depth_.data();
  }
  double limit(std::size_t point) const { return bottom_[point] - request_.bottom_margin; }
  /// Down to where a point's levels speak [m]; infinity where they end at the bottom.
  double reach(std::size_t point) const;
  bool has_dive(const Profile& profile, std::size_t point) const;
  double share(const Profile& profile, std::size_t point, std::size_t level) const;

  DiveRequest request_;
  std::size_t point_count_;
  std::size_t level_count_;
  bool follows_bottom_;
  bool to_the_end_ = true;  // the file has no deeper levels
  SCoordinate s_;
  std::vector<double> h_;            // [m], (point), of levels that follow the bottom
  std::vector<double> depth_;        // [m], (level), or (point, level)
  std::vector<std::size_t> wet_;     // (point): levels that hold water
  std::vector<double> bottom_told_;  // [m], (point); empty: none
  std::vector<double> bottom_;       // [m], (point); infinity: deeper than any dive
};

}  // namespace tidewise::ingest
