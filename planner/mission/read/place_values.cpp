#include "planner/mission/read/place_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "env/areas/geojson_polygons.h"
#include "env/areas/polygon_interior.h"
#include "planner/error/codes.h"
#include "planner/mission/read/key_values.h"
#include "planner/mission/read/time_values.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

using Frame = Position::Frame;
using TomlList = TomlValue::Array;

constexpr const char* degrees_allowed =
    "[longitude, latitude] in degrees, longitude from -360 to 360 and latitude from -90 to 90, or "
    "a list of such points";
constexpr const char* plane_allowed = "a list of 2, each a finite number, or a list of such points";

std::optional<double> finite_number(const TomlValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.content)) return double(*whole);
  const auto* real = std::get_if<double>(&value.content);
  return real != nullptr && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
}

/// [x, y] or [longitude, latitude]; nullopt for other values.
std::optional<Vertex> as_vertex(const TomlValue& value, Frame frame) {
  const auto* pair = std::get_if<TomlList>(&value.content);
  if (pair == nullptr || pair->size() != 2) return std::nullopt;
  const auto first = finite_number(pair->front());
  const auto second = finite_number(pair->back());
  if (!first || !second) return std::nullopt;
  if (frame == Frame::geographic && (std::abs(*first) > 360 || std::abs(*second) > 90)) {
    return std::nullopt;
  }
  return Vertex{*first, *second};
}

/// Depth of the first number in nested lists: 2 in a ring, 3 in a polygon, 4 in several polygons.
int depth_of(const TomlValue& value) {
  const auto* list = std::get_if<TomlList>(&value.content);
  return list == nullptr || list->empty() ? 0 : 1 + depth_of(list->front());
}

Position read_points(const TomlEntry& entry, Frame frame) {
  const char* allowed = frame == Frame::geographic ? degrees_allowed : plane_allowed;
  Position position;
  position.frame = frame;
  std::vector<Vertex> points;
  const bool several = depth_of(entry.value) == 2;
  const TomlList single{entry.value};
  const auto& values = several ? std::get<TomlList>(entry.value.content) : single;
  for (const TomlValue& value : values) {
    const auto point = as_vertex(value, frame);
    if (!point) KeyReader::refuse(entry, allowed);
    points.push_back(*point);
  }
  position.first = points.front()[0];
  position.second = points.front()[1];
  position.others.assign(points.begin() + 1, points.end());
  return position;
}

void limit_vertices(const TomlEntry& entry, const std::vector<Polygon>& polygons) {
  std::size_t vertices = 0;
  for (const Polygon& polygon : polygons) {
    for (const Ring& ring : polygon) vertices += ring.size();
  }
  if (vertices <= max_vertices) return;
  throw input_error(errors::polygon_vertices_too_many, entry.place, entry.key, vertices,
                    max_vertices);
}

void refuse_unclear(const TomlEntry& entry, const std::vector<Polygon>& polygons, Frame frame) {
  const Wrap wrap = frame == Frame::geographic ? Wrap::longitude : Wrap::none;
  for (const Polygon& polygon : polygons) {
    const std::string contradiction = describe_contradiction(polygon, wrap);
    if (contradiction.empty()) continue;
    throw input_error(errors::polygon_invalid, entry.place, entry.key, contradiction);
  }
}

Ring read_ring(const TomlEntry& entry, const TomlValue& value, Frame frame, RingRole role) {
  constexpr const char* allowed =
      "a ring of three vertices or more, [[1, 2], [3, 4], [5, 6]], its numbers finite and degrees "
      "on Earth; or a list of rings, the outline and then its holes; or a list of these";
  const auto* list = std::get_if<TomlList>(&value.content);
  if (list == nullptr) KeyReader::refuse(entry, allowed);
  Ring ring;
  for (const TomlValue& element : *list) {
    const auto vertex = as_vertex(element, frame);
    if (!vertex) KeyReader::refuse(entry, allowed);
    ring.push_back(*vertex);
  }
  if (!ring.empty() && ring.front() != ring.back()) ring.push_back(ring.front());
  if (ring.size() < 4) KeyReader::refuse(entry, allowed);
  if (frame == Frame::plane) return ring;
  const std::string unclear = describe_unclear(ring);
  if (!unclear.empty()) {
    throw input_error(errors::polygon_invalid, entry.place, entry.key, unclear);
  }
  return continuous_ring(ring, role);
}

