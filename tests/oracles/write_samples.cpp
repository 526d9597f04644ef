// write_samples FOLDER: writes each sample route in each format to FOLDER/SAMPLE/FILE, and its
// values in all digits to FOLDER/SAMPLE/truth.json. The tests of this folder compare other readers
// with them.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "output/route/format.h"
#include "support/route_samples.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

Json json_of_points(const auto& points) {
  Json json = Json::array();
  for (const RoutePoint& point : points) {
    json.push_back({point.place->longitude, point.place->latitude, point.time,
                    point.instant ? Json(*point.instant) : Json(nullptr)});
  }
  return json;
}

Json json_of_names(const Route& route) {
  Json json = Json::array();
  for (const RouteWaypoint& waypoint : route.waypoints) json.push_back(waypoint.name);
  return json;
}

Json json_of_ring(const RouteObstacle::Ring& ring) {
  Json json = Json::array();
  for (const GeographicPoint& place : ring.places) {
    json.push_back({place.longitude, place.latitude});
  }
  return json;
}

Json truth_of(const Route& route) {
  Json tracks = Json::array();
  for (const RouteTrack& track : route.tracks) tracks.push_back(json_of_points(track.points));
  Json obstacles = Json::array();
  for (const RouteObstacle& obstacle : route.obstacles) {
    Json holes = Json::array();
    for (const auto& hole : obstacle.holes) holes.push_back(json_of_ring(hole));
    obstacles.push_back({{"standing", obstacle.is_standing},
                         {"outer", json_of_ring(obstacle.outer)},
                         {"holes", holes}});
  }
  Json speeds = Json::array();
  for (const RouteWaypoint& waypoint : route.waypoints) speeds.push_back(waypoint.speed);
  return {{"name", route.name},
          {"names", json_of_names(route)},
          {"waypoints", json_of_points(route.waypoints)},
          {"speeds", speeds},
          {"capture_radius", route.capture_radius},
          {"arrival_radius", route.arrival_radius},
          {"tracks", tracks},
          {"obstacles", obstacles}};
}

void write_sample(const Route& route, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Json truth = truth_of(route);
  FormatOptions options;
  options.any_number = true;
  const auto write = [&](const RouteFormat& format, const std::string& name,
                         const std::string& file) {
    try {
      write_text_file(folder / file, write_route(format, route, options));
      truth["files"][name] = file;
    } catch (const InputError& error) {
      truth["refused"][name] = error.what();
    }
  };
  for (const RouteFormat& format : route_formats()) {
    write(format, std::string(format.name), default_file_name(format, route.name, options));
  }
  options.moos_geodesy = MoosGeodesy::grid;
  write(route_format("moos"), "moos-grid", "grid.bhv");
  write_text_file(folder / "truth.json", truth.dump(1) + '\n');
}

}  // namespace
}  // namespace tidewise

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_samples FOLDER\n", stderr);
    return 2;
  }
  try {
    std::size_t number = 0;
    for (const tidewise::Route& route : tidewise::test::sample_routes()) {
      tidewise::write_sample(route, std::filesystem::path(arguments[1]) / std::to_string(number++));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_samples: %s\n", error.what());
    return 1;
  }
  return 0;
}
