#include "mdp/worlds/gridworld.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/parallel/team.h"
#include "base/random.h"
#include "mdp/error/codes.h"
#include "mdp/process/merge_transitions.h"

namespace tidewise::mdp {
namespace {

constexpr std::int32_t directions = 4;  // north, east, south, west: clockwise
constexpr GridCell step[directions] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

enum class CellKind : std::uint8_t { open, wall, obstacle, goal };

// Purpose of a random number: the third word of its counter.
constexpr std::uint32_t draw_kind = 0;
constexpr std::uint32_t draw_reward = 1;
constexpr std::uint32_t draw_rewiring = 2;
constexpr std::uint32_t draw_target = 3;  // and following, one per direction

// A target that is a wall is drawn again; after this number of draws the transition stays in its
// cell.
constexpr std::uint32_t max_draws_per_cell = 1000;

/// A row under construction.
struct Row {
  Transition transition[directions];
  std::size_t size = 0;
};

void sort(Row& row) {  // by successor, stable
  for (std::size_t n = 1; n < row.size; ++n) {
    for (std::size_t m = n; m > 0; --m) {
      Transition& previous = row.transition[m - 1];
      if (previous.successor <= row.transition[m].successor) break;
      std::swap(previous, row.transition[m]);
    }
  }
}

constexpr std::int64_t cells_per_piece = 1024;

/// Computes rows in any order.
class Gridworld {
 public:
  Gridworld(const GridworldOptions& options, std::int32_t threads)
      : options_(options), random_(options.seed), kind_(std::size_t(cell_count())) {
    for_each_shared(cell_count(), cells_per_piece, threads, [&](std::int64_t cell) {
      kind_[cell] = draw_cell(static_cast<std::int32_t>(cell));
    });
    kind_[cell_of(options.start)] = CellKind::open;
    if (options.goal) kind_[cell_of(*options.goal)] = CellKind::goal;
  }

  std::int32_t cell_count() const { return options_.n_x * options_.n_y; }
  std::int32_t cell_of(GridCell place) const { return place.y * options_.n_x + place.x; }
  bool is_terminal(std::int32_t cell) const {
    return kind_of(cell) == CellKind::wall || kind_of(cell) == CellKind::goal;
  }

  /// Reward of any action in a cell, for any successor.
  double reward_at(std::int32_t cell) const {
    if (options_.reward_share <= 0) return 0;
    const auto [word] = random_(std::uint32_t(cell), 0, draw_reward);
    if (!(to_unit(word[0]) < options_.reward_share)) return 0;
    const std::uint32_t span =
        std::uint32_t(options_.greatest_reward) - std::uint32_t(options_.min_reward) + 1;
    return options_.min_reward + double(to_range(word[1], word[2], span));
  }

  /// Successors ascend without repetition.
  Row row_of(std::int32_t cell, std::int32_t action) const {
    Row row;
    if (is_terminal(cell)) return row;
    const std::int64_t number = std::int64_t{cell} * directions + action;
    const bool may_rewire = options_.rewired_share > 0;
    const auto chance = may_rewire ? draw(number, draw_rewiring, 0) : Philox::Words{};
    for (std::int32_t turn = 0; turn < directions; ++turn) {
      const double probability = options_.move_probability[turn];
      if (probability <= 0) continue;
      const bool rewired = may_rewire && to_unit(chance.word[turn]) < options_.rewired_share;
      const std::int32_t to =
          rewired ? random_cell(number, turn, cell) : neighbour(cell, (action + turn) % directions);
      row.transition[row.size++] = {to, probability, reward_into(to)};
    }
    sort(row);
    row.size = merge_equal_successors(row.transition, row.size);
    return row;
  }

 private:
  CellKind kind_of(std::int32_t cell) const { return kind_[cell]; }

  Philox::Words draw(std::int64_t number, std::uint32_t purpose, std::uint32_t attempt) const {
    return random_(std::uint32_t(number), std::uint32_t(number >> 32), purpose, attempt);
  }

  CellKind draw_cell(std::int32_t cell) const {
    if (options_.wall_share + options_.obstacle_share <= 0) return CellKind::open;
    const double chance = to_unit(draw(cell, draw_kind, 0).word[0]);
    if (chance < options_.wall_share) return CellKind::wall;
    if (chance < options_.wall_share + options_.obstacle_share) return CellKind::obstacle;
    return CellKind::open;
  }

  std::int32_t neighbour(std::int32_t cell, std::int32_t direction) const {
    const std::int32_t x = cell % options_.n_x + step[direction].x;
    const std::int32_t y = cell / options_.n_x + step[direction].y;
    if (x < 0 || x >= options_.n_x || y < 0 || y >= options_.n_y) return cell;
    const std::int32_t to = cell_of({x, y});
    return kind_of(to) == CellKind::wall ? cell : to;
  }

  std::int32_t random_cell(std::int64_t number, std::int32_t turn, std::int32_t cell) const {
    for (std::uint32_t n = 0; n < max_draws_per_cell; ++n) {
      const auto [word] = draw(number, draw_target + std::uint32_t(turn), n);
      const auto to = std::int32_t(to_range(word[0], word[1], std::uint32_t(cell_count())));
      if (kind_of(to) != CellKind::wall) return to;
    }
    return cell;
  }

  double reward_into(std::int32_t cell) const {
    double reward = 0.0 - options_.step_cost;
    if (kind_of(cell) == CellKind::obstacle) reward -= options_.obstacle_cost;
    if (kind_of(cell) == CellKind::goal) reward += options_.goal_reward;
    return reward;
  }

