#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mdp/formula/state_formula.h"

namespace tidewise::mdp {

/// What a path is to do: come to a state where `target` holds, through states where `stay` holds,
/// within so many steps or for so much reward where there is such a bound.
///
///     path   := state | [state] "U" bound state | "F" bound state      A U B; F B is true U B
///     bound  := nothing | "<=" STEPS | "{" "r" "<=" REWARD "}"
///     state  := all ("|" all)*        all := one ("&" one)*
///     one    := "!" one | "(" state ")" | "true" | "false" | LABEL | "\"" LABEL "\""
///
/// Source: Baier and Katoen, Principles of Model Checking, 2008, chapter 10: the until of PCTL.
struct PathFormula {
  enum class Form { state, finally, until };
  Form form = Form::state;  ///< `state`: B alone, which is F B
  StateFormula stay;        ///< A; of F B true
  StateFormula target;      ///< B
  std::optional<std::int64_t> most_steps = {};
  std::optional<double> most_reward = {};
  std::string text = {};

  bool is_bounded() const { return most_steps || most_reward; }
};

/// `place`: what errors begin with. Errors: InputError in one line that names the character which
/// is not understood; for nesting deeper than 64.
PathFormula parse_path_formula(std::string_view text, const std::string& place);

/// Refuses a formula that a total reward cannot be collected until: one with U or a bound. Errors:
/// InputError.
void require_for_reward(const PathFormula& formula, const std::string& place);

}  // namespace tidewise::mdp
