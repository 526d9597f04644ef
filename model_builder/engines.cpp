#include "model_builder/engines.h"

#include "model_builder/direct/engine.h"
#include "model_builder/lattice/engine.h"
#include "model_builder/paper/engine.h"
#include "model_builder/step/error_engine.h"

namespace tidewise {

namespace {

/// Forwards the counts of a profile's engine with the actions' indices among all actions.
class ShiftedSink final : public CountSink {
 public:
  ShiftedSink(CountSink& sink, std::int32_t first_action)
      : sink_(sink), first_action_(first_action) {}
  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override {
    CellTransitions shifted = counts;
    shifted.first_action += first_action_;
    sink_.accept(thread, cell, shifted);
  }

 private:
  CountSink& sink_;
  std::int32_t first_action_;
};

/// One engine per profile, which counts the profile's actions in the profile's velocity.
class ProfileEngines final : public CountingEngine {
 public:
  struct Part {
    std::int32_t profile;
    std::int32_t first_action;
    std::unique_ptr<CountingEngine> engine;
  };
  explicit ProfileEngines(std::vector<Part> parts) : parts_(std::move(parts)) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override {
    for (const Part& part : parts_) {
      ShiftedSink shifted(sink, part.first_action);
      part.engine->count_level(level.profile(part.profile), weights, cells, shifted);
    }
  }

 private:
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<CountingEngine> make_profile_engines(
    const std::vector<Action>& actions,
    const std::function<std::unique_ptr<CountingEngine>(std::vector<Action>)>& make) {
  std::vector<ProfileActions> profiles = by_profile(actions);
  if (profiles.size() < 2) return make(actions);
  std::vector<ProfileEngines::Part> parts;
  for (ProfileActions& profile : profiles) {
    parts.push_back({profile.profile, profile.first, make(std::move(profile.actions))});
  }
  return std::make_unique<ProfileEngines>(std::move(parts));
}

std::unique_ptr<CountingEngine> make_cpu_engine(Engine engine, const PositionRule& rule,
                                                const Grid& grid, const TimeAxis& time,
                                                std::vector<Action> actions, std::int32_t threads,
                                                std::int32_t subgrid_radius) {
  return make_profile_engines(
      actions, [&](std::vector<Action> profile_actions) -> std::unique_ptr<CountingEngine> {
        if (engine == Engine::paper) {
          return make_paper_engine(rule, grid, time, profile_actions, threads, subgrid_radius);
        }
        if (rule.draws > 1) profile_actions = displaced_actions(profile_actions, rule.draws);
        auto counter =
            engine == Engine::direct
                ? make_direct_engine(rule, grid, time, std::move(profile_actions), threads)
                : make_lattice_engine(rule, grid, time, std::move(profile_actions), threads);
        if (rule.draws == 1) return counter;
        return make_error_engine(std::move(counter), rule.draws, threads);
      });
}

}  // namespace tidewise
