#include "mdp/formula/state_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "mdp/formula/formula_tokens.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

using Truths = std::vector<std::uint8_t>;

const StateLabel* find_label(std::string_view name, const std::vector<StateLabel>& labels) {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const StateLabel& label) { return label.name == name; });
  return found == labels.end() ? nullptr : &*found;
}

std::string names_of(const std::vector<StateLabel>& labels) {
  std::string names;
  for (const StateLabel& label : labels) names += (names.empty() ? "" : ", ") + label.name;
  return names;
}

}  // namespace

std::vector<std::uint8_t> StateFormula::holds(const std::vector<StateLabel>& labels,
                                              std::int32_t state_count,
                                              const std::string& place) const {
  const auto states = static_cast<std::size_t>(state_count);
  std::vector<Truths> stack;
  const auto pop = [&] {
    Truths last = std::move(stack.back());
    stack.pop_back();
    return last;
  };
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::always:
      case Kind::never:
        stack.emplace_back(states, step.kind == Kind::always ? 1 : 0);
        break;
      case Kind::label: {
        const StateLabel* const label = find_label(step.label, labels);
        if (label == nullptr) {
          const std::string names = names_of(labels);
          throw InputError(formula_fault(
              place, text_, step.position,
              fmt::format("there is no label {}; {}", in_quotes(step.label),
                          names.empty() ? "the model has none" : "there are " + names)));
        }
        stack.emplace_back(states, std::uint8_t{0});
        for (const std::int32_t state : label->states) {
          stack.back()[static_cast<std::size_t>(state)] = 1;
        }
        break;
      }
      case Kind::negation:
        for (std::uint8_t& truth : stack.back()) truth = truth == 0 ? 1 : 0;
        break;
      case Kind::all_hold:
      case Kind::any_holds: {
        const Truths other = pop();
        Truths& one = stack.back();
        for (std::size_t s = 0; s < states; ++s) {
          one[s] = step.kind == Kind::all_hold ? one[s] & other[s] : one[s] | other[s];
        }
        break;
      }
    }
  }
  return pop();
}

}  // namespace tidewise::mdp
