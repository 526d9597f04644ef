#include "output/route/format.h"

#include <fmt/format.h>

#include "base/error.h"
#include "output/route/csv.h"

namespace tidewise {

const std::vector<RouteFormat>& route_formats() {
  static const std::vector<RouteFormat> formats{
      {.name = "csv", .ending = ".csv", .takes_plane = true, .text = to_csv},
  };
  return formats;
}

const RouteFormat& route_format(std::string_view name) {
  std::string names;
  for (const RouteFormat& format : route_formats()) {
    if (format.name == name) return format;
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  throw InputError(fmt::format("unknown format {}; there are {}", name, names));
}

}  // namespace tidewise
