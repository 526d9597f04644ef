#pragma once

#include <optional>
#include <string>

#include "mdp/process/decision_process.h"

namespace tidewise::test {

/// Reads a model of ../shared/data/mdp, which has PRISM's explicit format; nullopt if the folder
/// does not exist. The model consensus also gets the labels finished_with_1 (finished and
/// all_coins_equal_1) and finished_apart (finished and not agree).
std::optional<mdp::DecisionProcess<double>> public_model(const std::string& name);

}  // namespace tidewise::test

/// Declares `variable`, a process, or skips the test.
#define TIDEWISE_REQUIRE_PUBLIC_MODEL(variable, name)                                  \
  const auto variable##_found = ::tidewise::test::public_model(name);                  \
  if (!variable##_found) GTEST_SKIP() << "../shared/data/mdp holds no model " << name; \
  const ::tidewise::mdp::DecisionProcess<double>& variable = *variable##_found
