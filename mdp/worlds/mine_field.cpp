#include "mdp/worlds/mine_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "mdp/error/codes.h"
#include "mdp/process/row_writer.h"

namespace tidewise::mdp {
namespace {

constexpr std::int32_t octants = 8;
// counter-clockwise from +x
constexpr std::int32_t x_of_octant[octants] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr std::int32_t y_of_octant[octants] = {0, 1, 1, 1, 0, -1, -1, -1};

constexpr std::int32_t max_side = 10'000;
constexpr std::uint32_t max_layouts = 100;

void require_possible(const MineFieldOptions& options) {
  const auto require = [](bool possible, const char* name, auto value, const char* remedy) {
    if (!possible) {
      throw input_error(errors::mine_field_invalid, name, value, remedy);
    }
  };
  const auto is_side = [](std::int32_t side) { return side >= 4 && side <= max_side; };
  const auto is_number = [](double number) { return std::isfinite(number); };
  require(is_side(options.width), "the width", options.width, "4 to 10000 cells");
  require(is_side(options.height), "the height", options.height, "4 to 10000 cells");
  require(options.moves == 4 || options.moves == octants, "the number of moves", options.moves,
          "4 or 8");
  require(options.mine_share >= 0 && options.mine_share < 1, "the share of mines",
          options.mine_share, "one from 0 to below 1");
  require(options.slip >= 0 && options.slip <= 1, "the slip", options.slip, "one from 0 to 1");
  require(options.drift >= 0 && options.drift <= 1, "the drift", options.drift, "one from 0 to 1");
  require(is_number(options.step_cost), "the cost of a step", options.step_cost, "a number");
  require(is_number(options.goal_reward), "the goal's reward", options.goal_reward, "a number");
  require(is_number(options.mine_penalty), "a mine's penalty", options.mine_penalty, "a number");
  require(options.discount >= 0 && options.discount <= 1, "the discount", options.discount,
          "one from 0 to 1");
}

/// A probability and its octant.
struct Push {
  double probability = 0;
  std::int32_t octant = 0;
};

class Field {
 public:
  explicit Field(const MineFieldOptions& options) : options_(options) {}

  std::int32_t size() const { return options_.width * options_.height; }
  std::int32_t goal() const { return size() - 1; }

  /// The neighbouring cell, or the farthest that the border allows.
  std::int32_t neighbour(std::int32_t cell, std::int32_t octant) const {
    const std::int32_t x = cell % options_.width + x_of_octant[octant];
    const std::int32_t y = cell / options_.width + y_of_octant[octant];
    return std::clamp(y, 0, options_.height - 1) * options_.width +
           std::clamp(x, 0, options_.width - 1);
  }

  std::int32_t octant_of(std::int32_t action) const { return action * octants / options_.moves; }

  std::vector<std::uint8_t> draw(std::uint32_t attempt) const {
    const Philox random(options_.seed);
    std::vector<std::uint8_t> mines(static_cast<std::size_t>(size()), 0);
    for (std::int32_t cell = 0; cell < size(); ++cell) {
      const Philox::Words words = random(static_cast<std::uint32_t>(cell), attempt);
      const bool is_mine = to_unit(words.word[0]) < options_.mine_share;
      mines[cell] = is_mine && !is_kept_clear(cell) ? 1 : 0;
    }
    return mines;
  }

  /// True if successful moves can lead from the start to the goal.
  bool has_path(const std::vector<std::uint8_t>& mines) const {
    std::vector<std::uint8_t> closed = mines;
    std::vector<std::int32_t> waiting{0};
    while (!waiting.empty()) {
      const std::int32_t cell = waiting.back();
      waiting.pop_back();
      if (cell == goal()) return true;
      for (std::int32_t action = 0; action < options_.moves; ++action) {
        const std::int32_t next = neighbour(cell, octant_of(action));
        if (closed[next] != 0) continue;
        closed[next] = 1;
        waiting.push_back(next);
      }
    }
    return false;
  }