Polygon read_polygon(const TomlEntry& entry, const TomlValue& value, Frame frame) {
  if (depth_of(value) != 3) return {read_ring(entry, value, frame, RingRole::outline)};
  Polygon polygon;
  for (const TomlValue& ring : std::get<TomlList>(value.content)) {
    const RingRole role = polygon.empty() ? RingRole::outline : RingRole::hole;
    polygon.push_back(read_ring(entry, ring, frame, role));
  }
  return polygon;
}

std::vector<Polygon> read_polygons(const TomlEntry& entry, Frame frame) {
  std::vector<Polygon> polygons;
  if (depth_of(entry.value) != 4) {
    polygons.push_back(read_polygon(entry, entry.value, frame));
  } else {
    for (const TomlValue& polygon : std::get<TomlList>(entry.value.content)) {
      polygons.push_back(read_polygon(entry, polygon, frame));
    }
  }
  limit_vertices(entry, polygons);
  refuse_unclear(entry, polygons, frame);
  return polygons;
}

std::vector<GeojsonPolygon> read_geojson(const KeyReader& keys, const std::string& key,
                                         const fs::path& folder) {
  const TomlEntry& entry = *keys.find(key);
  const fs::path path = *find_path(keys, key, folder);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    throw input_error(errors::mission_file_key_missing, entry.place, key, path.string());
  }
  auto polygons_of_file = read_geojson_polygons(path);
  std::vector<Polygon> polygons;
  polygons.reserve(polygons_of_file.size());
  for (const GeojsonPolygon& polygon : polygons_of_file) polygons.push_back(polygon.rings);
  limit_vertices(entry, polygons);
  return polygons_of_file;
}

bool holds_text(const TomlEntry& entry) {
  return std::holds_alternative<std::string>(entry.value.content);
}

Position read_area(const KeyReader& keys, const std::string& key, Frame frame,
                   const fs::path& folder) {
  const TomlEntry& entry = *keys.find(key);
  Position position;
  position.frame = frame;
  if (holds_text(entry) && frame == Frame::plane) {
    position.frame = Frame::geographic;
    for (auto& polygon : read_geojson(keys, key, folder)) {
      position.polygons.push_back(std::move(polygon.rings));
    }
  } else {
    position.polygons = read_polygons(entry, frame);
  }
  return position;
}

/// Adds the zones of one table of mission.no_go.
void add_zones(const KeyReader& keys, const TomlEntry& list, const fs::path& folder,
               std::vector<NoGoZone>& zones) {
  const std::string file = "mission.no_go.file";
  const std::string plane = "mission.no_go.polygon";
  const std::string geographic = "mission.no_go.polygon_lonlat";
  const TomlEntry* place_entry = nullptr;
  for (const std::string& key : {file, plane, geographic}) {
    const TomlEntry* candidate = keys.find(key);
    if (candidate == nullptr) continue;
    if (place_entry != nullptr) {
      throw input_error(errors::zone_given_twice, candidate->place, candidate->key,
                        place_entry->key);
    }
    place_entry = candidate;
  }
  if (place_entry == nullptr) {
    throw input_error(errors::zone_place_missing, list.place, list.key);
  }
  NoGoZone zone;
  zone.from = find_moment(keys, "mission.no_go.from");
  zone.until = find_moment(keys, "mission.no_go.until");
  if (place_entry->key != file) {
    zone.frame = place_entry->key == geographic ? Frame::geographic : Frame::plane;
    zone.polygons = read_polygons(*place_entry, zone.frame);
    zones.push_back(std::move(zone));
    return;
  }
  zone.frame = Frame::geographic;
  for (auto& polygon : read_geojson(keys, file, folder)) {
    NoGoZone part = zone;
    part.polygons = {std::move(polygon.rings)};
    if (std::isfinite(polygon.start)) part.from = Moment::at_date(polygon.start);
    if (std::isfinite(polygon.end)) part.until = Moment::at_date(polygon.end);
    zones.push_back(std::move(part));
  }
}

/// A list of tables that a mission may hold.
struct TableList {
  const char* allowed;  ///< the list, in messages
  const char* holds;    ///< the contents of its tables, in messages
  std::vector<std::string_view> known;
};

/// The entries of a table in the list, under their full names, like entries outside a list.
std::vector<TomlEntry> entries_of(const TomlValue::Table& table, const TomlEntry& list,
                                  const TableList& table_list) {
  std::vector<TomlEntry> entries;
  for (const TomlEntry& entry : table.entries) {
    const bool typed = list.origin == TomlOrigin::command_line;
    TomlEntry full_entry = entry;
    full_entry.key = list.key + "." + entry.key;
    full_entry.origin = list.origin;
    if (typed) full_entry.place = list.place;
    if (std::find(table_list.known.begin(), table_list.known.end(), entry.key) ==
        table_list.known.end()) {
      throw input_error(errors::place_key_unknown, full_entry.place, full_entry.key,
                        table_list.holds);
    }
    entries.push_back(std::move(full_entry));
  }
  return entries;
}

