#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/import/file/component_direction.h"
#include "env/import/file/open_files.h"
#include "env/import/file/source_names.h"
#include "env/import/grid/source_grid.h"
#include "env/import/source/dive_columns.h"
#include "env/import/source/variable_series.h"
#include "env/import/source/velocity_frame.h"
#include "env/import/time/usual_step.h"

namespace tidewise::ingest {

/// The files and variables of a forecast to read.
struct SourceRequest {
  std::vector<std::filesystem::path> files;  ///< in any order of time
  std::vector<SourceVariable> variables;     ///< with one grid, time axis and ensemble
  SourceNames names;
  std::optional<double> depth;  ///< [m]; nullopt: the level nearest the surface
  std::optional<BoundingBox> box;
  /// If set, the first two variables are a velocity with these directions. They may be on any grid,
  /// and are converted to eastward and northward.
  std::optional<StatedDirections> velocity = {};
  Zeros zeros = Zeros::land;  ///< meaning of points where the velocity is 0 at every time
  /// Requirement on a velocity's first level if the surface is requested.
  Surface surface = Surface::required;
  TimeAxisIs time = TimeAxisIs::required;
  std::optional<double> time_without_axis = {};  ///< [s since 1970] of a field without a time
  /// If it has profiles, fields are means over the depths of dives in place of one level. Needs a
  /// velocity.
  DiveRequest dives = {};
};

/// The fields of one forecast, time by time: its variables, each joined from one file or several
/// along time or members. The first variable's times and members apply to all.
/// Errors: InputError naming file, variable and remedy.
class ForecastSource {
 public:
  explicit ForecastSource(SourceRequest request);
  ForecastSource(const ForecastSource&) = delete;
  ForecastSource& operator=(const ForecastSource&) = delete;

  const SourceGrid& grid() const { return grid_; }
  /// Times of the fields [s since 1970], ascending.
  const std::vector<double>& times() const { return times_; }
  /// The usual step (usual_step.h) [s]; 0 with a single time.
  double time_step() const { return time_step_.seconds; }
  /// Greatest error of times() [s].
  double time_slack() const { return time_step_.slack; }
  /// True if times() cover a window [s since 1970], up to their slack.
  bool covers(double first, double last) const;
  std::size_t member_count() const { return member_count_; }
  std::size_t variable_count() const { return series_.size(); }
  /// Number of profiles; 1 if one level is read.
  std::size_t profile_count() const { return dives_ ? dives_->profile_count() : 1; }
  /// The origin of the members: "dimension number", "variable realization of 5 files: …"; empty for
  /// one member.
  const std::string& members_by() const { return series_.front().members_by(); }
  /// The files' labels of the members, (member); empty without labels.
  const std::vector<std::string>& member_labels() const { return series_.front().member_labels(); }

  /// The fields at times()[time]: (profile, variable, member, row, column), NaN where missing.
  std::vector<double> read(std::size_t time);
  /// The fields at times()[time] at all levels that dives pass, (level, variable, member, row,
  /// column); without dives, at the only level.
  WaterColumns read_columns(std::size_t time);

  /// Notes for the user on how the files were read (depth level, duplicates, gaps), one line each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void open_series();
  std::vector<std::size_t> find_copies() const;
  void join_files();
  void require_alike(const VariableSeries& series) const;
  void set_grid();
  void set_points();
  void close_still_points(const CommonPoints& common);
  PointBox part_of(const VariableSeries& series, const CommonPoints& common) const;
  void note_gaps();
  void open_dives();
  /// Opens one more variable of the velocity's files, on the points of the velocity.
  VariableSeries open_companion(const std::string& name, TimeAxisIs time);
  std::vector<double> read_surface(std::size_t time) const;
  /// One level of all variables, (variable, member, row, column).
  void read_level(std::size_t time, std::size_t level, double* planes) const;
  void read_plane(const VariableSeries& series, std::size_t time, std::size_t member,
                  std::size_t level, double* out) const;

  SourceRequest request_;
  OpenFiles files_;
  std::vector<VariableSeries> series_;  // (variable)
  SourceGrid grid_;
  std::optional<VelocityFrame> frame_;  // nullopt: fields are used as stored
  // First row and column of the grid, in variables on its points.
  std::size_t first_row_ = 0, first_column_ = 0;
  std::optional<DiveColumns> dives_;       // nullopt: one level is read
  std::optional<VariableSeries> surface_;  // the height of the surface
  std::vector<double> times_;
  UsualStep time_step_;
  std::size_t member_count_ = 1;
  std::vector<std::string> notes_;
};

}  // namespace tidewise::ingest
