#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "env/level_fields.h"

namespace tidewise {

/// Attributes (name, value) of a CF grid mapping.
using GridMapping =
    std::vector<std::pair<std::string, std::variant<double, std::vector<double>, std::string>>>;

/// A further variable of an environment: one number per level, or per row of a table.
struct EnvironmentSeries {
  std::string name;  ///< name of the variable
  std::string units;
  std::string long_name;
  std::vector<double> values;  ///< (time), or (row)

  bool operator==(const EnvironmentSeries&) const = default;
};

/// Writes an environment file (docs/forecast/environments.md) level by level. The file gets its
/// final name at finish(); without that call no file is left. The same input gives the same bytes.
class EnvironmentWriter {
 public:
  /// Starts a file; the texts of `info` become root attributes. Errors: those of AtomicFile.
  EnvironmentWriter(const std::filesystem::path& path, const EnvironmentInfo& info);

  /// Writes longitude and latitude of the cell centres [degrees], (y, x). Must be called for
  /// Coordinates::geographic, and only then.
  void write_longitude_latitude(const std::vector<double>& longitude,
                                const std::vector<double>& latitude);
  /// Writes the CF grid mapping of the projection; optional.
  void write_grid_mapping(const GridMapping& attributes);
  /// Writes the share of the ensemble's variance that the modes keep, (time); optional.
  void write_variance_kept(const std::vector<double>& share);
  /// Writes a further variable (time), with this file's number of levels.
  void write_series(const EnvironmentSeries& series);
  /// Writes a table: variables of one length along `dimension`, which is new. Requires at least one
  /// value.
  void write_table(const std::string& dimension, const std::vector<EnvironmentSeries>& columns);
  /// Sets the CF standard names of u_mean and v_mean, if they are not the eastward and northward
  /// sea water velocity. On a projected plane x is not exactly east.
  void set_velocity_standard_names(const std::string& along_x, const std::string& along_y);
  /// Writes one level of a profile; levels may come in any order, each once. Cells whose `dry` is 1
  /// are stored as NaN. A fixed mask and fixed modes are taken from level 0, coefficients and
  /// scalar from the first profile. Fixed modes are also stored in dry cells, which may be open at
  /// another level.
  void write_level(TimeLevel k, const LevelFields<>& fields, std::size_t profile = 0);
  /// Adds a root attribute.
  void set_attribute(const std::string& name, std::string_view text);
  void set_attribute(const std::string& name, const std::vector<double>& numbers);
  /// Sets a text attribute of a variable of this file, and replaces the text that the writer has
  /// set.
  void describe(const std::string& variable, const std::string& attribute, std::string_view text);

  /// Completes the file and gives it its final name. Errors: those of AtomicFile::commit().
  void finish();

 private:
  void define(const EnvironmentInfo& info);
  void define_profiles();
  bool has_profiles() const { return info_.profiles.size() > 1; }

  EnvironmentInfo info_;
  AtomicFile atomic_;
  Hdf5File file_;
};

}  // namespace tidewise
