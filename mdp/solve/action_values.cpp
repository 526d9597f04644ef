#include "mdp/solve/action_values.h"

#include <limits>

#include "mdp/backup/exact_backup.h"

namespace tidewise::mdp {

template <class Real>
std::vector<double> find_action_values(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, std::int32_t threads) {
  std::vector<double> worth(static_cast<std::size_t>(process.row_count()));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    worth[static_cast<std::size_t>(row)] = process.is_allowed(row)
                                               ? exact_row_value(process, value, row)
                                               : std::numeric_limits<double>::quiet_NaN();
  }
  return worth;
}

template std::vector<double> find_action_values(const DecisionProcess<float>&,
                                                const std::vector<float>&, std::int32_t);
template std::vector<double> find_action_values(const DecisionProcess<double>&,
                                                const std::vector<double>&, std::int32_t);

}  // namespace tidewise::mdp
