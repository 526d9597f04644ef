#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "env/import/depth/depth_level.h"
#include "env/import/file/open_files.h"
#include "env/import/file/quality_flags.h"
#include "env/import/file/source_names.h"
#include "env/import/source/joined_files.h"
#include "env/import/source/variable_points.h"

namespace tidewise::ingest {

/// The conversion of a variable's numbers.
enum class ReadAs {
  stored,  ///< none: all files must have the same units
  speed    ///< to m s-1, file by file
};

/// A variable to read.
struct SourceVariable {
  std::string name;
  ReadAs read_as = ReadAs::stored;
  double max = 1e10;  ///< larger numbers, after conversion, are refused as undeclared fill values
  std::vector<std::filesystem::path> files = {};  ///< empty: those of the request that hold it
};

/// A box of points: first row and column, and numbers of rows and columns.
struct PointBox {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
};

/// Options for reading a series.
struct SeriesRequest {
  SourceNames names;
  std::optional<double> depth;  ///< [m]; nullopt: the level nearest the surface
  Surface surface = Surface::nearest;
  TimeAxisIs time = TimeAxisIs::required;
  std::optional<double> time_without_axis;  ///< [s since 1970] of a field without a time
  /// Two depths [m]: all levels that dives between them pass are read in place of one level.
  std::optional<std::pair<double, double>> dive = {};
};

/// Times of one member that several files have. The file named first is used.
struct RepeatedTimes {
  std::set<double> copies;     ///< [s since 1970], with equal values in all files
  std::set<double> different;  ///< [s since 1970], with different values
};

/// One variable over all its files, time by time and member by member. Units, packing, calendar and
/// quality flags may differ between files; points, depth, direction and standard_name must not.
/// Times are sorted; JoinedFiles joins the members.
/// Errors: InputError naming file, variable and remedy.
class VariableSeries {
 public:
  /// `files` must outlive the series.
  VariableSeries(SourceVariable variable, SeriesRequest request, OpenFiles& files);

  const SourceVariable& variable() const { return variable_; }
  const VariablePoints& points() const { return points_; }
  std::size_t member_count() const { return joined_.member_count; }
  /// The files' labels of the members, (member); empty without labels.
  const std::vector<std::string>& member_labels() const { return joined_.labels; }
  /// Origin of the members: "dimension number", "variable realization of 5 files: …"; or empty.
  const std::string& members_by() const { return joined_.members_by; }
  /// Times of the series [s since 1970], ascending.
  const std::vector<double>& times() const { return joined_.times; }
  /// Notes for the user, one line each.
  const std::vector<std::string>& notes() const { return notes_; }
  std::shared_ptr<const NetcdfFile> first_file() const {
    return files_.open(variable_.files.front());
  }
  /// The file that holds a member at times()[time].
  std::shared_ptr<const NetcdfFile> file_of(std::size_t time, std::size_t member) const {
    return files_.open(variable_.files[file_index(time, member)]);
  }
  /// The index of that file among the variable's files.
  std::size_t file_index(std::size_t time, std::size_t member) const {
    return joined_.place(time, member).file;
  }

  /// Number of files that hold the members of one time.
  std::size_t files_at_once() const;
  /// True if its files have the same times, and none labels its members.
  bool has_unnumbered_twins() const { return are_unnumbered_twins(extents_); }
  /// For each file, the first file with equal fields at the first and the last time, (file).
  std::vector<std::size_t> equal_files() const;
  /// Treats each file as separate members, except files whose `equal` is another file.
  void treat_files_as_members(const std::vector<std::size_t>& equal);
  /// The times of one member that several files have. Errors: InputError for a file that is not
  /// used at all although its values differ.
  RepeatedTimes repeated_times() const;
  /// The depth of the level that is read [m]; nullopt if the files do not give it.
  const std::optional<double>& depth() const { return depth_; }
  /// True if the series reads the level of this depth.
  bool is_level(const std::optional<double>& depth) const;
  /// Number of levels that are read: one, or that of dive_levels().
  std::size_t level_count() const { return properties_.front().level_index.size(); }
  /// The levels that dives pass; empty if one level is read.
  const DiveLevels& dive_levels() const { return dive_levels_; }
  /// True if the series reads these levels.
  bool has_levels(const DiveLevels& levels) const;
  /// The coordinate variable of the levels; empty if there is none.
  std::string depth_coordinate() const;

  /// Makes points of a box missing at all times, where `closed`, (row, column), is not 0.
  void close(const std::vector<std::uint8_t>& closed, const PointBox& box, std::size_t level = 0);
  /// Greatest deviation from 0, in read()'s units, of a number at times()[time] that was 0 before
  /// packing.
  double zero_tolerance(std::size_t time, std::size_t member) const;
  /// The factor from read()'s units to those of ReadAs.
  double factor(std::size_t time, std::size_t member) const {
    return properties_[file_index(time, member)].factor;
  }

  /// The values of a box, (row, column), unpacked, in the file's units; NaN where missing or
  /// flagged as bad.
  std::vector<double> read(std::size_t time, std::size_t member, const PointBox& box,
                           std::size_t level = 0) const {
    return read(joined_.place(time, member), box, level);
  }
  /// The values of a box times factor(). Errors: InputError for values beyond SourceVariable::max.
  std::vector<double> read_scaled(std::size_t time, std::size_t member, const PointBox& box,
                                  std::size_t level = 0) const;
  /// Throws InputError for a stored number at `place` that is an undeclared fill value.
  [[noreturn]] void refuse_value(double stored, GeographicPoint place, std::size_t time,
                                 std::size_t member) const;

 private:
  /// The variable's properties in one file.
  struct FileProperties {
    FieldLayout layout;
    std::vector<std::size_t> level_index;  // (level)
    double factor = 1;
    std::vector<QualityFlag> flags;
  };

  FieldLayout layout_in(const NetcdfFile& file) const;
  FileProperties read_part(const NetcdfFile& file);
  void describe(const NetcdfFile& file, FileProperties& part);
  void require_alike(const NetcdfFile& file, FileProperties& part);
  void require_same_meaning(const NetcdfFile& file, const FileProperties& part) const;
  DepthLevel depth_level(const NetcdfFile& file, const FieldLayout& layout) const;
  DiveLevels dive_levels_in(const NetcdfFile& file, const RolePlace& place) const;
  std::vector<double> read_times(const NetcdfFile& file, const FieldLayout& layout);
  std::vector<std::uint8_t> read_land(const NetcdfFile& file, const FieldLayout& layout) const;
  std::string scalar_time(const NetcdfFile& file) const;
  std::vector<double> read(const FieldPlace& place, const PointBox& box, std::size_t level) const;
  [[noreturn]] void refuse_unused(std::size_t taken, std::size_t dropped) const;
  /// Checksum of all points of a field at the first level, in m s-1 or as stored.
  std::uint64_t checksum(const FieldPlace& place) const;
  void note(const std::string& text);

  SourceVariable variable_;
  SeriesRequest request_;
  OpenFiles& files_;
  std::vector<FileProperties> properties_;  // (file)
  std::vector<FileExtent> extents_;         // (file)
  JoinedFiles joined_;
  VariablePoints points_;
  std::vector<std::uint8_t> land_;                 // (row, column) by a mask; empty: none
  std::vector<std::vector<std::uint8_t>> closed_;  // (level), each (row, column); empty: none
  std::optional<double> depth_;                    // [m]
  DiveLevels dive_levels_;                         // depth levels of the first file
  std::vector<std::string> notes_;
};

}  // namespace tidewise::ingest
