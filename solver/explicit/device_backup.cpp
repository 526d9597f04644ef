#include "solver/explicit/device_backup.h"

#include "base/memory/device_transfer.h"
#include "solver/backup/expectation.h"
#include "solver/backup/level_backup.h"
#include "solver/step/mission_outcome.h"

namespace tidewise {

ExplicitDeviceBackup::ExplicitDeviceBackup(const EnvironmentInfo& info,
                                           const std::vector<Action>& actions,
                                           const Mission& mission, ExplicitMethod method)
    : info_(info), mission_(mission), method_(method), target_(upload(mission.target)) {
  const ActionRewards rewards(mission, actions, info.time.step);
  kind_ = upload(rewards.kind);
  kind_of_ = upload(rewards.kind_of);
  if (method == ExplicitMethod::sparse) sparse_ = std::make_unique<SparseProduct>();
}

ExplicitRule ExplicitDeviceBackup::rule(TimeLevel k, const DeviceCompactLevel& level,
                                        const BackupFields& fields) const {
  ExplicitRule rule;
  rule.outcome = outcome_without_fields(info_, mission_, k);
  rule.outcome.landing.target = target_.view();
  rule.outcome.landing.masked_now = fields.masked_now;
  rule.outcome.landing.masked_next = fields.masked_next;
  rule.outcome.value_next = fields.value_next;
  rule.outcome.scalar_now = fields.scalar_now;
  rule.outcome.scalar_next = fields.scalar_next;
  rule.kind = kind_.view();
  rule.kind_of = kind_of_.view();
  rule.outcomes = outcomes_.view();
  rule.words = outcome_words(level.most_places);
  rule.inverse_count = inverse_count(count_total(info_));
  return rule;
}

bool ExplicitDeviceBackup::by_warps() const {
  return method_ != ExplicitMethod::sparse && method_ != ExplicitMethod::look_up;
}

const ExplicitLaunch& ExplicitDeviceBackup::launch_for(const DeviceCompactLevel& level) {
  if (level.order != planned_order_ || level.width != planned_width_ ||
      level.most_places != planned_places_ || level.most_slice_entries != planned_slice_entries_) {
    launch_ = plan_launch(level, static_cast<std::int32_t>(kind_.size()));
    planned_order_ = level.order;
    planned_width_ = level.width;
    planned_places_ = level.most_places;
    planned_slice_entries_ = level.most_slice_entries;
  }
  return launch_;
}

View<float> ExplicitDeviceBackup::expected(std::size_t rows) {
  if (expected_.size() < rows) expected_ = DeviceArray<float>(rows);
  return expected_.view().part(0, rows);
}

void ExplicitDeviceBackup::prepare(TimeLevel k, const DeviceCompactLevel& level,
                                   const BackupFields& fields, const DeviceStream& stream) {
  if (method_ == ExplicitMethod::sparse) {
    sparse_->build(rule(k, level, fields), level.view(), stream);
  } else if (by_warps()) {
    const std::int32_t words = outcome_words(level.most_places);
    const std::size_t size = level.cells() * static_cast<std::size_t>(words);
    if (outcomes_.size() < size) outcomes_ = DeviceArray<OutcomeWord>(size);
    launch_find_outcomes(
        {rule(k, level, fields).outcome.landing, level.view(), words, outcomes_.view()}, stream);
  }
}

void ExplicitDeviceBackup::back_up(TimeLevel k, const DeviceCompactLevel& level,
                                   const BackupFields& fields, View<float> value,
                                   View<std::int16_t> action, const DeviceStream& stream) {
  const ExplicitRule rule = this->rule(k, level, fields);
  if (method_ == ExplicitMethod::sparse) {
    const View<float> expected = this->expected(level.rows());
    sparse_->multiply(fields.value_next, expected, stream);
    launch_choose_action(rule, level.action_count, expected, sparse_->immediate(), value, action,
                         stream);
  } else if (by_warps() && launch_for(level).blocks > 0) {
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
