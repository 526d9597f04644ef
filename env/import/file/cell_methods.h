#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// How the values of a field were made along one of its dimensions, by CF's attribute cell_methods.
struct CellMethod {
  std::string name;             ///< "mean", "point", "maximum", …, in lower case
  bool is_climatology = false;  ///< over the same part of several days or years
};

/// The method along a dimension that goes by one of `names`, which are in lower case: the last one
/// where several are given, as it was applied last. Nothing where `cell_methods` has none.
std::optional<CellMethod> cell_method_along(const std::string& cell_methods,
                                            const std::vector<std::string>& names);

}  // namespace tidewise::ingest
