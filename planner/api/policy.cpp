#include "tidewise/policy.h"

#include <limits>
#include <utility>

#include "base/error.h"
#include "planner/api/policy_content.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

Policy::Steering steering_of(const PolicyFile& file, const Action& action) {
  const auto profile = static_cast<std::size_t>(action.profile);
  return {action.heading, action.speed,
          profile < file.profiles().size() ? file.profiles()[profile].name : std::string()};
}

void require_policy_level(const Policy::Content& policy, std::int32_t level) {
  const std::int32_t last = policy.file().last_level().value;
  if (level >= 0 && level <= last) return;
  throw input_error(errors::policy_level_outside, level, last);
}

/// Reads a level unless it was the last one read. The caller holds the mutex. Errors: InputError.
void load_level(const Policy::Content& policy, std::int32_t level) {
  if (policy.level && policy.level->value == level) return;
  require_policy_level(policy, level);
  const auto cells = static_cast<std::size_t>(policy.file().grid().cell_count());
  policy.level.reset();
  policy.action.resize(cells);
  policy.value.resize(cells);
  policy.source().read_action(TimeLevel(level), {policy.action.data(), cells});
  policy.source().read_value(TimeLevel(level), {policy.value.data(), cells});
  policy.level = TimeLevel(level);
}

std::optional<std::size_t> cell_at(const Grid& grid, double x, double y) {
  const std::int32_t i = grid.column_at(x);
  const std::int32_t j = grid.row_at(y);
  if (!grid.contains(i, j)) return {};
  return static_cast<std::size_t>(grid.cell(i, j).value);
}

}  // namespace

Policy::Policy(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

std::int32_t Policy::last_level() const { return content_->file().last_level().value; }

std::int32_t Policy::decide_every() const { return content_->file().decisions().every; }

bool Policy::decides_at(std::int32_t level) const {
  require_policy_level(*content_, level);
  return content_->file().decisions().since(TimeLevel(level)) == 0;
}

Policy Policy::open(const std::filesystem::path& file) {
  const auto content = std::make_shared<Content>();
  content->opened = std::make_shared<const OpenPolicyFile>(file);
  return Policy(content);
}

std::int32_t Policy::legs() const {
  return static_cast<std::int32_t>(content_->file().leg_count());
}

Policy Policy::leg(std::int32_t number) const {
  if (number < 1 || number > legs()) {
    throw input_error(errors::policy_leg_outside, number, legs());
  }
  const auto content = std::make_shared<Content>();
  content->opened = content_->opened;
  content->leg = static_cast<std::size_t>(number - 1);
  return Policy(content);
}

std::vector<std::int16_t> Policy::action_plane(std::int32_t level) const {
  require_policy_level(*content_, level);
  std::vector<std::int16_t> plane(static_cast<std::size_t>(content_->file().grid().cell_count()));
  const std::lock_guard lock(content_->opened->mutex);
  content_->source().read_action(TimeLevel(level), {plane.data(), plane.size()});
  return plane;
}

std::vector<float> Policy::value_plane(std::int32_t level) const {
  require_policy_level(*content_, level);
  std::vector<float> plane(static_cast<std::size_t>(content_->file().grid().cell_count()));
  const std::lock_guard lock(content_->opened->mutex);
  content_->source().read_value(TimeLevel(level), {plane.data(), plane.size()});
  return plane;
}

std::vector<Policy::Steering> Policy::actions() const {
  std::vector<Steering> actions;
  for (const Action& action : content_->file().actions()) {
    actions.push_back(steering_of(content_->file(), action));
  }
  return actions;
}

std::int32_t Policy::rows() const { return content_->file().grid().ny; }
std::int32_t Policy::columns() const { return content_->file().grid().nx; }

std::optional<Policy::Steering> Policy::at(std::int32_t level, double x, double y) const {
  const std::lock_guard lock(content_->opened->mutex);
  load_level(*content_, level);
  const auto cell = cell_at(content_->file().grid(), x, y);
  if (!cell || content_->action[*cell] == no_action) return {};
  const Action& action =
      content_->file().actions()[static_cast<std::size_t>(content_->action[*cell])];
  return steering_of(content_->file(), action);
}

double Policy::value(std::int32_t level, double x, double y) const {
  const std::lock_guard lock(content_->opened->mutex);
  load_level(*content_, level);
  const auto cell = cell_at(content_->file().grid(), x, y);
  return cell ? content_->value[*cell] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tidewise
