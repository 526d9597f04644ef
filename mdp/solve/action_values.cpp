#include "mdp/solve/action_values.h"

#include <limits>

#include "base/parallel/team.h"
#include "mdp/backup/exact_backup.h"

namespace tidewise::mdp {

template <class Real>
std::vector<double> find_action_values(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, std::int32_t threads) {
  std::vector<double> worth(static_cast<std::size_t>(process.row_count()));
  constexpr std::int64_t rows_at_once = 1024;
  for_each_shared(process.row_count(), rows_at_once, threads, [&](std::int64_t row) {
    worth[row] = process.is_allowed(row) ? exact_row_value(process, value, row)
                                         : std::numeric_limits<double>::quiet_NaN();
  });
  return worth;
}

template std::vector<double> find_action_values(const DecisionProcess<float>&,
                                                const std::vector<float>&, std::int32_t);
template std::vector<double> find_action_values(const DecisionProcess<double>&,
                                                const std::vector<double>&, std::int32_t);

}  // namespace tidewise::mdp
