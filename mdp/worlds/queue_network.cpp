#include "mdp/worlds/queue_network.h"

#include <limits>
#include <vector>

#include "mdp/error/codes.h"
#include "mdp/process/row_writer.h"
#include "mdp/worlds/world_rows.h"

namespace tidewise::mdp {
namespace {

std::int32_t state_count_of(const QueueNetworkOptions& options) {
  require_count("queues", options.queues);
  require_count("customers in a queue", options.capacity);
  require_discount(options.discount);
  const bool possible =
      options.arrival_rate >= 0 && options.slow_rate > 0 && options.fast_rate >= options.slow_rate;
  if (!possible) {
    throw input_error(errors::queue_rates_invalid, options.arrival_rate, options.slow_rate,
                      options.fast_rate);
  }
  std::int64_t states = 1;
  for (std::int32_t queue = 0; queue < options.queues; ++queue) {
    states *= options.capacity + 1;
    if (states > std::numeric_limits<std::int32_t>::max()) {
      throw input_error(errors::queue_states_too_many, options.queues, options.capacity,
                        std::numeric_limits<std::int32_t>::max());
    }
  }
  return static_cast<std::int32_t>(states);
}

/// Computes the row of each state and action.
class QueueNetwork {
 public:
  explicit QueueNetwork(const QueueNetworkOptions& options)
      : options_(options), total_rate_(options.arrival_rate) {
    for (std::int32_t queue = 0; queue < options.queues; ++queue) {
      total_rate_ += service(queue, /*fast=*/true);
    }
  }

  void set_state(std::int32_t state) {
    state_ = state;
    length_.clear();
    for (std::int32_t queue = 0; queue < options_.queues; ++queue) {
      length_.push_back(state % (options_.capacity + 1));
      state /= options_.capacity + 1;
    }
  }

  /// Writes a row and returns its reward.
  double write(std::int32_t action, std::vector<Transition>& row) const {
    const std::int32_t destination = action / 2;
    const bool fast = action % 2 == 1;
    row.clear();
    double cost = 0;
    double rest = 1;  // probability that nothing happens
    const auto add_event = [&](double rate, std::int32_t to) {
      row.push_back({to, rate / total_rate_, 0});
      rest -= rate / total_rate_;
    };
    std::int32_t stride = 1;
    bool is_lost = true;
    for (std::int32_t queue = 0; queue < options_.queues; ++queue) {
      const std::int32_t length = length_[queue];
      cost += options_.waiting_cost * (1 + 0.2 * queue) * length;
      if (length > 0) {
        add_event(service(queue, fast), state_ - stride);
        if (fast) cost += options_.fast_cost;
      }
      if (queue == destination && length < options_.capacity) {
        add_event(options_.arrival_rate, state_ + stride);
        is_lost = false;
      }
      stride *= options_.capacity + 1;
    }
    if (is_lost) cost += options_.loss_cost * options_.arrival_rate;
    if (rest > 1e-12) row.push_back({state_, rest, 0});
    return -cost / total_rate_;
  }

 private:
  double service(std::int32_t queue, bool fast) const {
    return (fast ? options_.fast_rate : options_.slow_rate) * (1 - 0.1 * queue);
  }

  const QueueNetworkOptions& options_;
  double total_rate_;  // of all events
  std::int32_t state_ = 0;
  std::vector<std::int32_t> length_ = {};  // (queue)
};

}  // namespace

template <class Real>
DecisionProcess<Real> make_queue_network(const QueueNetworkOptions& options) {
  const std::int32_t states = state_count_of(options);
  if (options.queues > 9) {
    throw input_error(errors::queue_count_invalid, options.queues);
  }
  const std::int32_t actions = 2 * (options.queues + 1);
  QueueNetwork network(options);
  RowWriter<Real> writer(states, actions);
  writer.reserve(std::int64_t{states} * actions * (options.queues + 2));
  std::vector<Transition> row;
  for (std::int32_t state = 0; state < states; ++state) {
    network.set_state(state);
    for (std::int32_t action = 0; action < actions; ++action) {
      const double reward = network.write(action, row);
      add_sound_row(writer, row, reward);
    }
  }
  return finish_world(writer, options.discount);
}

template DecisionProcess<float> make_queue_network(const QueueNetworkOptions&);
template DecisionProcess<double> make_queue_network(const QueueNetworkOptions&);

}  // namespace tidewise::mdp
