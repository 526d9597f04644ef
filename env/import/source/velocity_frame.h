#pragma once

#include <cstdint>
#include <vector>

#include "env/import/file/component_direction.h"
#include "env/import/grid/common_points.h"
#include "env/import/grid/grid_axes.h"
#include "env/import/source/variable_series.h"

namespace tidewise::ingest {

/// Brings u and v from where and how they are stored to common points, eastward and northward.
///
/// On Arakawa's C grid a common point takes the mean of the wet ones of u's two points beside it,
/// and of v's two before and behind. It is land where all four are dry, or where the file's own
/// mask says so; a component whose points are both dry is 0 there, for no water passes a wall.
class VelocityFrame {
 public:
  /// `u` and `v` must outlive the frame. Errors: InputError naming file, variable and remedy.
  /// `part`: the rows and columns of `common` whose places are `points`.
  VelocityFrame(const VariableSeries& u, const VariableSeries& v, const CommonPoints& common,
                const PointBox& part, const PointGrid& points, const ComponentWords& words);

  /// Fields of one level at u.times()[time] of one member, (row, column) of the part, NaN where
  /// there is no water.
  void read(std::size_t time, std::size_t member, std::size_t level, double* eastward,
            double* northward) const;

  /// What was decided, for a report.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<double> read_u(std::size_t time, std::size_t member, std::size_t level) const;
  void validate(const GridAxes& axes, const ComponentWords& words, const PointGrid& points);
  void take_own_angle(const GridAxes& axes);

  const VariableSeries& u_;
  const VariableSeries& v_;
  CommonPoints common_;  // without its points
  PointBox part_;        // of common_
  Components components_ = Components::east_north;
  /// u and v, made to point to the next column and row, times these are east and north.
  std::vector<double> cosine_, sine_;
  double handedness_ = 1;
  std::vector<std::uint8_t> land_;  // (row, column) by the file's own mask; empty: none
  std::vector<std::string> notes_;
};

}  // namespace tidewise::ingest
