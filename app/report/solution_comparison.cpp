#include "app/report/solution_comparison.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "app/report/environment.h"

namespace tidewise {

std::string describe_solutions(const mdp::SolutionComparison& comparison, char letter) {
  return report_line("action", fmt::format("{} and A take the same action in {} of {} states "
                                           "({:.2f} %)",
                                           letter, comparison.same_actions, comparison.states,
                                           100 * comparison.same_share())) +
         report_line("value",
                     fmt::format("differs by {:.3g} on average, by {:.3g} at most, in "
                                 "state {}",
                                 comparison.mean_difference, comparison.greatest_difference,
                                 comparison.state_of_greatest));
}

nlohmann::ordered_json solutions_to_json(const mdp::SolutionComparison& comparison) {
  return {{"states", comparison.states},
          {"same_actions", comparison.same_actions},
          {"same_share", comparison.same_share()},
          {"mean_value_difference", comparison.mean_difference},
          {"greatest_value_difference", comparison.greatest_difference},
          {"state_of_greatest_difference", comparison.state_of_greatest}};
}

}  // namespace tidewise
