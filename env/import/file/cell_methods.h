#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// The statistic of a field's values along one of its dimensions, from CF's attribute cell_methods.
struct CellMethod {
  std::string name;             ///< "mean", "point", "maximum", …, in lower case
  bool is_climatology = false;  ///< over the same part of several days or years
};

/// The method along the dimension that has one of `names`, in lower case. If there are several, it
/// is the last, which was applied last. nullopt if `cell_methods` has none.
std::optional<CellMethod> cell_method_along(const std::string& cell_methods,
                                            const std::vector<std::string>& names);

}  // namespace tidewise::ingest
