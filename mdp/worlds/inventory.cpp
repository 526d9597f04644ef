#include "mdp/worlds/inventory.h"

#include <vector>

#include "mdp/error/codes.h"
#include "mdp/process/row_writer.h"
#include "mdp/worlds/world_rows.h"

namespace tidewise::mdp {

template <class Real>
DecisionProcess<Real> make_inventory(const InventoryOptions& options) {
  require_count("places", options.room);
  require_discount(options.discount);
  if (options.room > 5000 || !(options.demand > 0) || !(options.display >= 0)) {
    throw input_error(errors::inventory_invalid, options.room, options.demand, options.display);
  }
  const std::int32_t states = options.room + 1;
  RowWriter<Real> writer(states, states);
  std::vector<Transition> row;
  for (std::int32_t stock = 0; stock < states; ++stock) {
    for (std::int32_t order = 0; order < states; ++order) {
      row.clear();
      double reward = 0;
      if (const std::int32_t morning = stock + order; morning <= options.room) {
        const double mean = options.demand + options.display * morning / options.room;
        const double q = mean / (1 + mean);  // P(demand = d) = (1 − q) q^d
        double sold = 0;    // mean number: Σ P(demand ≥ d), d from 1 to the stock
        double chance = 1;  // P(demand ≥ d) = q^d
        for (std::int32_t d = 0; d <= morning; ++d, chance *= q) {
          row.push_back({morning - d, d == morning ? chance : (1 - q) * chance, 0});
          if (d > 0) sold += chance;
        }
        reward = options.price * sold - options.order_cost * order -
                 (order > 0 ? options.delivery_cost : 0) - options.holding_cost * (morning - sold);
      }
      add_sound_row(writer, row, reward);
    }
  }
  return finish_world(writer, options.discount);
}

template DecisionProcess<float> make_inventory(const InventoryOptions&);
template DecisionProcess<double> make_inventory(const InventoryOptions&);

}  // namespace tidewise::mdp
