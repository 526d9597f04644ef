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

namespace tidewise::ingest {

struct SourceRequest {
  std::vector<std::filesystem::path> files;  ///< in any order of time
  std::vector<SourceVariable> variables;     ///< of one grid, one time axis, one ensemble
  SourceNames names;
  std::optional<double> depth;  ///< [m]; nothing: the level nearest the surface
  std::optional<BoundingBox> box;
  /// The first two variables are a velocity, and this is said of where they point; they may be on
  /// any grid then, and come out eastward and northward.
  std::optional<ComponentWords> velocity = {};
  Zeros zeros = Zeros::land;  ///< points of the velocity that are 0 at every time
  /// Whether a velocity's first level must be at the surface where that is asked for.
  Surface surface = Surface::required;
  TimeAxisIs time = TimeAxisIs::required;
  std::optional<double> time_without_axis = {};  ///< [s since 1970] of a field that says none
  /// Means over the depths of dives in place of one level, where it names profiles. Needs a
  /// velocity.
  DiveRequest dives = {};
};

/// Fields of one forecast, time by time: its variables, each from one file or several along time or
/// members, brought together. The first variable's times and members hold for all.
/// Errors: InputError naming file, variable and remedy.
class ForecastSource {
 public:
  explicit ForecastSource(SourceRequest request);
  ForecastSource(const ForecastSource&) = delete;
  ForecastSource& operator=(const ForecastSource&) = delete;

  const SourceGrid& grid() const { return grid_; }
  /// [s since 1970], growing.
  const std::vector<double>& times() const { return times_; }
  /// The usual step: the median of the steps [s]; 0 with a single time.
  double time_step() const { return time_step_; }
  std::size_t member_count() const { return member_count_; }
  std::size_t variable_count() const { return series_.size(); }
  /// 1 where there is a level in place of profiles.
  std::size_t profile_count() const { return dives_ ? dives_->profile_count() : 1; }
  /// What makes the members: "dimension number", "variable realization of 5 files: …"; empty for
  /// one member.
  const std::string& members_by() const { return series_.front().members_by(); }
  /// (member), as the files number them; empty where they do not.
  const std::vector<std::string>& member_labels() const { return series_.front().member_labels(); }

  /// The fields at times()[time]: (profile, variable, member, row, column), NaN where missing.
  std::vector<double> read(std::size_t time);
  /// The same at all depths that dives pass, (level, variable, member, row, column); of a source
  /// without dives its one level.
  WaterColumns read_columns(std::size_t time);

  /// What a user should know of how the files were read (depth level, duplicates, gaps), a line
  /// each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void open_series();
  std::vector<std::size_t> find_copies() const;
  void join_files();
  void require_alike(const VariableSeries& series) const;
  void settle_grid();
  void settle_points();
  void close_still_points(const CommonPoints& common);
  PointBox part_of(const VariableSeries& series, const CommonPoints& common) const;
  void validate_times();
  void open_dives();
  /// One more variable of the velocity's files, on the points where the velocity is read.
  VariableSeries open_beside(const std::string& name, TimeAxisIs time);
  std::vector<double> read_surface(std::size_t time) const;
  /// One level of all variables, (variable, member, row, column).
  void read_level(std::size_t time, std::size_t level, double* planes) const;
  void read_plane(const VariableSeries& series, std::size_t time, std::size_t member,
                  std::size_t level, double* out) const;

  SourceRequest request_;
  OpenFiles files_;
  std::vector<VariableSeries> series_;  // (variable)
  SourceGrid grid_;
  std::optional<VelocityFrame> frame_;            // nothing: the fields are as they are stored
  std::size_t first_row_ = 0, first_column_ = 0;  // of the grid, among what lies on its points
  std::optional<DiveColumns> dives_;              // nothing: one level is read
  std::optional<VariableSeries> surface_;         // the height of the surface
  std::vector<double> times_;
  double time_step_ = 0;
  std::size_t member_count_ = 1;
  std::vector<std::string> notes_;
};

}  // namespace tidewise::ingest
