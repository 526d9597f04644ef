#pragma once

#include <string>
#include <vector>

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// The labels of a file's ensemble members.
struct MemberLabels {
  std::vector<std::string> labels;  ///< (member in the file); empty: no labels
  std::string by;                   ///< "dimension number", "variable realization", "attribute …"
};

/// Reads the labels from the coordinate of the variable's member dimension; else from a variable of
/// one value or an attribute of the variable or the file that has a name for members (realization,
/// ensemble_member, …), or the name in `names.member`. A coordinate with missing or equal values
/// gives no labels. Errors: InputError naming file and variable.
MemberLabels read_member_labels(const NetcdfFile& file, const FieldLayout& layout,
                                const SourceNames& names);

/// True if `name` is a variable of one value, or an attribute of `variable` or the file, that can
/// label the file's only member.
bool is_single_label(const NetcdfFile& file, const std::string& variable, const std::string& name);

/// Sorts numbers by value, and other labels by length, then alphabetically (r2i1p1, r10i1p1).
void sort_labels(std::vector<std::string>& labels);

/// The labels as text: "1, 2, 3", or "1 … 21" for many.
std::string list_labels(const std::vector<std::string>& labels);

}  // namespace tidewise::ingest
