#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/import/depth/depth_level.h"
#include "env/import/file/open_files.h"
#include "env/import/file/source_names.h"
#include "env/import/source/variable_points.h"

namespace tidewise::ingest {

/// A variable to read.
struct SourceVariable {
  std::string name;
  double factor = 1;  ///< what its numbers are multiplied by
  double greatest =
      1e10;  ///< beyond it, after that, a number is refused as an undeclared fill value
  std::vector<std::filesystem::path> files = {};  ///< empty: those of the request that hold it
};

/// Rows and columns of points, from the first ones on.
struct PointBox {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
};

/// How a series is to be read.
struct SeriesRequest {
  SourceNames names;
  std::optional<double> depth;  ///< [m]; nothing: the level nearest the surface
  Surface surface = Surface::nearest;
  TimeAxisIs time = TimeAxisIs::required;
  std::optional<double> time_without_axis;  ///< [s since 1970] of a field that says none
  /// In place of one level all that dives between two depths [m] pass.
  std::optional<std::pair<double, double>> dive = {};
};

/// One variable over all its files, time by time. The first file's points, members and depth hold
/// for all; times are sorted, and of equal times the first file's is taken.
/// Errors: InputError naming file, variable and remedy.
class VariableSeries {
 public:
  /// `files` must outlive the series.
  VariableSeries(SourceVariable variable, SeriesRequest request, OpenFiles& files);

  const SourceVariable& variable() const { return variable_; }
  const VariablePoints& points() const { return points_; }
  std::size_t member_count() const { return member_count_; }
  const std::string& member_dimension() const { return member_dimension_; }
  /// [s since 1970], growing.
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::string>& notes() const { return notes_; }
  std::shared_ptr<const NetcdfFile> first_file() const {
    return files_.open(variable_.files.front());
  }
  /// The file that holds times()[time].
  std::shared_ptr<const NetcdfFile> file_of(std::size_t time) const {
    return files_.open(variable_.files[steps_[time].file]);
  }

  /// Which of the variable's files holds times()[time].
  std::size_t file_index(std::size_t time) const { return steps_[time].file; }
  /// The depth of the level that is read [m]; nothing where the files do not say it.
  const std::optional<double>& depth() const { return depth_; }
  /// Whether another variable's level is this one.
  bool is_level(const std::optional<double>& depth) const;
  /// How many levels are read: one, or those that dives pass, which follow.
  std::size_t level_count() const { return level_index_.front().size(); }
  const DiveLevels& dive_levels() const { return dive_levels_; }
  bool has_levels(const DiveLevels& levels) const;
  /// The coordinate of the levels; empty where there is none.
  std::string depth_coordinate() const;

  /// Makes points of a box missing at all times: those where `closed`, (row, column), is not 0.
  void close(const std::vector<std::uint8_t>& closed, const PointBox& box, std::size_t level = 0);
  /// How far from 0 a number at times()[time] may be that stood for 0, in read()'s numbers.
  double zero_tolerance(std::size_t time) const;

  /// (row, column) of a box, as stored and unpacked; NaN where missing.
  std::vector<double> read(std::size_t time, std::size_t member, const PointBox& box,
                           std::size_t level = 0) const;
  /// The same times the variable's factor; what is too great for it is refused.
  std::vector<double> read_scaled(std::size_t time, std::size_t member, const PointBox& box,
                                  std::size_t level = 0) const;
  /// Refuses a number as stored at `place` as a fill value that nobody declared.
  [[noreturn]] void refuse_value(double stored, GeographicPoint place, std::size_t time) const;

 private:
  struct Step {
    double seconds;
    std::size_t file;
    std::size_t index;
  };

  FieldLayout layout_in(const NetcdfFile& file) const;
  void describe(const NetcdfFile& file, const FieldLayout& layout);
  void require_alike(const NetcdfFile& file, const FieldLayout& layout);
  DepthLevel depth_level(const NetcdfFile& file, const RolePlace& place) const;
  DiveLevels dive_levels_in(const NetcdfFile& file, const RolePlace& place) const;
  std::vector<double> read_times(const NetcdfFile& file, const FieldLayout& layout);
  std::vector<std::uint8_t> read_land(const NetcdfFile& file, const FieldLayout& layout) const;
  std::string scalar_time(const NetcdfFile& file) const;
  void set_times(std::vector<Step> steps);
  void note(const std::string& text);

  SourceVariable variable_;
  SeriesRequest request_;
  OpenFiles& files_;
  std::vector<FieldLayout> layouts_;  // (file)
  VariablePoints points_;
  std::vector<std::uint8_t> land_;                 // (row, column) by a mask; empty: none
  std::vector<std::vector<std::uint8_t>> closed_;  // (level) of (row, column); empty: none
  std::size_t member_count_ = 1;
  std::string member_dimension_;
  std::optional<double> depth_;                        // [m]
  DiveLevels dive_levels_;                             // of the first file
  std::vector<std::vector<std::size_t>> level_index_;  // (file, level)
  std::vector<Step> steps_;
  std::vector<double> times_;
  std::vector<std::string> notes_;
};

}  // namespace tidewise::ingest
