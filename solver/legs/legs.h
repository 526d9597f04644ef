#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "solver/pass/solve_report.h"
#include "solver/policy/next_leg.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

// A mission that passes places on its way (Mission::via) is flown in legs: leg n ends in place n,
// and the last one, leg via.size(), in the target (docs/model.md, 3.7).

/// One leg as a mission of its own. All but the last have no target: who reaches the place goes on
/// as its `next` has it, which the caller sets, and who is late has the rest of the way to go too.
Mission leg_mission(const Mission& mission, std::size_t leg);

/// All of them.
std::vector<Mission> leg_missions(const Mission& mission);

/// Whether a cell is one of the place's.
bool is_in(const ViaPlace& place, CellIndex cell);

/// The leg that a flight on `leg` is on from level k, where it is in this cell. Every place that it
/// passes so is noted in `passed` (Trajectory::passed).
std::size_t pass_places(const Mission& mission, TimeLevel k, CellIndex cell, std::size_t leg,
                        std::vector<std::int32_t>& passed);

/// A mission's legs as a chain of problems, the last leg first: each a mission of its own that
/// knows what the next one is worth where it begins, and whose policy goes to its place in `sink`.
class LegChain {
 public:
  /// Both must outlive it.
  LegChain(const Mission& mission, PolicySink& sink);
  LegChain(const LegChain&) = delete;
  LegChain& operator=(const LegChain&) = delete;

  bool solved() const { return solved_; }
  /// The leg that is to be solved, and where its policy goes; until advance().
  const Mission& mission() const { return at_work_; }
  PolicySink& sink() { return keeping_ ? *keeping_ : sink_; }
  /// What is kept of it for the leg before, once it is solved; null for the first leg.
  NextLeg* kept() { return kept_.get(); }
  /// The leg is solved.
  void advance();

 private:
  void begin(std::size_t leg);

  const Mission& mission_;
  PolicySink& sink_;
  std::size_t leg_ = 0;
  bool solved_ = false;
  Mission at_work_;
  std::shared_ptr<NextLeg> kept_;
  std::optional<NextLegSink> keeping_;
};

/// Solves a mission leg by leg. `solve`: one of them, as a mission.
SolveReport solve_legs(
    const Mission& mission, PolicySink& sink,
    const std::function<SolveReport(const Mission& leg, PolicySink& sink)>& solve);

/// A policy of several legs from one of them on, for who has passed the places before it.
class LaterLegs final : public PolicySource {
 public:
  /// `policy` must outlive it, and have that leg.
  LaterLegs(const PolicySource& policy, std::size_t first) : policy_(policy), first_(first) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    leg(0).read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override { leg(0).read_value(k, value); }
  const PolicySource& leg(std::size_t n) const override { return policy_.leg(first_ + n); }

 private:
  const PolicySource& policy_;
  std::size_t first_;
};

}  // namespace tidewise
