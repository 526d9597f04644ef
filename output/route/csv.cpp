#include "output/route/csv.h"

#include <fmt/format.h>

#include <cmath>

#include "env/units/calendar_time.h"

namespace tidewise {
namespace {

std::string cell_of(const std::optional<double>& value, const char* form) {
  if (!value || !std::isfinite(*value)) return "";
  return fmt::format(fmt::runtime(form), *value);
}

}  // namespace

std::string to_csv(const Route& route, const FormatOptions& options) {
  const bool plane = options.frame == RouteFrame::plane;
  std::string text;
  for (const std::string& remark : route.remarks) text += "# " + remark + "\n";
  text += plane ? "name,x,y,time,heading_rad,speed\n"
                : "name,lat,lon,eta_utc,heading_deg_true,speed_m_s\n";
  for (const RouteWaypoint& to : route.waypoints) {
    text += to.name;
    if (plane) {
      text += fmt::format(",{},{},{},{},{}\n", to.x, to.y, to.time, cell_of(to.heading, "{:.6f}"),
                          cell_of(to.speed, "{}"));
    } else {
      text += fmt::format(",{:.8f},{:.8f},{},{},{}\n", to.place->latitude, to.place->longitude,
                          to.instant ? format_iso_time(*to.instant) + "Z" : "",
                          cell_of(to.bearing, "{:.2f}"), cell_of(to.speed, "{:.4g}"));
    }
  }
  return text;
}

}  // namespace tidewise
