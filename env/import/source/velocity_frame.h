#pragma once

#include <cstdint>
#include <vector>

#include "env/import/file/component_direction.h"
#include "env/import/grid/common_points.h"
#include "env/import/grid/grid_axes.h"
#include "env/import/source/variable_series.h"

namespace tidewise::ingest {

/// Converts u and v from their stored points and directions to common points, eastward and
/// northward.
///
/// On Arakawa's C grid the common points are the centres, faces and corners of cells, and each
/// component is bilinear between its own points. A centre is land if all four faces are dry, or if
/// the file's mask closes it. A dry face of a cell that is not land is a wall with velocity 0,
/// because no water passes it. Other dry faces are left out of means.
class VelocityFrame {
 public:
  /// `u` and `v` must outlive the frame. Errors: InputError naming file, variable and remedy.
  /// `part`: the rows and columns of `common` whose places are those of `grid`.
  VelocityFrame(const VariableSeries& u, const VariableSeries& v, const CommonPoints& common,
                const PointBox& part, const SourceGrid& grid, const StatedDirections& directions);

  /// Reads one level at u.times()[time] of one member, (row, column) of the part; NaN where there
  /// is no water.
  void read(std::size_t time, std::size_t member, std::size_t level, double* eastward,
            double* northward) const;

  /// Reads a variable at a C grid's centres [its units] for the part's points, (row, column): each
  /// is the mean of the surrounding centres with a value.
  void read_centres(const VariableSeries& series, std::size_t time, std::size_t member,
                    double* out) const;

  /// The decisions on points and directions, for the report.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Block;
  Block read_block(const VariableSeries& series, std::size_t time, std::size_t member,
                   std::size_t level, const Block& area) const;
  Block centres_around_part(const std::vector<double>& all_centres) const;
  void read_staggered(std::size_t time, std::size_t member, std::size_t level, double* u,
                      double* v) const;
  Block close_walls(Block& u, Block& v) const;
  void interpolate(const Block& block, double* out) const;
  void validate(const GridAxes& axes, const StatedDirections& directions, const PointGrid& points);
  void use_file_angle(const GridAxes& axes);

  const VariableSeries& u_;
  const VariableSeries& v_;
  CommonPoints common_;  // without its points
  PointBox part_;        // part of common_
  Components components_ = Components::east_north;
  /// Cosine and sine of the rotation from the directions of columns and rows to east and north.
  std::vector<double> cosine_, sine_;
  double handedness_ = 1;
  std::vector<double> mask_;  // the file's mask of centres, (row, column) of its grid; empty: none
  std::vector<std::string> notes_;
};

}  // namespace tidewise::ingest
