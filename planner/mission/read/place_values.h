#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/read/key_reader.h"
#include "planner/mission/request.h"

namespace tidewise {

// Values of keys that give places: points, polygons, zones. Errors: InputError of KeyReader's kind.

/// The keys that a place may be given by, of which a mission has one: `key` itself (a point or
/// several), and the same with _lonlat, _polygon or _polygon_lonlat behind it.
std::vector<std::string> keys_of_place(const std::string& key);

/// The place that one of those keys gives; one must be there. A GeoJSON file of _polygon counts
/// from `folder`.
Position read_position(const KeyReader& keys, const std::string& key,
                       const std::filesystem::path& folder);

/// Zones that no vehicle is to enter: a list of tables, each with one of file (GeoJSON, of which
/// every polygon becomes a zone), polygon and polygon_lonlat, and with from and until.
std::optional<std::vector<NoGoZone>> find_no_go(const KeyReader& keys, std::string_view key,
                                                const std::filesystem::path& folder);

/// Via points: a list of tables, each with one of point, lonlat, polygon and polygon_lonlat, and
/// with radius.
std::optional<std::vector<ViaPoint>> find_via(const KeyReader& keys, std::string_view key,
                                              const std::filesystem::path& folder);

/// Vertices that the polygons of one key may have between them: they are kept in the mission of
/// every file that a run leaves.
inline constexpr std::size_t max_vertices = 20'000;

}  // namespace tidewise
