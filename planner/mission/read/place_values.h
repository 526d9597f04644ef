#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/read/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// Values of keys that give places: points, polygons, zones. Errors: InputError, as of KeyReader.

/// Returns the keys that can give a place: `key` itself (one point or several), and `key` followed
/// by _lonlat, _polygon or _polygon_lonlat. A mission has one of them.
std::vector<std::string> keys_of_place(const std::string& key);

/// Reads the place that one of those keys gives; one must be present. A GeoJSON file of _polygon
/// starts from `folder`.
Position read_position(const KeyReader& keys, const std::string& key,
                       const std::filesystem::path& folder);

/// Zones that vehicles must not enter: a list of tables, each with one of file (GeoJSON, of which
/// every polygon becomes a zone), polygon and polygon_lonlat, and with from and until.
std::optional<std::vector<NoGoZone>> find_no_go(const KeyReader& keys, std::string_view key,
                                                const std::filesystem::path& folder);

/// Via points: a list of tables, each with one of point, lonlat, polygon and polygon_lonlat, and
/// with radius.
std::optional<std::vector<ViaPoint>> find_via(const KeyReader& keys, std::string_view key,
                                              const std::filesystem::path& folder);

/// Maximum number of vertices of all polygons of a key. It is limited because every file of a run
/// contains its mission.
inline constexpr std::size_t max_vertices = 20'000;

}  // namespace tidewise
