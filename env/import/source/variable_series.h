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

/// What a variable's numbers are turned into.
enum class ReadAs {
  stored,  ///< nothing else: all files have them in the same units
  speed    ///< m s-1, file by file
};

/// A variable to read.
struct SourceVariable {
  std::string name;
  ReadAs read_as = ReadAs::stored;
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

/// Times that several files have of one member, of which the file named first is taken.
struct RepeatedTimes {
  std::set<double> copies;     ///< [s since 1970] with the same values in all
  std::set<double> different;  ///< with other values
};

/// One variable over all its files, time by time and member by member. Units, packing, calendar
/// and flags of quality are those of each file; points, depth, direction and standard_name must be
/// the same in all. Times are sorted; JoinedFiles puts members together.
/// Errors: InputError naming file, variable and remedy.
class VariableSeries {
 public:
  /// `files` must outlive the series.
  VariableSeries(SourceVariable variable, SeriesRequest request, OpenFiles& files);

  const SourceVariable& variable() const { return variable_; }
  const VariablePoints& points() const { return points_; }
  std::size_t member_count() const { return joined_.member_count; }
  /// (member), as the files number them; empty where they do not.
  const std::vector<std::string>& member_labels() const { return joined_.labels; }
  /// What makes its members: "dimension number", "variable realization of 5 files: …"; or empty.
  const std::string& members_by() const { return joined_.members_by; }
  /// [s since 1970], growing.
  const std::vector<double>& times() const { return joined_.times; }
  const std::vector<std::string>& notes() const { return notes_; }
  std::shared_ptr<const NetcdfFile> first_file() const {
    return files_.open(variable_.files.front());
  }
  /// The file that holds a member at times()[time].
  std::shared_ptr<const NetcdfFile> file_of(std::size_t time, std::size_t member) const {
    return files_.open(variable_.files[file_index(time, member)]);
  }
  /// Which of the variable's files that is.
  std::size_t file_index(std::size_t time, std::size_t member) const {
    return joined_.place(time, member).file;
  }

  /// How many files hold the members of one time.
  std::size_t files_at_once() const;
  /// Whether its files have the same times, and none numbers its members.
  bool has_unnumbered_twins() const { return are_unnumbered_twins(extents_); }
  /// (file): the first file whose fields are the same, at the first and the last time.
  std::vector<std::size_t> equal_files() const;
  /// Takes each file for members of its own, but for files whose `equal` is another file.
  void take_files_for_members(const std::vector<std::size_t>& equal);
  /// The times that several files have of one member. Errors: InputError for a file of which
  /// nothing is taken though its values differ.
  RepeatedTimes repeated_times() const;
  /// The depth of the level that is read [m]; nothing where the files do not say it.
  const std::optional<double>& depth() const { return depth_; }
  /// Whether another variable's level is this one.
  bool is_level(const std::optional<double>& depth) const;
  /// How many levels are read: one, or those that dives pass, which follow.
  std::size_t level_count() const { return parts_.front().level_index.size(); }
  const DiveLevels& dive_levels() const { return dive_levels_; }
  bool has_levels(const DiveLevels& levels) const;
  /// The coordinate of the levels; empty where there is none.
  std::string depth_coordinate() const;

  /// Makes points of a box missing at all times: those where `closed`, (row, column), is not 0.
  void close(const std::vector<std::uint8_t>& closed, const PointBox& box, std::size_t level = 0);
  /// How far from 0 a number at times()[time] may be that stood for 0, in read()'s numbers.
  double zero_tolerance(std::size_t time, std::size_t member) const;
  /// What turns read()'s numbers into those of ReadAs.
  double factor(std::size_t time, std::size_t member) const {
    return parts_[file_index(time, member)].factor;
  }

  /// (row, column) of a box, as stored and unpacked; NaN where missing or flagged as bad.
  std::vector<double> read(std::size_t time, std::size_t member, const PointBox& box,
                           std::size_t level = 0) const {
    return read(joined_.place(time, member), box, level);
  }
  /// The same times the factor; what is too great for the variable is refused.
  std::vector<double> read_scaled(std::size_t time, std::size_t member, const PointBox& box,
                                  std::size_t level = 0) const;
  /// Refuses a number as stored at `place` as a fill value that is not declared.
  [[noreturn]] void refuse_value(double stored, GeographicPoint place, std::size_t time,
                                 std::size_t member) const;

 private:
  /// What one file says of the variable.
  struct Part {
    FieldLayout layout;
    std::vector<std::size_t> level_index;  // (level)
    double factor = 1;
    std::vector<QualityFlag> flags;
  };

  FieldLayout layout_in(const NetcdfFile& file) const;
  Part read_part(const NetcdfFile& file);
  void describe(const NetcdfFile& file, Part& part);
  void require_alike(const NetcdfFile& file, Part& part);
  void require_same_meaning(const NetcdfFile& file, const Part& part) const;
  DepthLevel depth_level(const NetcdfFile& file, const FieldLayout& layout) const;
  DiveLevels dive_levels_in(const NetcdfFile& file, const RolePlace& place) const;
  std::vector<double> read_times(const NetcdfFile& file, const FieldLayout& layout);
  std::vector<std::uint8_t> read_land(const NetcdfFile& file, const FieldLayout& layout) const;
  std::string scalar_time(const NetcdfFile& file) const;
  std::vector<double> read(const FieldPlace& place, const PointBox& box, std::size_t level) const;
  [[noreturn]] void refuse_unused(std::size_t taken, std::size_t dropped) const;
  /// Of all points of a field at the first level, in m s-1 or as stored.
  std::uint64_t checksum(const FieldPlace& place) const;
  void note(const std::string& text);

  SourceVariable variable_;
  SeriesRequest request_;
  OpenFiles& files_;
  std::vector<Part> parts_;          // (file)
  std::vector<FileExtent> extents_;  // (file)
  JoinedFiles joined_;
  VariablePoints points_;
  std::vector<std::uint8_t> land_;                 // (row, column) by a mask; empty: none
  std::vector<std::vector<std::uint8_t>> closed_;  // (level) of (row, column); empty: none
  std::optional<double> depth_;                    // [m]
  DiveLevels dive_levels_;                         // of the first file
  std::vector<std::string> notes_;
};

}  // namespace tidewise::ingest
