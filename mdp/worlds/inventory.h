#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A store that is filled up each day and sells its stock on demand. State: the stock in the
/// evening; action: the order for the next morning, up to the free room. Demand is geometric, so
/// that every row leads to every smaller stock: few states, dense rows. Demand grows with the stock
/// on display, so that no two mornings have equal rows. Source: Puterman, "Markov Decision
/// Processes", 1994, section 3.2; stock-dependent demand: Gupta and Vrat, Opsearch 23, 1986.
struct InventoryOptions {
  std::int32_t room = 330;     ///< capacity of the store
  double demand = 40;          ///< mean per day with an empty display
  double display = 40;         ///< additional mean demand with a full display
  double price = 8;            ///< price of a sold piece
  double order_cost = 4;       ///< cost of each ordered piece
  double delivery_cost = 150;  ///< cost of each order
  double holding_cost = 0.05;  ///< cost of each piece per night
  double discount = 0.99;
};

/// Makes the process of the options. Errors: InputError for invalid numbers.
template <class Real>
DecisionProcess<Real> make_inventory(const InventoryOptions& options);

}  // namespace tidewise::mdp
