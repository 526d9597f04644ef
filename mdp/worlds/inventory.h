#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A store that is filled up each day, and sells what is asked for as long as there is some. State:
/// what is left in the evening; action: what is ordered for the next morning, as much as there is
/// room for. Demand is geometric, so that every row leads to every smaller stock: few states, dense
/// rows. It grows with what is on display, so that no two mornings have a row in common.
/// Source: Puterman, "Markov Decision Processes", 1994, section 3.2; demand that depends on the
/// stock: Gupta and Vrat, Opsearch 23, 1986.
struct InventoryOptions {
  std::int32_t room = 330;     ///< the most that the store holds
  double demand = 40;          ///< a day, on average, of an empty display …
  double display = 40;         ///< … and so much more of a full one
  double price = 8;            ///< of what is sold
  double order_cost = 4;       ///< of each piece, and
  double delivery_cost = 150;  ///< of any order
  double holding_cost = 0.05;  ///< of each piece a night
  double discount = 0.99;
};

/// Errors: InputError for numbers that make no store.
template <class Real>
DecisionProcess<Real> make_inventory(const InventoryOptions& options);

}  // namespace tidewise::mdp
