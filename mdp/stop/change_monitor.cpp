#include "mdp/stop/change_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "mdp/stop/sweep_criterion.h"

namespace tidewise::mdp {
namespace {

/// So many sweeps at most between two looks; their time is small beside a person's patience.
constexpr std::int64_t most_unseen = 64;

}  // namespace

double ChangeMonitor::measure(const ValueChange& change) const {
  const double wrong = centres(discount_, options_)
                           ? bounds_after(change, discount_).centred_error()
                           : change.residual();
  return wrong == 0 ? 0 : wrong / options_.tolerance;
}

std::int64_t ChangeMonitor::sweeps_until(double goal) const {
  if (!(log_rate_ < 0) || !(measure_ > goal) || !(goal > 0)) return 1;
  const double needed = std::log(goal / measure_) / log_rate_;
  // A little less than foretold, and few beside what has been done: values that come to rest all
  // at once, as when a goal's worth has reached every state, were not foreseen.
  const std::int64_t most = std::clamp(sweeps_ / 8, std::int64_t{1}, most_unseen);
  return std::clamp(static_cast<std::int64_t>(std::min(0.9 * needed, 1e6)), std::int64_t{1}, most);
}

void ChangeMonitor::see(std::int64_t sweeps, double measure) {
  log_rate_ = 0;
  if (measure_ > 0 && measure > 0 && measure < measure_ && sweeps > sweeps_) {
    log_rate_ = std::log(measure / measure_) / static_cast<double>(sweeps - sweeps_);
  }
  sweeps_ = sweeps;
  measure_ = measure;
  if (!(measure < least_)) return;
  least_ = measure;
  last_fall_ = sweeps;
}

bool ChangeMonitor::is_hopeless() const {
  if (!(discount_ < 1)) return false;
  const double patience = std::max(1000.0, 4 / (1 - discount_));
  return static_cast<double>(sweeps_ - last_fall_) > patience;
}

ValueChange finite_change(const ChangeRecord& record, std::string_view method,
                          std::int64_t sweeps) {
  const ValueChange change = record.change();
  if (std::isfinite(change.least) && std::isfinite(change.most)) return change;
  throw RunError(
      fmt::format("{}: after {} sweeps a value is no finite number: rewards are too large for this "
                  "precision, or values grow without end; take double precision or a discount "
                  "below 1",
                  method, sweeps));
}

template <class Real>
void move_to_middle(const ValueChange& change, double discount, const SolveOptions& options,
                    ProcessSolution<Real>& solution) {
  if (!centres(discount, options)) return;
  const Real middle = static_cast<Real>(bounds_after(change, discount).middle());
  for (std::size_t s = 0; s < solution.value.size(); ++s) {
    if (solution.action[s] >= 0) solution.value[s] += middle;
  }
}

template void move_to_middle(const ValueChange&, double, const SolveOptions&,
                             ProcessSolution<float>&);
template void move_to_middle(const ValueChange&, double, const SolveOptions&,
                             ProcessSolution<double>&);

}  // namespace tidewise::mdp
