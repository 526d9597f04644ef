#include "bench/mdp/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tidewise {
namespace {

std::string by_threads(std::int32_t threads) {
  return threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
}

/// Gathers sides.
class SideList {
 public:
  explicit SideList(const MdpSideChoice& choice) : choice_(choice) {}

  bool names(mdp::Method method) const {
    return std::find(choice_.methods.begin(), choice_.methods.end(), method) !=
           choice_.methods.end();
  }
  mdp::SolveOptions base(mdp::Method method) const {
    mdp::SolveOptions options;
    options.method = method;
    options.tolerance = choice_.tolerance;
    options.stop = choice_.stop;
    options.threads = choice_.threads;
    return options;
  }
  void add(std::string name, mdp::SolveOptions options, MdpPace pace) {
    if (!choice_.methods.empty() && !names(options.method)) return;
    sides_.push_back({std::move(name), options, pace});
  }
  void add_serial(mdp::Method method, MdpPace pace = MdpPace::slow) {
    mdp::SolveOptions options = base(method);
    options.threads = 1;
    add(fmt::format("{}, 1 thread", mdp::name_of(method)), options, pace);
  }
  void add_host(mdp::Method method, MdpPace pace = MdpPace::fast) {
    add(fmt::format("{}, {}", mdp::name_of(method), by_threads(choice_.threads)), base(method),
        pace);
  }
  void add_device(std::string name, mdp::SolveOptions options) {
    options.backend = BackendChoice::cuda;
    add(fmt::format("{}, GPU", name), options, MdpPace::fast);
  }
  std::vector<MdpSide> take() { return std::move(sides_); }

 private:
  const MdpSideChoice& choice_;
  std::vector<MdpSide> sides_;
};

void add_host_sides(SideList& list, const MdpSideChoice& choice) {
  list.add_serial(mdp::Method::value_iteration);
  list.add_serial(mdp::Method::policy_iteration);
  list.add_serial(mdp::Method::gauss_seidel);
  list.add_serial(mdp::Method::inexact_policy_iteration);
  if (choice.threads > 1) list.add_host(mdp::Method::value_iteration);
  for (const mdp::Method method : {mdp::Method::block_divided, mdp::Method::result_divided}) {
    if (list.names(method) && choice.also_on == BackendChoice::cpu) {
      list.add_host(method, MdpPace::slow);
    }
  }
  list.add_host(mdp::Method::fused);
  mdp::SolveOptions bounded = list.base(mdp::Method::fused);
  bounded.stop = mdp::StoppingRule::error;
  if (choice.stop != bounded.stop) {
    list.add(fmt::format("fused to a bound, {}", by_threads(choice.threads)), bounded,
             MdpPace::fast);
  }
}

void add_device_sides(SideList& list, const MdpSideChoice& choice) {
  list.add_device("value-iteration", list.base(mdp::Method::value_iteration));
  const std::pair<const char*, mdp::BlockVariant> variants[] = {
      {"block-divided", mdp::BlockVariant::plain},
      {"block-divided buffering", mdp::BlockVariant::buffering},
      {"block-divided prioritising", mdp::BlockVariant::prioritising}};
  for (const auto& [name, variant] : variants) {
    mdp::SolveOptions options = list.base(mdp::Method::block_divided);
    options.block_variant = variant;
    list.add_device(name, options);
  }
  list.add_device("result-divided", list.base(mdp::Method::result_divided));
  const std::pair<const char*, mdp::Evaluator> evaluators[] = {
      {"policy-iteration cuda", mdp::Evaluator::cuda},
      {"policy-iteration cusparse", mdp::Evaluator::cusparse}};
  for (const auto& [name, evaluator] : evaluators) {
    mdp::SolveOptions options = list.base(mdp::Method::policy_iteration);
    options.evaluator = evaluator;
    list.add_device(name, options);
  }
  const std::pair<const char*, mdp::FusedLayout> layouts[] = {
      {"fused", mdp::FusedLayout::automatic},
      {"fused rows", mdp::FusedLayout::rows},
      {"fused sliced", mdp::FusedLayout::sell},
      {"fused packed", mdp::FusedLayout::packed}};
  for (const auto& [name, layout] : layouts) {
    mdp::SolveOptions options = list.base(mdp::Method::fused);
    options.layout = layout;
    list.add_device(name, options);
  }
  mdp::SolveOptions bounded = list.base(mdp::Method::fused);
  bounded.stop = mdp::StoppingRule::error;
  if (choice.stop != bounded.stop) list.add_device("fused to a bound", bounded);
}

}  // namespace

const char* const serial_values_side = "value-iteration, 1 thread";
const char* const fused_device_side = "fused, GPU";
const char* const backward_device_side = "backward, GPU";

std::string fused_host_side(std::int32_t threads) {
  return fmt::format("fused, {}", by_threads(threads));
}

std::string backward_host_side(std::int32_t threads) {
  return fmt::format("backward, {}", by_threads(threads));
}

std::vector<MdpSide> backward_sides(const MdpSideChoice& choice, std::int64_t steps) {
  MdpSideChoice any = choice;
  any.methods.clear();
  SideList list(any);
  mdp::SolveOptions options = list.base(mdp::Method::backward);
  options.horizon = steps;
  mdp::SolveOptions rows = options;
  rows.threads = 1;
  rows.layout = mdp::FusedLayout::rows;
  list.add("backward over rows, 1 thread", rows, MdpPace::slow);
  list.add(backward_host_side(choice.threads), options, MdpPace::fast);
  if (choice.also_on == BackendChoice::cuda) list.add_device("backward", options);
  return list.take();
}

std::vector<MdpSide> mdp_sides(const MdpSideChoice& choice) {
  SideList list(choice);
  add_host_sides(list, choice);
  if (choice.also_on == BackendChoice::cuda) add_device_sides(list, choice);
  return list.take();
}

}  // namespace tidewise
