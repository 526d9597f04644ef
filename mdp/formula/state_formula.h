#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Labels joined by &, | and !, for each state true or false. As parsed: an operator stands behind
/// what it is of, so that no nesting takes more than a stack of `depth` states' truths.
class StateFormula {
 public:
  enum class Kind { label, always, never, negation, all_hold, any_holds };
  struct Step {
    Kind kind;
    std::string label = {};
    std::size_t position = 0;  ///< of the label in `text`
  };

  /// Holds in every state.
  StateFormula() : steps_{{Kind::always}} {}
  /// `text`: the formula that messages quote.
  StateFormula(std::vector<Step> steps, std::string text)
      : steps_(std::move(steps)), text_(std::move(text)) {}

  /// 1 where it holds, else 0, (state). `place`: what errors begin with. Errors: InputError for a
  /// label that there is not, with those that there are.
  std::vector<std::uint8_t> holds(const std::vector<StateLabel>& labels, std::int32_t state_count,
                                  const std::string& place) const;

 private:
  std::vector<Step> steps_;
  std::string text_;
};

}  // namespace tidewise::mdp
