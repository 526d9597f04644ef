#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "env/import/file/member_labels.h"

namespace tidewise::ingest {

/// The place of one member's field at one time in the files.
struct FieldPlace {
  std::size_t file = 0;
  std::size_t time = 0;    ///< among the file's times
  std::size_t member = 0;  ///< among the file's members
};

/// The times and the members that one file of a variable holds.
struct FileExtent {
  std::filesystem::path path;
  std::vector<double> times;  ///< [s since 1970], in the file's order
  std::size_t member_count = 1;
  MemberLabels members;
};

/// The property in which the files of a variable differ.
enum class FilesDiffer {
  in_time_and_labels,  ///< times and labels of members
  in_member            ///< each file has its own members; labels are ignored
};

/// A field that is not used, because a file that was named earlier has the same time and member.
struct RepeatedField {
  FieldPlace taken;
  FieldPlace dropped;
};

/// The fields of several files, as one series of times and members.
struct JoinedFiles {
  std::vector<double> times;  ///< [s since 1970], ascending
  std::size_t member_count = 1;
  std::vector<FieldPlace> places;       ///< (time, member)
  std::vector<RepeatedField> repeated;  ///< by file and time
  std::vector<std::string> labels;      ///< (member); empty without labels
  std::string members_by;  ///< origin of the members, such as "dimension number"; or empty

  const FieldPlace& place(std::size_t time, std::size_t member) const {
    return places[time * member_count + member];
  }
  /// True if any field of a file is used.
  bool uses(std::size_t file) const;
};

/// Joins files. If several have the same time and member, the first one is used. Errors:
/// InputError, without the variable's name, if a member lacks times of the others, or if only some
/// files label their members.
JoinedFiles join_files(const std::vector<FileExtent>& files, FilesDiffer differ);

/// True if there are several files, all with the same times, and none labels its members.
bool are_unnumbered_twins(const std::vector<FileExtent>& files);

}  // namespace tidewise::ingest