/// Calls read(keys) for each table of the list.
template <class Read>
void for_each_table(const KeyReader& keys, const TomlEntry& list, const TableList& table_list,
                    const Read& read) {
  const auto* tables = std::get_if<TomlList>(&list.value.content);
  if (tables == nullptr) KeyReader::refuse(list, table_list.allowed);
  for (const TomlValue& element : *tables) {
    const auto* table = std::get_if<TomlValue::Table>(&element.content);
    if (table == nullptr) KeyReader::refuse(list, table_list.allowed);
    const std::vector<TomlEntry> entries = entries_of(*table, list, table_list);
    read(KeyReader(entries, keys.name()));
  }
}

/// The entry of the only one of these keys that is given; null if none is. Errors: InputError if
/// two are given.
const TomlEntry* find_only(const KeyReader& keys, const std::vector<std::string>& names) {
  const TomlEntry* place_entry = nullptr;
  for (const std::string& name : names) {
    const TomlEntry* candidate = keys.find(name);
    if (candidate == nullptr) continue;
    if (place_entry != nullptr) {
      throw input_error(errors::place_given_twice, candidate->place, candidate->key,
                        place_entry->key);
    }
    place_entry = candidate;
  }
  return place_entry;
}

Position read_place(const KeyReader& keys, const TomlEntry& place_entry, const fs::path& folder) {
  const Frame frame = place_entry.key.ends_with("lonlat") ? Frame::geographic : Frame::plane;
  if (place_entry.key.find("polygon") == std::string::npos) return read_points(place_entry, frame);
  return read_area(keys, place_entry.key, frame, folder);
}

}  // namespace

std::vector<std::string> keys_of_place(const std::string& key) {
  return {key, key + "_lonlat", key + "_polygon", key + "_polygon_lonlat"};
}

Position read_position(const KeyReader& keys, const std::string& key, const fs::path& folder) {
  const TomlEntry* place_entry = find_only(keys, keys_of_place(key));
  if (place_entry == nullptr) {
    const std::string word = key.substr(key.find('.') + 1);
    keys.refuse_missing(key, fmt::format("{} = [100.5, 40.5] or {}_lonlat = [-126.0, 46.8] under "
                                         "[mission]",
                                         word, word));
  }
  return read_place(keys, *place_entry, folder);
}

std::optional<std::vector<NoGoZone>> find_no_go(const KeyReader& keys, std::string_view key,
                                                const fs::path& folder) {
  const TomlEntry* list = keys.find(key);
  if (list == nullptr) return std::nullopt;
  const TableList table_list{"a list of tables, each begun by [[mission.no_go]]",
                             "a zone holds file, polygon or polygon_lonlat, then from and until",
                             {"file", "polygon", "polygon_lonlat", "from", "until"}};
  std::vector<NoGoZone> zones;
  for_each_table(keys, *list, table_list,
                 [&](const KeyReader& zone) { add_zones(zone, *list, folder, zones); });
  return zones;
}

std::optional<std::vector<ViaPoint>> find_via(const KeyReader& keys, std::string_view key,
                                              const fs::path& folder) {
  const TomlEntry* list = keys.find(key);
  if (list == nullptr) return std::nullopt;
  const TableList table_list{
      "a list of tables, each begun by [[mission.via]]",
      "a via point holds point, lonlat, polygon or polygon_lonlat, then radius",
      {"point", "lonlat", "polygon", "polygon_lonlat", "radius"}};
  std::vector<ViaPoint> via;
  for_each_table(keys, *list, table_list, [&](const KeyReader& place) {
    const TomlEntry* place_entry =
        find_only(place, {"mission.via.point", "mission.via.lonlat", "mission.via.polygon",
                          "mission.via.polygon_lonlat"});
    if (place_entry == nullptr) {
      throw input_error(errors::via_place_missing, list->place, list->key);
    }
    ViaPoint point;
    point.place = read_place(place, *place_entry, folder);
    point.radius = place.number("mission.via.radius", {.min = 0}).value_or(0);
    if (point.radius > 0 && !point.place.polygons.empty()) {
      throw input_error(errors::via_radius_twice, place_entry->place, point.radius,
                        place_entry->key);
    }
    via.push_back(std::move(point));
  });
  return via;
}

}  // namespace tidewise
