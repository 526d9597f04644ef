#include "bench/mdp/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "mdp/methods/table.h"

namespace tidewise {
namespace {

std::string by_threads(std::int32_t threads) {
  return threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
}

// Builds a list of sides.
class SideList {
 public:
  explicit SideList(const MdpSideChoice& choice) : choice_(choice) {}

  bool includes(mdp::Method method) const {
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
  void add(std::string name, const mdp::SolveOptions& options, MdpPace pace) {
    if (!choice_.methods.empty() && !includes(options.method)) return;
    sides_.push_back({std::move(name), options, pace});
  }
  void add_serial(mdp::Method method) {
    mdp::SolveOptions options = base(method);
    options.threads = 1;
    add(fmt::format("{}, 1 thread", mdp::name_of(method)), options, MdpPace::slow);
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

// True if the method finds the value that all methods have.
bool is_compared(const mdp::MethodRow& row) {
  return row.has_fixed_point && row.method != mdp::Method::automatic;
}

// True for methods made for GPUs; on the host they are slow.
bool is_for_devices(mdp::Method method) {
  return method == mdp::Method::block_divided || method == mdp::Method::result_divided;
}

// Policy iteration as published: until the policy is stable.
mdp::SolveOptions published_options(const SideList& list, mdp::Evaluator evaluator) {
  mdp::SolveOptions options = list.base(mdp::Method::policy_iteration);
  options.stop = mdp::StoppingRule::policy;
  options.evaluator = evaluator;
  return options;
}

void add_host_sides(SideList& list, const MdpSideChoice& choice) {
  for (const mdp::MethodRow& row : mdp::method_rows()) {
    const bool has_threads = row.method == mdp::Method::fused || is_for_devices(row.method);
    if (is_compared(row) && !has_threads) list.add_serial(row.method);
  }
  mdp::SolveOptions published = published_options(list, mdp::Evaluator::serial);
  published.threads = 1;
  list.add(stable_policy_side, published, MdpPace::slow);
  if (choice.threads > 1) list.add_host(mdp::Method::value_iteration);
  for (const mdp::MethodRow& row : mdp::method_rows()) {
    const bool is_selected = list.includes(row.method) && choice.also_on == BackendChoice::cpu;
    if (is_for_devices(row.method) && is_selected) list.add_host(row.method, MdpPace::slow);
  }
  list.add_host(mdp::Method::fused);
  mdp::SolveOptions bounded = list.base(mdp::Method::fused);
  bounded.stop = mdp::StoppingRule::error;
  if (choice.stop != bounded.stop) {
    list.add(fmt::format("fused to a bound, {}", by_threads(choice.threads)), bounded,
             MdpPace::fast);
  }
}

// Adds a method with each of the launches that it has on a GPU.
void add_launches(SideList& list, const mdp::MethodRow& row) {
  const auto add = [&](std::string_view suffix, auto option, auto value) {
    mdp::SolveOptions options = list.base(row.method);
    options.*option = value;
    list.add_device(fmt::format("{}{}", row.name, suffix), options);
  };
  const auto add_blocks = [&](std::string_view suffix, mdp::BlockVariant variant) {
    add(suffix, &mdp::SolveOptions::blocks, mdp::BlockOptions{.variant = variant});
  };
  const auto has = [&](std::string_view option) {
    return std::find(row.options.begin(), row.options.end(), option) != row.options.end();
  };
  if (row.method == mdp::Method::block_divided) {
    add_blocks("", mdp::BlockVariant::plain);
    add_blocks(" buffering", mdp::BlockVariant::buffering);
    add_blocks(" prioritising", mdp::BlockVariant::prioritising);
    add_blocks(" both", mdp::BlockVariant::both);
  } else if (has("evaluator")) {
    for (const auto evaluator :
         {mdp::Evaluator::cuda, mdp::Evaluator::block, mdp::Evaluator::cusparse}) {
      const auto suffix = fmt::format(" {}", mdp::name_of(evaluator));
      add(suffix, &mdp::SolveOptions::evaluator, evaluator);
      list.add_device("stable policy" + suffix, published_options(list, evaluator));
    }
  } else if (has("layout")) {  // over rows it is value iteration
    add("", &mdp::SolveOptions::layout, mdp::FusedLayout::automatic);
    add(" sliced", &mdp::SolveOptions::layout, mdp::FusedLayout::sell);
    add(" packed", &mdp::SolveOptions::layout, mdp::FusedLayout::packed);
  } else {
    list.add_device(std::string(row.name), list.base(row.method));
  }
}

void add_device_sides(SideList& list, const MdpSideChoice& choice) {
  for (const mdp::MethodRow& row : mdp::method_rows()) {
    if (is_compared(row) && row.host_alone.empty()) add_launches(list, row);
  }
  mdp::SolveOptions bounded = list.base(mdp::Method::fused);
  bounded.stop = mdp::StoppingRule::error;
  if (choice.stop != bounded.stop) list.add_device("fused to a bound", bounded);
}

}  // namespace

const char* const serial_values_side = "value-iteration, 1 thread";
const char* const stable_policy_side = "stable policy, 1 thread";
const char* const fused_device_side = "fused, GPU";
const char* const backward_device_side = "backward, GPU";

std::string fused_host_side(std::int32_t threads) {
  return fmt::format("fused, {}", by_threads(threads));
}

std::string backward_host_side(std::int32_t threads) {
  return fmt::format("backward, {}", by_threads(threads));
}

std::vector<MdpSide> backward_sides(const MdpSideChoice& choice, std::int64_t steps) {
  MdpSideChoice all_methods = choice;
  all_methods.methods.clear();
  SideList list(all_methods);
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
