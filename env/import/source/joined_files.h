#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "env/import/file/member_labels.h"

namespace tidewise::ingest {

/// One member's field at one time: where the files have it.
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

/// What tells the files of a variable apart.
enum class FilesDiffer {
  in_time_and_labels,  ///< their times, and the members that they number
  in_member            ///< each holds members of its own, whatever it numbers
};

/// A field that is not taken, since a file named before has the same time and member.
struct RepeatedField {
  FieldPlace taken;
  FieldPlace dropped;
};

/// The fields of several files, as one series of times and members.
struct JoinedFiles {
  std::vector<double> times;  ///< [s since 1970], growing
  std::size_t member_count = 1;
  std::vector<FieldPlace> places;       ///< (time, member)
  std::vector<RepeatedField> repeated;  ///< by file and time
  std::vector<std::string> labels;      ///< (member); empty where the files number none
  std::string members_by;  ///< what makes the members, for a report: "dimension number"; or empty

  const FieldPlace& place(std::size_t time, std::size_t member) const {
    return places[time * member_count + member];
  }
  /// Whether any field of a file is taken.
  bool takes(std::size_t file) const;
};

/// Of one time and member the file named first is taken. Errors: InputError, without naming the
/// variable, where a member lacks times of the others, or where some files number their members and
/// others do not.
JoinedFiles join_files(const std::vector<FileExtent>& files, FilesDiffer differ);

/// Whether there are several files, all of the same times, and none numbers its members.
bool are_unnumbered_twins(const std::vector<FileExtent>& files);

}  // namespace tidewise::ingest
