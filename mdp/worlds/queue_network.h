#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Admission, routing and service-rate control of parallel queues, discretized in time by
/// uniformisation. State: the lengths of the queues, the first varying fastest. Action destination
/// · 2 + fast: the queue of an arrival (`queues`: none) and whether servers work fast. Costs are
/// due for waiting customers, lost arrivals and fast service; an arrival is lost if its queue is
/// full or none is chosen. Costs are per epoch. Source: the model of Lippman, "Applying a new
/// device in the optimization of exponential queuing systems", Operations Research 23, 1975, for
/// several queues.
struct QueueNetworkOptions {
  std::int32_t queues = 3;
  std::int32_t capacity = 59;  ///< customers in each queue, at most
  double arrival_rate = 2.2;
  double slow_rate = 0.8;  ///< rate of the first server; each further one is a tenth slower
  double fast_rate = 1.1;
  double waiting_cost =
      1;  ///< cost of a customer in the first queue; a fifth more in each further one
  double fast_cost = 6;  ///< cost of each fast server
  double loss_cost = 60;
  double discount = 0.99;
};

/// Makes the process of the options. Errors: InputError for invalid numbers.
template <class Real>
DecisionProcess<Real> make_queue_network(const QueueNetworkOptions& options);

}  // namespace tidewise::mdp
