#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/memory/array.h"
#include "base/stopwatch.h"
#include "mdp/process/array_copies.h"
#include "mdp/savings/solve_savings.h"
#include "mdp/savings/steps.h"

namespace tidewise::mdp {

/// Refuses invalid options. Errors: InputError.
void validate_savings_options(const SavingsOptions& options);

/// Reports that iteration did not converge. Errors: RunError with the accuracy reached.
[[noreturn]] void give_up(const SavingsSolution& solution, const SavingsOptions& options);

/// Value iteration on the savings problem in one memory space. launch(count, body) calls body(0) …
/// body(count − 1) in any order, and completes a call before the next one begins; its finish()
/// waits for completion.
template <MemorySpace Space, class Launch>
class SavingsIteration {
 public:
  /// `problem` must be validated and outlive this object.
  SavingsIteration(const SavingsProblem& problem, const SavingsOptions& options, Launch& launch)
      : problem_(problem),
        options_(options),
        launch_(launch),
        assets_(array_of<Space>(problem.assets)),
        productivity_(array_of<Space>(problem.productivity.level)),
        transition_(array_of<Space>(problem.productivity.transition)),
        consumption_(array_of<Space>(problem.utility.consumption)),
        utility_(array_of<Space>(problem.utility.utility)),
        utility_slope_(array_of<Space>(problem.utility.slopes())),
        value_(array_of<Space>(std::vector<double>(problem.state_count(), 0.0))),
        value_next_(problem.state_count()),
        expected_(problem.state_count()),
        slope_(problem.state_count()),
        saving_(problem.state_count()),
        place_(problem.state_count()),
        max_changes_(parts) {}

  SavingsSolution run(Progress& progress) {
    const Stopwatch watch;
    SavingsSolution solution;
    progress.begin("saving", options_.max_improvements, "improvements");
    while (true) {
      improve();
      ++solution.improvements;
      ++solution.sweeps;
      solution.change = greatest_change();
      solution.error_bound = problem_.discount / (1 - problem_.discount) * solution.change;
      std::swap(value_, value_next_);
      progress.advance_to(solution.improvements);
      if (solution.error_bound <= options_.tolerance) break;
      if (solution.improvements >= options_.max_improvements || std::isnan(solution.change)) {
        give_up(solution, options_);
      }
      for (std::int32_t n = 0; n < options_.follow; ++n) {
        expect();
        launch_(problem_.state_count(), FollowSaving{view(), on_grid()});
        std::swap(value_, value_next_);
        ++solution.sweeps;
      }
    }
    progress.end();
    fetch(solution);
    solution.seconds = watch.seconds();
    return solution;
  }

 private:
  static constexpr std::size_t parts =
      1024;  // parts of the states, for finding the greatest change

  bool on_grid() const { return options_.method == SavingsMethod::on_grid; }

  SavingsView view() {
    return {assets_,
            productivity_,
            transition_,
            problem_.wage,
            1 + problem_.interest,
            problem_.discount,
            options_.interpolation,
            value_,
            value_next_,
            expected_,
            slope_,
            saving_,
            place_,
            {consumption_, utility_, utility_slope_}};
  }

  void expect() {
    launch_(problem_.state_count(), ExpectSavings{view()});
    if (!on_grid() && options_.interpolation == Interpolation::cubic) {
      launch_(problem_.state_count(), SlopeSavings{view()});
    }
  }

  void improve() {
    expect();
    if (!on_grid()) {
      launch_(problem_.state_count(), SaveOffGrid{view(), options_.steps});
      return;
    }
    const std::size_t productivities = problem_.productivity.count();
    launch_(productivities, SaveOnGrid{view(), 0, 1});
    for (std::size_t stride = std::bit_floor(problem_.assets.size() - 1); stride > 0; stride /= 2) {
      const SaveOnGrid round{view(), stride, stride};
      launch_(productivities * round.count(), round);
    }
  }

  double greatest_change() {
    launch_(parts, ChangeOfSavings{view(), max_changes_});
    launch_.finish();
    Array<double> on_host;
    copy(on_host, max_changes_);
    double max = 0;
    for (const double change : on_host) max = change <= max ? max : change;  // NaN wins
    return max;
  }

  void fetch(SavingsSolution& solution) {
    launch_.finish();
    solution.value = vector_of(value_);
    solution.saving = vector_of(saving_);
    solution.consumption.resize(solution.saving.size());
    const std::size_t count = problem_.assets.size();
    for (std::size_t n = 0; n < solution.saving.size(); ++n) {
      solution.consumption[n] = std::fma(1 + problem_.interest, problem_.assets[n % count],
                                         problem_.wage * problem_.productivity.level[n / count]) -
                                solution.saving[n];
    }
  }

  const SavingsProblem& problem_;
  const SavingsOptions& options_;
  Launch& launch_;
  Array<double, Space> assets_, productivity_, transition_;
  Array<double, Space> consumption_, utility_, utility_slope_;
  Array<double, Space> value_, value_next_, expected_, slope_, saving_;
  Array<std::int32_t, Space> place_;
  Array<double, Space> max_changes_;
};

}  // namespace tidewise::mdp
