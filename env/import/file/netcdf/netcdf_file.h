#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/file/guarded/guarded_message.h"
#include "env/import/file/netcdf/packing.h"

namespace tidewise {
template <class Object>
class Guarded;
}

namespace tidewise::ingest {

/// A dimension of a variable.
struct NetcdfDimension {
  std::string name;
  std::size_t size = 0;
};

/// A NetCDF file open for reading, classic or NetCDF-4. It is open in one of its groups, initially
/// the root: its variables are those of the group and of the groups around it. The file is not
/// trusted, so a separate process reads it (base/file/guarded/guarded.h). Each function forwards
/// its call to that process, where variables have their full names, "group/variable".
///
/// Errors: InputError naming file and variable.
class NetcdfFile {
 public:
  explicit NetcdfFile(std::filesystem::path path);
  /// Opens the file within this process, for Guarded. `name`: the file's name in messages.
  static std::shared_ptr<NetcdfFile> open_unguarded(const std::filesystem::path& path,
                                                    const std::filesystem::path& name);
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;
  ~NetcdfFile();

  const std::filesystem::path& path() const { return path_; }

  /// Full names of all groups below the root, "a" or "a/b".
  const std::vector<std::string>& groups() const { return groups_; }
  /// The group that the file is open in; empty for the root.
  const std::string& group() const { return group_; }
  /// Changes to one of groups(), or to the root ("").
  void enter(const std::string& group);
  /// True if a variable is in the group itself, not in a group around it.
  bool is_own(const std::string& variable) const;

  /// Variables that hold numbers, in the file's order. They include quality flags stored as
  /// characters (…_qc, or with flag_values), for which read() returns the value of a digit or the
  /// code of another character.
  const std::vector<std::string>& variables() const { return variables_; }
  /// All variables, also those without numbers, such as grid mappings.
  const std::vector<std::string>& all_variables() const { return all_; }
  bool has(const std::string& variable) const;
  std::vector<NetcdfDimension> dimensions(const std::string& variable) const;
  /// A text attribute of a variable, or of the file if `variable` is "", trimmed; empty if it is
  /// absent or not text.
  std::string text(const std::string& variable, const std::string& attribute) const;
  /// The text attribute of each of variables(), in one call.
  std::vector<std::string> texts(const std::string& attribute) const;
  /// A variable's units, from the attribute "units" or a common misspelling (Units, unit, UNIT).
  /// Errors: InputError if two of these attributes mean different units.
  std::string units(const std::string& variable) const;
  /// Greatest deviation from 0 of an unpacked value that was 0 before packing (Packing).
  double zero_tolerance(const std::string& variable) const;
  /// A numeric attribute of a variable, or of the file if `variable` is ""; empty if it is absent
  /// or not numeric.
  std::vector<double> numbers(const std::string& variable, const std::string& attribute) const;
  /// The box [start, start + count), unpacked; NaN where a value is missing.
  std::vector<double> read(const std::string& variable, const std::vector<std::size_t>& start,
                           const std::vector<std::size_t>& count) const;
  std::vector<double> read_all(const std::string& variable) const;

  /// Throws InputError: "<file>: variable <variable>: <why>".
  [[noreturn]] void refuse(const std::string& variable, const std::string& why) const;

 private:
  NetcdfFile(const std::filesystem::path& path, std::filesystem::path name);
  void share(const std::string& variable, const std::vector<std::size_t>& start,
             const std::vector<std::size_t>& count, const SharedBytes& out) const;
  /// Unpacks stored numbers from LentFields, in the guarded process.
  std::vector<double> unpacked(const std::string& variable,
                               const std::vector<double>& stored) const;
  void unpack(const std::string& variable, const SharedBytes& values) const;
  /// In the guarded process: lists groups and variables with their full names.
  void list_group(int id, const std::string& name);
  /// The full name of a variable, or of the current group if `variable` is "".
  std::string full_name(const std::string& variable) const;
  Packing packing(const std::string& variable) const;
  /// Names and sizes of the variable's dimensions.
  std::vector<std::pair<std::string, std::size_t>> dimension_pairs(
      const std::string& variable) const;
  /// Refuses a box with more values than the file can hold, even compressed.
  void validate(const std::string& variable, std::uint64_t size) const;
  /// The NetCDF library's identifiers of a variable, or of a group for its attributes.
  struct Place {
    int group = -1;
    int variable = -1;
  };
  Place place_of(const std::string& variable) const;
  Place attribute_owner(const std::string& variable) const;

  std::filesystem::path path_;
  std::shared_ptr<Guarded<NetcdfFile>> guard_;  // null within the guarded process
  std::uint64_t file_size_ = 0;                 // [B]
  int id_ = -1;
  std::map<std::string, Place> places_;  // (full name), within the guarded process
  std::vector<std::string> groups_;
  std::string group_;
  std::vector<std::string> variables_;
  std::vector<std::string> all_;
  std::vector<std::string> full_variables_;  // in all groups
  std::vector<std::string> full_all_;
};

}  // namespace tidewise::ingest
