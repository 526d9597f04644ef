#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The process with other initial values, (state); borrows the rest, so `process` must outlive it.
/// The result has no names and labels.
template <class Real>
DecisionProcess<Real> borrow_with_first_values(const DecisionProcess<Real>& process,
                                               std::vector<Real> first) {
  const std::shared_ptr<const void> owner(&process, [](const void*) {});
  const auto borrowed = [&]<class T>(const BorrowableArray<T>& values) {
    return BorrowableArray<T>(View<const T>(values), owner);
  };
  DecisionProcess<Real> result;
  result.state_count = process.state_count;
  result.action_count = process.action_count;
  result.row_begin = borrowed(process.row_begin);
  result.successor = borrowed(process.successor);
  result.probability = borrowed(process.probability);
  result.reward = borrowed(process.reward);
  result.discount = process.discount;
  result.initial_state = process.initial_state;
  result.initial_value = std::move(first);
  return result;
}

}  // namespace tidewise::mdp
