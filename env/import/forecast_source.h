#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/import/field_layout.h"
#include "env/import/local_plane.h"
#include "env/import/netcdf_file.h"
#include "env/import/source_grid.h"
#include "env/import/source_names.h"

namespace tidewise {

/// A variable to read.
struct SourceVariable {
  std::string name;
  double factor = 1;  ///< what its numbers are multiplied by
  double greatest =
      1e10;  ///< beyond it, after that, a number is refused as an undeclared fill value
};

struct SourceRequest {
  std::vector<std::filesystem::path> files;  ///< in any order of time
  std::vector<SourceVariable> variables;     ///< of one grid, one time axis, one ensemble
  SourceNames names;
  std::optional<double> depth;  ///< [m]; nothing: the level nearest the surface
  std::optional<BoundingBox> box;
};

/// Fields of one forecast, from one file or several along time, read time by time. The first file's
/// grid and members hold for all; times are sorted, and of equal times the first file's is taken.
/// Errors: InputError naming file, variable and mend.
class ForecastSource {
 public:
  explicit ForecastSource(SourceRequest request);

  const SourceGrid& grid() const { return grid_; }
  /// [s since 1970], growing.
  const std::vector<double>& times() const { return times_; }
  /// The usual step: the median of the steps [s]; 0 with a single time.
  double time_step() const { return time_step_; }
  std::size_t member_count() const { return member_count_; }
  std::size_t variable_count() const { return request_.variables.size(); }
  /// The dimension that holds the members; empty when there is none.
  const std::string& member_dimension() const { return member_dimension_; }

  /// The fields at times()[time]: (variable, member, row, column), NaN where missing.
  std::vector<double> read(std::size_t time);

  /// What a user should know of how the files were read (depth level, duplicates, gaps), a line
  /// each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Step {
    double seconds;
    std::size_t file;
    std::size_t index;
  };

  void open(std::size_t file);
  void describe_first_file();
  void require_same_grid() const;
  std::size_t choose_depth(const RolePlace& depth);
  std::vector<double> read_times() const;
  void set_times(std::vector<Step> steps);
  [[noreturn]] void refuse_value(const SourceVariable& variable, double stored,
                                 GeographicPoint place, const Step& step) const;
  void read_plane(std::size_t variable, const Step& step, std::size_t member, double* out) const;

  SourceRequest request_;
  SourceGrid grid_;
  std::vector<double> times_;
  std::vector<Step> steps_;
  double time_step_ = 0;
  std::size_t member_count_ = 1;
  std::string member_dimension_;
  std::size_t depth_index_ = 0;
  std::vector<std::string> notes_;

  // One file is open at a time; forecasts come in hundreds of files.
  std::size_t open_file_ = 0;
  std::unique_ptr<NetcdfFile> file_;
  std::vector<FieldLayout> layouts_;  // (variable) of the open file
};

}  // namespace tidewise
