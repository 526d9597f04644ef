#include "app/solve/initial.h"

#include <fmt/core.h>

#include "app/error/codes.h"
#include "base/error.h"
#include "mdp/file/solution.h"
#include "mdp/process/fingerprint.h"
#include "mdp/process/first_values.h"

namespace tidewise {

template <class Real>
void begin_with_initial(const SolveArguments& arguments, const CommandContext& context,
                        mdp::DecisionProcess<Real>& process) {
  if (arguments.initial.empty()) return;
  const mdp::StoredSolution stored = mdp::read_solution(arguments.initial);
  const std::size_t states = stored.solution.value.size();
  if (states != static_cast<std::size_t>(process.state_count)) {
    throw input_error(errors::initial_solution_size, arguments.initial, states,
                      process.state_count);
  }
  const std::string& stored_fingerprint = stored.origin.model_fingerprint;
  if (!stored_fingerprint.empty() && stored_fingerprint != mdp::fingerprint(process)) {
    context.warn(fmt::format(
        "--initial {}: is of another model than this one ({}), or of another goal; the solve "
        "begins with its values all the same",
        arguments.initial, stored.origin.model.empty() ? "unnamed" : stored.origin.model));
  }
  process.initial_value =
      mdp::first_values_from(process, stored.solution.value, arguments.direction,
                             arguments.options.method == mdp::Method::backward);
}

template void begin_with_initial(const SolveArguments&, const CommandContext&,
                                 mdp::DecisionProcess<float>&);
template void begin_with_initial(const SolveArguments&, const CommandContext&,
                                 mdp::DecisionProcess<double>&);

}  // namespace tidewise
