#include "env/areas/geojson_polygons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/file/text_file.h"
#include "base/nesting.h"
#include "env/areas/polygon_interior.h"
#include "env/error/codes.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"

namespace tidewise {
namespace {

using Json = nlohmann::json;

/// The part of nlohmann's message after "[json.exception…] parse error at line 1, column 2: syntax
/// error while parsing value - ".
std::string without_preamble(std::string text) {
  for (const char* preamble : {"json.exception", "parse error", "syntax error"}) {
    const auto begin = text.find(preamble);
    if (begin == std::string::npos || begin > 1) continue;
    const char* mark = *preamble == 'j' ? "] " : *preamble == 'p' ? ": " : " - ";
    const auto end = text.find(mark);
    if (end != std::string::npos) text.erase(0, end + std::string(mark).size());
  }
  return text;
}

/// Reads one file; every message begins with the file and the place in it.
class GeojsonReader {
 public:
  explicit GeojsonReader(const std::filesystem::path& path) : path_(path) {}

  std::vector<GeojsonPolygon> read() {
    add_object(parse(read_text()));
    if (polygons_.empty()) refuse(error_text(errors::geojson_without_polygons));
    return std::move(polygons_);
  }

 private:
  std::string read_text() const {
    std::error_code ignored;
    if (std::filesystem::is_directory(path_, ignored))
      refuse(error_text(errors::geojson_is_folder));
    return read_text_file(path_, text_format::polygons);
  }

  Json parse(const std::string& text) const {
    if (trimmed(text).empty()) refuse(error_text(errors::geojson_empty));
    require_shallow(text, NestedText::json, path_.string());
    try {
      return Json::parse(text);
    } catch (const Json::parse_error& error) {
      const auto end =
          text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
      refuse(error_text(errors::geojson_not_json, 1 + std::count(text.begin(), end, '\n'),
                        error.byte, without_preamble(error.what())));
    } catch (const Json::exception& error) {
      refuse(error_text(errors::geojson_unusable, without_preamble(error.what())));
    }
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: {}{}", path_.string(), location_, why));
  }

  const Json& member(const Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) {
      refuse(error_text(errors::geojson_member_missing, key));
    }
    return object[key];
  }

  std::string type_of(const Json& object) const {
    const Json& type = member(object, "type");
    return type.is_string() ? type.get<std::string>() : type.dump();
  }

  /// Accepts only systems of longitudes and latitudes within a few metres of WGS 84. The
  /// specification of 2008 allows others, but metres near 0, 0 and exchanged axes look like
  /// degrees.
  void require_degrees(const Json& object) const {
    if (!object.is_object() || !object.contains("crs") || object["crs"].is_null()) return;
    const Json& crs = object["crs"];
    const Json properties = crs.is_object() ? crs.value("properties", Json()) : Json();
    const Json name = properties.is_object() ? properties.value("name", Json()) : Json();
    const std::string full = name.is_string() ? name.get<std::string>() : crs.dump();
    const std::string code = lower_case(full.substr(full.rfind(':') + 1));
    for (const char* known : {"crs84", "crs83", "4326", "4269", "4258"}) {
      if (code == known) return;
    }
    refuse(error_text(errors::geojson_reference_system, full, path_.string()));
  }

  void add_object(const Json& object) {
    require_degrees(object);
    const std::string type = type_of(object);
    if (type == "FeatureCollection") {
      std::size_t number = 0;
      for (const Json& feature : member(object, "features")) {
        location_ = fmt::format("feature {}: ", ++number);
        add_object(feature);
      }
      location_.clear();
    } else if (type == "Feature") {
      const Json& geometry = member(object, "geometry");
      if (geometry.is_null()) return;  // RFC 7946: a feature without a location
      const Json properties = object.value("properties", Json::object());
      GeojsonPolygon period;
      period.start = time_of(properties, {"start", "start_time", "from"}, period.start);
      period.end = time_of(properties, {"end", "end_time", "until"}, period.end);
      if (period.start > period.end) {
        refuse(error_text(errors::geojson_time_reversed, format_iso_time(period.end),
                          format_iso_time(period.start)));
      }
      add_geometry(geometry, period);
    } else {
      add_geometry(object, {});
    }
  }

  double time_of(const Json& properties, std::initializer_list<const char*> names,
                 double fallback) const {
    if (!properties.is_object()) return fallback;
    for (const char* name : names) {
      const auto property = properties.find(name);
      if (property == properties.end() || property->is_null()) continue;
      if (!property->is_string()) {
        refuse(error_text(errors::geojson_time_invalid, name, property->dump()));
      }
      try {
        return parse_iso_time(property->get<std::string>());
      } catch (const InputError& error) {
        refuse(fmt::format("{}: {}", name, error.what()));
      }
    }
    return fallback;
  }

  void add_geometry(const Json& geometry, const GeojsonPolygon& period) {
    require_degrees(geometry);
    const std::string type = type_of(geometry);
    if (type == "Polygon") {
      add_polygon(member(geometry, "coordinates"), period);
    } else if (type == "MultiPolygon") {
      for (const Json& polygon : member(geometry, "coordinates")) add_polygon(polygon, period);
    } else if (type == "GeometryCollection") {
      for (const Json& part : member(geometry, "geometries")) add_geometry(part, period);
    } else {
      refuse(error_text(errors::geojson_not_area, type));
    }
  }

  void add_polygon(const Json& coordinates, GeojsonPolygon polygon) {
    if (!coordinates.is_array() || coordinates.empty()) {
      refuse(error_text(errors::geojson_polygon_without_rings));
    }
    for (const Json& ring : coordinates) {
      const RingRole role = polygon.rings.empty() ? RingRole::outline : RingRole::hole;
      polygon.rings.push_back(read_ring(ring, role));
    }
    const std::string contradiction = describe_contradiction(polygon.rings, Wrap::longitude);
    if (!contradiction.empty()) {
      refuse(error_text(errors::geojson_polygon_invalid, contradiction, path_.string()));
    }
    polygons_.push_back(std::move(polygon));
  }

  Ring read_ring(const Json& positions, RingRole role) const {
    Ring ring;
    if (positions.is_array()) {
      for (const Json& position : positions) ring.push_back(read_position(position));
    }
    if (ring.size() < 4 || ring.front() != ring.back()) {
      refuse(error_text(errors::geojson_ring_not_closed, ring.size()));
    }
    const std::string unclear = describe_unclear(ring);
    if (!unclear.empty()) refuse(error_text(errors::geojson_ring_unclear, unclear));
    return continuous_ring(ring, role);
  }

  Vertex read_position(const Json& position) const {
    if (!position.is_array() || position.size() < 2 || !position[0].is_number() ||
        !position[1].is_number()) {
      refuse(error_text(errors::geojson_position_invalid, position.dump()));
    }
    const Vertex point{position[0].get<double>(), position[1].get<double>()};
    if (std::abs(point[0]) > 540 || std::abs(point[1]) > 90) {
      refuse(error_text(errors::geojson_position_not_on_earth, position.dump()));
    }
    return point;
  }

  std::filesystem::path path_;
  std::string location_;
  std::vector<GeojsonPolygon> polygons_;
};

}  // namespace

std::vector<GeojsonPolygon> read_geojson_polygons(const std::filesystem::path& path) {
  return GeojsonReader(path).read();
}

}  // namespace tidewise
