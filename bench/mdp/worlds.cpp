#include "bench/mdp/worlds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/parse_number.h"
#include "bench/error/codes.h"
#include "mdp/worlds/literature_worlds.h"

namespace tidewise {

const char* const finite_world = "finite-512";

namespace {

constexpr std::int32_t quick_share = 8;  // fraction of a world's side

mdp::GridworldOptions grid_of(mdp::GridworldOptions world, MdpSize size) {
  if (size == MdpSize::whole) return world;
  world.n_x /= quick_share;
  world.n_y /= quick_share;
  if (world.goal) world.goal = mdp::GridCell{world.n_x - 1, world.n_y - 1};
  return world;
}

// "rewired-SIDExPERCENT" or "rewired-wet-SIDExSUCCESSORSxPERCENT", or with "@DISCOUNT"; nullopt for
// names with another beginning.
std::optional<MdpWorld> rewired_world_of(std::string_view name) {
  constexpr std::string_view kind = "rewired-";
  if (name.substr(0, kind.size()) != kind) return {};
  const std::string_view rest = name.substr(kind.size());
  const std::size_t at = std::min(rest.find('@'), rest.size());
  const std::string_view shape = rest.substr(0, at);
  const std::size_t cross = std::min(shape.rfind('x'), shape.size());
  const std::string_view base = shape.substr(0, cross);
  const auto percent = parse_number<double>(shape.substr(std::min(cross + 1, shape.size())));
  const bool is_wet = base.substr(0, 4) == "wet-";
  const auto side = is_wet ? std::optional(2) : parse_number<std::int32_t>(base);
  const auto discount = at == rest.size() ? std::optional(is_wet ? 0.9 : 0.99)
                                          : parse_number<double>(rest.substr(at + 1));
  const bool is_valid = side && *side >= 2 && *side <= 10'000 && percent && *percent >= 0 &&
                        *percent <= 100 && discount && *discount >= 0 && *discount <= 1;
  if (!is_valid) {
    throw input_error(errors::rewired_world_invalid, name);
  }
  constexpr double slip = 0.1;
  MdpWorld world{is_wet ? mdp::literature_world(base) : mdp::slip_world(*side, *side, slip)};
  world.grid.rewired_share = *percent / 100;
  world.grid.discount = *discount;
  return world;
}

}  // namespace

template <class Real>
mdp::DecisionProcess<Real> make_mdp_world(const MdpWorld& world, MdpSize size,
                                          std::int32_t threads) {
  if (!world.sample) return make_gridworld<Real>(grid_of(world.grid, size), threads);
  mdp::SampleWorld sample = *world.sample;
  if (size == MdpSize::quick) sample.scale = 1.0 / (quick_share * quick_share);
  return make_sample_world<Real>(sample);
}

template mdp::DecisionProcess<float> make_mdp_world(const MdpWorld&, MdpSize, std::int32_t);
template mdp::DecisionProcess<double> make_mdp_world(const MdpWorld&, MdpSize, std::int32_t);

MdpWorld mdp_world(std::string_view name) {
  if (name == finite_world) {
    constexpr std::int32_t side = 512;
    constexpr double slip = 0.1;
    MdpWorld world{mdp::slip_world(side, side, slip), 100};
    world.grid.discount = 1;
    return world;
  }
  if (const auto rewired = rewired_world_of(name)) return *rewired;
  if (const auto sample = mdp::sample_world_of(name)) return {{}, 0, sample};
  try {
    return {mdp::literature_world(name)};
  } catch (const InputError& error) {
    throw input_error(errors::bench_world_unknown, error.text(), finite_world,
                      fmt::join(mdp::sample_world_kinds(), ", "));
  }
}

}  // namespace tidewise
