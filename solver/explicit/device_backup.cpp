#include "solver/explicit/device_backup.h"

#include "solver/backup/expectation.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

ExplicitDeviceBackup::ExplicitDeviceBackup(const EnvironmentInfo& info,
                                           const PlanningProblem& problem, ExplicitMethod method)
    : info_(info),
      mission_(problem.mission),
      inverse_count_(inverse_count(row_total(info, problem.rule))),
      method_(method),
      device_mission_(info, problem) {
  if (method == ExplicitMethod::sparse) sparse_ = make_sparse_product();
}

ExplicitRule ExplicitDeviceBackup::rule(TimeLevel k, const DeviceCompactLevel& level,
                                        const OutcomeFields& fields) const {
  ExplicitRule rule;
  rule.outcome = outcome_rule(info_, mission_, k, device_mission_.target(), fields);
  rule.kind = device_mission_.kind();
  rule.kind_of = device_mission_.kind_of();
  rule.outcomes = outcomes_;
  rule.words = outcome_words(level.max_window_places);
  rule.inverse_count = inverse_count_;
  return rule;
}

const ExplicitLaunch& ExplicitDeviceBackup::launch_for(const DeviceCompactLevel& level) {
  if (level.width != planned_width_ || level.max_window_places != planned_places_) {
    launch_ = plan_launch(level, device_mission_.kinds());
    planned_width_ = level.width;
    planned_places_ = level.max_window_places;
  }
  return launch_;
}

View<float> ExplicitDeviceBackup::expected(std::size_t rows) {
  if (expected_.size() < rows) expected_ = DeviceArray<float>(rows);
  return expected_.view().part(0, rows);
}

void ExplicitDeviceBackup::prepare(TimeLevel k, const DeviceCompactLevel& level,
                                   const OutcomeFields& fields, const DeviceStream& stream) {
  if (method_ == ExplicitMethod::sparse) {
    sparse_->build(rule(k, level, fields), level.view(), stream);
  } else if (method_ == ExplicitMethod::padded) {
    const std::int32_t words = outcome_words(level.max_window_places);
    const std::size_t size = level.cells() * static_cast<std::size_t>(words);
    if (outcomes_.size() < size) outcomes_ = DeviceArray<OutcomeWord>(size);
    launch_find_outcomes(
        {rule(k, level, fields).outcome.landing, level.view(), words, outcomes_.view()}, stream);
  }
}

void ExplicitDeviceBackup::back_up(TimeLevel k, const DeviceCompactLevel& level,
                                   const OutcomeFields& fields, View<float> value,
                                   View<std::int16_t> action, const DeviceStream& stream) {
  const ExplicitRule rule = this->rule(k, level, fields);
  if (method_ == ExplicitMethod::sparse) {
    const View<float> expected = this->expected(level.rows());
    sparse_->multiply(fields.value_next, expected, stream);
    launch_choose_action(rule, level.action_count, expected, sparse_->immediate(), value, action,
                         stream);
  } else if (method_ == ExplicitMethod::padded && launch_for(level).blocks > 0) {
    launch_back_up(launch_, rule, level.view(), value, action, stream);
  } else {
    const View<float> expected = this->expected(level.rows());
    launch_look_up({rule, level.view(), expected}, stream);
    launch_choose_action(rule, level.action_count, expected, {}, value, action, stream);
  }
}

std::size_t ExplicitDeviceBackup::model_bytes(const DeviceCompactLevel& level) const {
  return method_ == ExplicitMethod::sparse ? sparse_->bytes() : level.bytes();
}

}  // namespace tidewise
