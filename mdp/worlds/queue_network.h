#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Admission, routing and service-rate control of queues side by side, made discrete in time by
/// uniformisation. State: the lengths of the queues, the first counting fastest. An action says
/// where an arrival goes (a queue, or nowhere) and whether servers work fast: it is
/// destination · 2 + fast, destination `queues` for nowhere. Customers waiting, an arrival lost and
/// fast service cost; what is lost finds its queue full or is sent away. All costs are an epoch's.
/// Source: the model of Lippman, "Applying a new device in the optimization of exponential queuing
/// systems", Operations Research 23, 1975, for several queues.
struct QueueNetworkOptions {
  std::int32_t queues = 3;
  std::int32_t capacity = 59;  ///< of each queue, customers
  double arrival_rate = 2.2;
  double slow_rate = 0.8;  ///< of the first server; each next one is a tenth slower
  double fast_rate = 1.1;
  double waiting_cost = 1;  ///< of a customer in the first queue; a fifth more in each next one
  double fast_cost = 6;     ///< of each server that works fast
  double loss_cost = 60;
  double discount = 0.99;
};

/// Errors: InputError for numbers that make no network.
template <class Real>
DecisionProcess<Real> make_queue_network(const QueueNetworkOptions& options);

}  // namespace tidewise::mdp
