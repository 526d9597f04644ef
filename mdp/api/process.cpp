#include "tidewise/process.h"

#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/api/content.h"
#include "mdp/error/codes.h"
#include "mdp/file/reader.h"
#include "mdp/graph/proper_policy.h"
#include "mdp/process/direction.h"
#include "mdp/process/fingerprint.h"

namespace tidewise::mdp {
namespace {

std::shared_ptr<const Process::Content> validated(DecisionProcess<double> process,
                                                  Direction direction) {
  require_sound(process, "process");
  scale_rows(process);
  if (direction == Direction::minimize) negate_rewards(process);
  return std::make_shared<Process::Content>(Process::Content{std::move(process), direction});
}

std::shared_ptr<const Process::Content> take(ProcessArrays arrays) {
  DecisionProcess<double> process;
  process.state_count = arrays.state_count;
  process.action_count = arrays.action_count;
  process.row_begin = std::move(arrays.row_begin);
  process.successor = std::move(arrays.successor);
  process.probability = std::move(arrays.probability);
  process.reward = std::move(arrays.reward);
  process.initial_value = std::move(arrays.initial_value);
  process.discount = arrays.discount;
  return validated(std::move(process), arrays.direction);
}

std::shared_ptr<const Process::Content> borrow(const ProcessViews& arrays) {
  if (!arrays.owner) throw input_error(errors::arrays_without_owner);
  const auto borrowed = [&]<class T>(std::span<const T> values) {
    return BorrowableArray<T>(View<const T>(values), arrays.owner);
  };
  DecisionProcess<double> process;
  process.state_count = arrays.state_count;
  process.action_count = arrays.action_count;
  process.row_begin = borrowed(arrays.row_begin);
  process.successor = borrowed(arrays.successor);
  process.probability = borrowed(arrays.probability);
  process.reward = borrowed(arrays.reward);
  process.initial_value.assign(arrays.initial_value.begin(), arrays.initial_value.end());
  process.discount = arrays.discount;
  return validated(std::move(process), arrays.direction);
}

DecisionProcess<double> read_requested(const std::filesystem::path& path,
                                       const ReadRequest& request, Progress* optional_progress) {
  const bool counts_rewards = request.goal == Goal::reward;
  if (!counts_rewards && request.target.empty()) {
    throw input_error(errors::probability_without_target);
  }
  const ReadOptions options{request.discount, TransitionRewards::drop, request.target,
                            counts_rewards ? ReadObjective::reward : ReadObjective::probability};
  SilentProgress silent;
  Progress& progress = optional_progress != nullptr ? *optional_progress : silent;
  auto process = read_process<double>(path, options, progress);
  if (!counts_rewards) process = end_out_of_reach(std::move(process), request.direction);
  if (request.direction == Direction::minimize) negate_rewards(process);
  return process;
}

}  // namespace

Process::Process(ProcessArrays arrays) : content_(take(std::move(arrays))) {}
Process::Process(const ProcessViews& arrays) : content_(borrow(arrays)) {}
Process::Process(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Process Process::read(const std::filesystem::path& path, const ReadRequest& request,
                      Progress* progress) {
  return Process(std::make_shared<Content>(Content{read_requested(path, request, progress),
                                                   request.direction, !request.target.empty()}));
}

void Process::write(const std::filesystem::path& path) const {
  require_writable(path);
  SilentProgress silent;
  constexpr const char* history = "written by a program that uses the library";
  if (content_->direction == Direction::maximize) {
    write_process(path, content_->process, history, silent);
    return;
  }
  DecisionProcess<double> costs = content_->process;
  negate_rewards(costs);
  write_process(path, costs, history, silent);
}

std::int32_t Process::state_count() const { return content_->process.state_count; }
std::int32_t Process::action_count() const { return content_->process.action_count; }
std::int64_t Process::transition_count() const { return content_->process.entry_count(); }
double Process::discount() const { return content_->process.discount; }
Direction Process::direction() const { return content_->direction; }
std::span<const std::int64_t> Process::row_begin() const { return content_->process.row_begin; }
std::span<const std::int32_t> Process::successor() const { return content_->process.successor; }
std::span<const double> Process::probability() const { return content_->process.probability; }
std::string Process::fingerprint() const { return mdp::fingerprint(content_->process); }
std::vector<double> Process::reward() const {
  const auto& reward = content_->process.reward;
  std::vector<double> rewards(reward.begin(), reward.end());
  if (content_->direction == Direction::minimize) {
    for (double& number : rewards) number = 0 - number;
  }
  return rewards;
}

}  // namespace tidewise::mdp
