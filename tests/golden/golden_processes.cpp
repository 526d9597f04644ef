#include "golden/golden_processes.h"

#include "base/error.h"
#include "base/progress.h"
#include "mdp/solve/solve_process.h"
#include "support/checksum.h"

namespace tidewise::test {
namespace {

template <class Values>
std::string sum_of(const Values& values) {
  Checksum checksum;
  checksum.add(values.data(), values.size());
  return digits(checksum);
}

template <class Real>
void add_process(const std::string& name, const GoldenProcess& golden, Checksums& checksums) {
  const auto process = make_gridworld<Real>(golden.world, 1);
  checksums[name + ".successor"] = sum_of(process.successor);
  checksums[name + ".probability"] = sum_of(process.probability);
  checksums[name + ".reward"] = sum_of(process.reward);
}

template <class Real>
void add_solution(const std::string& name, const GoldenProcess& golden, const GoldenMethod& method,
                  BackendChoice backend, Checksums& checksums) {
  mdp::SolveOptions options = method.options;
  options.backend = backend;
  if (backend == BackendChoice::cuda) options.evaluator = mdp::Evaluator::cuda;
  SilentProgress progress;
  const auto solution =
      mdp::solve_process(mdp::make_gridworld<Real>(golden.world, 1), options, progress);
  // A method in single precision may end slightly outside the tolerance, which is no failure here.
  if (solution.outcome == mdp::Outcome::gave_up) throw RunError(name + ": did not converge");
  checksums[name + ".value"] = sum_of(solution.value);
  checksums[name + ".action"] = sum_of(solution.action);
  checksums[name + ".sweeps"] = sum_of(std::vector<std::int64_t>{solution.sweeps});
}

GoldenMethod method(const std::string& name, const std::string& checksum_name, mdp::Method solve) {
  GoldenMethod method{name, checksum_name, {}};
  method.options.method = solve;
  method.options.threads = 2;
  // Above the rounding errors of float for values of 100, so that every method stops by its
  // tolerance.
  method.options.tolerance = 1e-3;
  return method;
}

}  // namespace

std::vector<GoldenProcess> golden_processes() {
  GoldenProcess slip{"slip_walls", mdp::slip_world(64, 64, 0.1)};
  slip.world.wall_share = 0.2;
  slip.world.obstacle_share = 0.1;
  GoldenProcess rewired{"rewired", mdp::wet_floor_world(64, 4)};
  rewired.world.reward_share = 0.01;
  rewired.world.rewired_share = 0.05;
  return {slip, rewired};
}

std::vector<GoldenMethod> golden_methods() {
  std::vector<GoldenMethod> methods{
      method("value_iteration", "jacobi", mdp::Method::value_iteration),
      method("result_divided", "result_divided", mdp::Method::result_divided),
      method("policy_iteration", "policy_iteration", mdp::Method::policy_iteration),
      method("backward", "backward", mdp::Method::backward)};
  methods.back().options.horizon = 50;
  const auto add_fused = [&](const char* name, mdp::FusedLayout layout) {
    methods.push_back(method(name, "jacobi", mdp::Method::fused));
    methods.back().options.layout = layout;
  };
  add_fused("fused_rows", mdp::FusedLayout::rows);
  add_fused("fused_packed", mdp::FusedLayout::packed);
  const auto add_blocks = [&](const char* name, const char* checksum_name,
                              mdp::BlockVariant variant) {
    methods.push_back(method(name, checksum_name, mdp::Method::block_divided));
    methods.back().options.blocks.variant = variant;
  };
  add_blocks("block_divided", "block_divided", mdp::BlockVariant::plain);
  add_blocks("block_divided_buffering", "block_divided", mdp::BlockVariant::buffering);
  add_blocks("block_divided_prioritising", "block_divided_prioritising",
             mdp::BlockVariant::prioritising);
  add_blocks("block_divided_both", "block_divided_prioritising", mdp::BlockVariant::both);
  return methods;
}

Checksums sum_process(const GoldenProcess& process) {
  Checksums checksums;
  add_process<float>(process.name + ".float", process, checksums);
  add_process<double>(process.name + ".double", process, checksums);
  return checksums;
}

Checksums sum_solutions(const GoldenProcess& process, const GoldenMethod& method,
                        BackendChoice backend) {
  Checksums checksums;
  add_solution<float>(process.name + ".float." + method.checksum_name, process, method, backend,
                      checksums);
  add_solution<double>(process.name + ".double." + method.checksum_name, process, method, backend,
                       checksums);
  return checksums;
}

}  // namespace tidewise::test
