#include "mdp/worlds/random_world.h"

#include <vector>

#include "base/random.h"
#include "mdp/process/row_writer.h"
#include "mdp/worlds/world_rows.h"

namespace tidewise::mdp {

template <class Real>
DecisionProcess<Real> make_random_world(const RandomWorldOptions& options) {
  require_count("states", options.states);
  require_count("actions", options.actions);
  require_count("successors", options.successors);
  require_discount(options.discount);
  const Philox random(options.seed);
  RowWriter<Real> writer(options.states, options.actions);
  writer.reserve(std::int64_t{options.states} * options.actions * options.successors);
  std::vector<Transition> row;
  for (std::int64_t number = 0; number < std::int64_t{options.states} * options.actions; ++number) {
    const auto draw = [&](std::int32_t n) {
      return random(static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                    static_cast<std::uint32_t>(n));
    };
    row.clear();
    double sum = 0;
    for (std::int32_t n = 0; n < options.successors; ++n) {
      const auto [word] = draw(n);
      const auto to = static_cast<std::int32_t>(
          to_range(word[0], word[1], static_cast<std::uint32_t>(options.states)));
      row.push_back({to, to_unit(word[2]) + 0x1p-33, 0});
      sum += row.back().probability;
    }
    for (Transition& transition : row) transition.probability /= sum;
    add_sound_row(writer, row, to_unit(draw(options.successors).word[0]));
  }
  return finish_world(writer, options.discount);
}

template DecisionProcess<float> make_random_world(const RandomWorldOptions&);
template DecisionProcess<double> make_random_world(const RandomWorldOptions&);

}  // namespace tidewise::mdp