  const GridworldOptions& options_;
  Philox random_;
  std::vector<CellKind> kind_;  // (cell)
};

void require_share(double share, const char* what) {
  if (share >= 0 && share <= 1) return;
  throw input_error(errors::share_invalid, what, share);
}

void require_within(GridCell place, const GridworldOptions& options, const char* what) {
  if (place.x >= 0 && place.x < options.n_x && place.y >= 0 && place.y < options.n_y) return;
  throw input_error(errors::grid_cell_outside, what, place.x, place.y, options.n_x, options.n_y);
}

}  // namespace

GridworldOptions slip_world(std::int32_t n_x, std::int32_t n_y, double slip) {
  GridworldOptions options;
  options.n_x = n_x;
  options.n_y = n_y;
  options.move_probability = {1 - slip, slip / 2, 0, slip / 2};
  options.goal = GridCell{n_x - 1, n_y - 1};
  return options;
}

GridworldOptions wet_floor_world(std::int32_t side, std::int32_t successors) {
  GridworldOptions options;
  options.n_x = side;
  options.n_y = side;
  options.step_cost = 0;
  options.reward_share = 0.001;
  switch (successors) {
    case 1:
      options.move_probability = {1, 0, 0, 0};
      return options;
    case 2:
      options.move_probability = {0.9, 0.1, 0, 0};
      return options;
    case 4:
      options.move_probability = {0.7, 0.1, 0.1, 0.1};
      return options;
    default:
      throw input_error(errors::successor_count_invalid, successors);
  }
}

void require_possible(const GridworldOptions& options) {
  const std::int64_t cells = std::int64_t{options.n_x} * options.n_y;
  if (options.n_x < 1 || options.n_y < 1 || cells > std::numeric_limits<std::int32_t>::max()) {
    throw input_error(errors::grid_size_invalid, options.n_x, options.n_y,
                      std::numeric_limits<std::int32_t>::max());
  }
  double sum = 0;
  for (const double probability : options.move_probability) {
    require_share(probability, "the probability of a move");
    sum += probability;
  }
  if (!(std::abs(sum - 1) <= probability_tolerance)) {
    throw input_error(errors::move_probabilities_sum, sum);
  }
  require_share(options.wall_share, "the share of walls");
  require_share(options.obstacle_share, "the share of obstacles");
  require_share(options.wall_share + options.obstacle_share, "that of walls and obstacles");
  require_share(options.reward_share, "the share of cells with a reward");
  require_share(options.rewired_share, "the share of rewired transitions");
  const std::pair<double, const char*> numbers[] = {{options.step_cost, "the cost of a step"},
                                                    {options.obstacle_cost, "that of an obstacle"},
                                                    {options.goal_reward, "the goal's reward"}};
  for (const auto& [number, what] : numbers) {
    if (!std::isfinite(number)) throw input_error(errors::world_number_invalid, what, number);
  }
  if (options.min_reward > options.greatest_reward) {
    throw input_error(errors::reward_range_reversed, options.min_reward, options.greatest_reward);
  }
  require_share(options.discount, "the discount");
  require_within(options.start, options, "start");
  if (options.goal) require_within(*options.goal, options, "goal");
}

template <class Real>
DecisionProcess<Real> make_gridworld(const GridworldOptions& options, std::int32_t threads) {
  require_possible(options);
  const Gridworld world(options, threads);
  const std::int32_t cells = world.cell_count();

  DecisionProcess<Real> process;
  process.state_count = cells;
  process.action_count = directions;
  process.discount = options.discount;
  process.initial_state = world.cell_of(options.start);
  process.action_names = {"north", "east", "south", "west"};
  const auto rows = std::size_t(process.row_count());
  process.row_begin.resize(rows + 1);
  std::int64_t* const row_begin = process.row_begin.data();
  for_each_shared(cells, cells_per_piece, threads, [&](std::int64_t index) {
    const auto cell = static_cast<std::int32_t>(index);
    for (std::int32_t action = 0; action < directions; ++action) {
      row_begin[process.row(cell, action) + 1] = std::int64_t(world.row_of(cell, action).size);
    }
  });
  std::partial_sum(process.row_begin.begin(), process.row_begin.end(), process.row_begin.begin());

  const auto entries = std::size_t(process.row_begin.back());
  process.successor.resize(entries);
  process.probability.resize(entries);
  process.reward.resize(rows);
  if (options.keep_rewards) process.entry_reward.resize(entries);
  for_each_shared(cells, cells_per_piece, threads, [&](std::int64_t index) {
    const auto cell = static_cast<std::int32_t>(index);
    const double reward = world.is_terminal(cell) ? 0 : world.reward_at(cell);
    for (std::int32_t action = 0; action < directions; ++action) {
      const auto at = std::size_t(process.row(cell, action));
      auto entry = std::size_t(process.row_begin[at]);
      const Row row = world.row_of(cell, action);
      double expected = reward;
      for (std::size_t n = 0; n < row.size; ++n, ++entry) {
        const Transition& transition = row.transition[n];
        expected += transition.probability * transition.reward;
        process.successor[entry] = transition.successor;
        process.probability[entry] = static_cast<Real>(transition.probability);
        if (options.keep_rewards) {
          process.entry_reward[entry] = static_cast<Real>(transition.reward);
        }
      }
      process.reward[at] = static_cast<Real>(expected);
    }
  });
  return process;
}

template DecisionProcess<float> make_gridworld(const GridworldOptions&, std::int32_t);
template DecisionProcess<double> make_gridworld(const GridworldOptions&, std::int32_t);

}  // namespace tidewise::mdp
