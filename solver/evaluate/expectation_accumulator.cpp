#include "solver/evaluate/expectation_accumulator.h"

#include <limits>

namespace tidewise {

StepTotals sum_over_cells(std::vector<CellTotals>& cells) {
  if (cells.empty()) return {};
  while (cells.size() > 1) {
    std::size_t groups = 0;
    for (std::size_t n = 0; n < cells.size(); ++n) {
      const CellTotals entry = cells[n];
      const CellIndex group(entry.cell.value / sum_group);
      if (groups == 0 || cells[groups - 1].cell != group) cells[groups++] = {group, {}};
      cells[groups - 1].totals += entry.totals;
    }
    cells.resize(groups);
  }
  return cells.front().totals;
}

void ExpectationAccumulator::end_at_start(StepOutcome outcome, double value) {
  sum_.ended[static_cast<std::size_t>(outcome)].probability = 1;
  sum_.value = value;
}

void ExpectationAccumulator::enter(const StepTotals& step, double elapsed, double length) {
  sum_ += step;
  arrival_time_ +=
      step.ended[static_cast<std::size_t>(StepOutcome::arrived)].probability * elapsed -
      step.saved * length;
}

ExpectationAccumulator& ExpectationAccumulator::operator+=(const ExpectationAccumulator& other) {
  sum_ += other.sum_;
  arrival_time_ += other.arrival_time_;
  return *this;
}

ExpectedOutcome ExpectationAccumulator::close() const {
  const auto at = [this](StepOutcome end) -> const Probability& {
    return sum_.ended[static_cast<std::size_t>(end)];
  };
  const Probability& arrived = at(StepOutcome::arrived);
  const auto given_arrival = [&](double sum) {
    return arrived.probability > 0 ? sum / arrived.probability
                                   : std::numeric_limits<double>::quiet_NaN();
  };
  double harvested = 0;
  for (const Probability& ended : sum_.ended) harvested += ended.harvested;
  return {arrived.probability,
          given_arrival(arrival_time_),
          given_arrival(arrived.spent),
          given_arrival(arrived.spent - arrived.harvested),
          at(StepOutcome::obstacle).probability,
          at(StepOutcome::out_of_domain).probability,
          at(StepOutcome::out_of_time).probability,
          at(StepOutcome::without_action).probability,
          at(StepOutcome::out_of_forecast).probability,
          sum_.value,
          harvested};
}

}  // namespace tidewise