  /// The eddy (−sin πx cos πy, cos πx sin πy) on the unit square, stream function sin πx sin πy:
  /// the octant nearest to its direction, and the probability that it moves the vehicle.
  Push current(std::int32_t cell) const {
    const double x = std::numbers::pi * (cell % options_.width + 0.5) / options_.width;
    const double y = std::numbers::pi * (cell / options_.width + 0.5) / options_.height;
    const double u = -std::sin(x) * std::cos(y);
    const double v = std::cos(x) * std::sin(y);
    const auto eighths =
        static_cast<std::int32_t>(std::lround(std::atan2(v, u) / (2 * std::numbers::pi) * octants));
    return {options_.drift * std::min(1.0, std::hypot(u, v)), (eighths + octants) % octants};
  }

  /// The possible results of an action: first the heading, then the current at the new position.
  std::vector<Transition> outcomes(std::int32_t cell, std::int32_t action,
                                   const std::vector<std::uint8_t>& mines) const {
    const std::int32_t intended = octant_of(action);
    const std::int32_t turn = octants / options_.moves;
    const Push headings[] = {{1 - options_.slip, intended},
                             {options_.slip / 2, (intended + turn) % octants},
                             {options_.slip / 2, (intended + octants - turn) % octants}};
    const double cost = options_.step_cost * (intended % 2 == 0 ? 1 : std::numbers::sqrt2);
    std::vector<Transition> outcomes;
    const auto add = [&](std::int32_t to, double probability) {
      double reward = -cost;
      if (to == goal()) reward += options_.goal_reward;
      if (mines[to] != 0) reward -= options_.mine_penalty;
      outcomes.push_back({to, probability, reward});
    };
    for (const Push& heading : headings) {
      const std::int32_t reached = neighbour(cell, heading.octant);
      const bool ended = reached == goal() || mines[reached] != 0;
      const Push drift = ended ? Push{} : current(reached);
      add(reached, heading.probability * (1 - drift.probability));
      if (!ended) add(neighbour(reached, drift.octant), heading.probability * drift.probability);
    }
    return outcomes;
  }

 private:
  bool is_kept_clear(std::int32_t cell) const {
    const std::int32_t x = cell % options_.width;
    const std::int32_t y = cell / options_.width;
    return (x <= 1 && y <= 1) || (x >= options_.width - 2 && y >= options_.height - 2);
  }

  const MineFieldOptions& options_;
};

}  // namespace

std::vector<std::uint8_t> lay_mines(const MineFieldOptions& options) {
  require_possible(options);
  const Field field(options);
  for (std::uint32_t attempt = 0; attempt < max_layouts; ++attempt) {
    std::vector<std::uint8_t> mines = field.draw(attempt);
    if (field.has_path(mines)) return mines;
  }
  throw input_error(errors::mine_field_too_dense, options.mine_share, max_layouts);
}

template <class Real>
DecisionProcess<Real> make_mine_field(const MineFieldOptions& options) {
  const std::vector<std::uint8_t> mines = lay_mines(options);
  const Field field(options);
  RowWriter<Real> writer(field.size(), options.moves, true);
  for (std::int32_t cell = 0; cell < field.size(); ++cell) {
    const bool is_end = cell == field.goal() || mines[cell] != 0;
    for (std::int32_t action = 0; action < options.moves; ++action) {
      std::vector<Transition> row;
      if (!is_end) row = field.outcomes(cell, action, mines);
      const std::string fault = writer.add_row(row);
      if (!fault.empty()) throw input_error(errors::mine_field_row_invalid, fault);
    }
  }
  DecisionProcess<Real> process = writer.finish();
  process.discount = options.discount;
  process.initial_state = 0;
  StateLabel mine_label{"mine", {}};
  for (std::int32_t cell = 0; cell < field.size(); ++cell) {
    if (mines[cell] != 0) mine_label.states.push_back(cell);
  }
  process.labels = {mine_label, {"goal", {field.goal()}}};
  return process;
}

template DecisionProcess<float> make_mine_field(const MineFieldOptions&);
template DecisionProcess<double> make_mine_field(const MineFieldOptions&);

}  // namespace tidewise::mdp
