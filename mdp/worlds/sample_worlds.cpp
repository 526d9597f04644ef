#include "mdp/worlds/sample_worlds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parse_number.h"
#include "mdp/error/codes.h"
#include "mdp/worlds/inventory.h"
#include "mdp/worlds/mountain_car.h"
#include "mdp/worlds/queue_network.h"
#include "mdp/worlds/random_world.h"

namespace tidewise::mdp {
namespace {

std::int32_t scaled(std::int32_t size, double share) {
  return std::max(2, static_cast<std::int32_t>(std::lround(size * share)));
}

}  // namespace

const std::vector<std::string>& sample_world_kinds() {
  static const std::vector<std::string> kinds{"random", "queues", "car", "inventory"};
  return kinds;
}

std::optional<SampleWorld> sample_world_of(std::string_view name) {
  const std::size_t at = name.find('@');
  SampleWorld world{std::string(name.substr(0, at)), {}, 1};
  const auto& kinds = sample_world_kinds();
  if (std::find(kinds.begin(), kinds.end(), world.kind) == kinds.end()) return {};
  if (at == std::string_view::npos) return world;
  const auto discount = parse_number<double>(name.substr(at + 1));
  if (!discount || !(*discount >= 0 && *discount <= 1)) {
    throw input_error(errors::world_discount_missing, name, world.kind);
  }
  world.discount = *discount;
  return world;
}

template <class Real>
DecisionProcess<Real> make_sample_world(const SampleWorld& world) {
  if (!(world.scale > 0 && world.scale <= 100)) {
    throw input_error(errors::world_scale_invalid, world.scale);
  }
  const auto with_discount = [&](auto options) {
    options.discount = world.discount.value_or(options.discount);
    return options;
  };
  if (world.kind == "random") {
    auto options = with_discount(RandomWorldOptions{});
    options.states = scaled(options.states, world.scale);
    return make_random_world<Real>(options);
  }
  if (world.kind == "queues") {
    auto options = with_discount(QueueNetworkOptions{});
    options.capacity = scaled(options.capacity + 1, std::cbrt(world.scale)) - 1;
    return make_queue_network<Real>(options);
  }
  if (world.kind == "car") {
    auto options = with_discount(MountainCarOptions{});
    options.positions = scaled(options.positions, std::sqrt(world.scale));
    options.velocities = scaled(options.velocities, std::sqrt(world.scale));
    return make_mountain_car<Real>(options);
  }
  if (world.kind == "inventory") {
    auto options = with_discount(InventoryOptions{});
    options.room =
        scaled(options.room, std::cbrt(world.scale));  // entries grow with its third power
    options.demand *= std::cbrt(world.scale);
    options.display *= std::cbrt(world.scale);
    return make_inventory<Real>(options);
  }
  throw input_error(errors::world_unknown, world.kind, fmt::join(sample_world_kinds(), ", "));
}

template DecisionProcess<float> make_sample_world(const SampleWorld&);
template DecisionProcess<double> make_sample_world(const SampleWorld&);

}  // namespace tidewise::mdp
