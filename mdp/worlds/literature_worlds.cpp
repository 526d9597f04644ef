#include "mdp/worlds/literature_worlds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {
namespace {

constexpr double slip = 0.1;
constexpr std::int32_t sides[] = {64, 256, 512, 1024};
constexpr std::int32_t successor_counts[] = {1, 2, 4};

struct SlipWorld {
  const char* name;
  std::int32_t side;
  double discount;
  double wall_share;
  double obstacle_share;
};
constexpr SlipWorld slip_worlds[] = {{"G1", 512, 0.9, 0, 0},      {"G2", 1024, 0.9, 0, 0},
                                     {"G3", 1024, 0.95, 0, 0},    {"G4", 1024, 0.9, 0.3, 0.1},
                                     {"G5", 1024, 0.9, 0.4, 0.1}, {"G6", 2048, 0.9, 0, 0}};

std::string wet_floor_name(std::int32_t side, std::int32_t successors) {
  return fmt::format("wet-{}x{}", side, successors);
}

}  // namespace

std::vector<std::string> slip_world_names() {
  std::vector<std::string> names;
  for (const SlipWorld& world : slip_worlds) names.emplace_back(world.name);
  return names;
}

std::vector<std::string> wet_floor_names() {
  std::vector<std::string> names;
  for (const std::int32_t side : sides) {
    for (const std::int32_t successors : successor_counts) {
      names.push_back(wet_floor_name(side, successors));
    }
  }
  return names;
}

GridworldOptions literature_world(std::string_view name) {
  for (const SlipWorld& world : slip_worlds) {
    if (name != world.name) continue;
    GridworldOptions options = slip_world(world.side, world.side, slip);
    options.discount = world.discount;
    options.wall_share = world.wall_share;
    options.obstacle_share = world.obstacle_share;
    return options;
  }
  for (const std::int32_t side : sides) {
    for (const std::int32_t successors : successor_counts) {
      if (name == wet_floor_name(side, successors)) return wet_floor_world(side, successors);
    }
  }
  throw input_error(errors::world_unknown, name,
                    fmt::format("{}, {}", fmt::join(slip_world_names(), ", "),
                                fmt::join(wet_floor_names(), ", ")));
}

}  // namespace tidewise::mdp
