#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The process with other initial values, (state); borrows the rest, so `process` must outlive it.
/// Without names and labels.
template <class Real>
DecisionProcess<Real> borrow_with_first_values(const DecisionProcess<Real>& process,
                                               std::vector<Real> first) {
  const std::shared_ptr<const void> owner(&process, [](const void*) {});
  const auto lent = [&]<class T>(const BorrowableArray<T>& values) {
    return BorrowableArray<T>(View<const T>(values), owner);
  };
  DecisionProcess<Real> begun;
  begun.state_count = process.state_count;
  begun.action_count = process.action_count;
  begun.row_begin = lent(process.row_begin);
  begun.successor = lent(process.successor);
  begun.probability = lent(process.probability);
  begun.reward = lent(process.reward);
  begun.discount = process.discount;
  begun.initial_state = process.initial_state;
  begun.initial_value = std::move(first);
  return begun;
}

}  // namespace tidewise::mdp
