#pragma once

#include <string>
#include <vector>

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// How a file numbers the ensemble members that it holds.
struct MemberLabels {
  std::vector<std::string> labels;  ///< (member in the file); empty: it numbers none
  std::string by;                   ///< "dimension number", "variable realization", "attribute …"
};

/// By the coordinate of the variable's member dimension; else by a variable of one value or an
/// attribute of the variable or the file with a name that means members (realization,
/// ensemble_member, …), or the name in `names.member`. A coordinate whose values are missing or not
/// distinct numbers none. Errors: InputError naming file and variable.
MemberLabels read_member_labels(const NetcdfFile& file, const FieldLayout& layout,
                                const SourceNames& names);

/// Whether `name` is a variable of one value, or an attribute of `variable` or the file, which can
/// number the one member of the file.
bool is_single_label(const NetcdfFile& file, const std::string& variable, const std::string& name);

/// Sorts numbers by their value, and other labels by length, then letters (r2i1p1, r10i1p1).
void sort_labels(std::vector<std::string>& labels);

/// "1, 2, 3", or "1 … 21" for many.
std::string list_labels(const std::vector<std::string>& labels);

}  // namespace tidewise::ingest
