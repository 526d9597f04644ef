#include <utility>

#include "env/levels/level_stream.h"
#include "model_builder/engines.h"
#include "model_builder/explicit/compact_level_source.h"

namespace tidewise {
namespace {

class EngineCompactSource final : public CompactLevelSource {
 public:
  EngineCompactSource(const EnvironmentReader& environment, const PositionRule& rule,
                      const std::vector<Action>& actions, const SubGrid& subgrid,
                      std::unique_ptr<CountingEngine> engine, std::int32_t threads)
      : info_(environment.info()),
        rule_(rule),
        weights_(counting_weights(info_, rule)),
        scale_(info_.grid, info_.time),
        levels_(environment, levels_between(TimeLevel(0), TimeLevel(info_.time.level_count - 2))),
        engine_(std::move(engine)),
        builder_(info_.grid, static_cast<std::int32_t>(actions.size()), subgrid, threads) {
    for (std::int32_t c = 0; c < info_.grid.cell_count(); ++c) cells_.emplace_back(c);
  }

  std::optional<CountedLevel> next() override {
    if (next_.value == info_.time.level_count - 1) return std::nullopt;
    const LevelView level = levels_.next().view(info_);
    const View<const std::uint32_t> weights = weights_;
    engine_->count_level(level, weights, cells_, builder_);
    return CountedLevel{TimeLevel(next_.value++), builder_.take(),
                        fingerprint(level, info_.velocities, scale_, rule_, weights)};
  }

 private:
  const EnvironmentInfo& info_;
  PositionRule rule_;
  std::vector<std::uint32_t> weights_;
  DisplacementScale scale_;
  LevelStream levels_;
  std::unique_ptr<CountingEngine> engine_;
  CompactLevelBuilder builder_;
  std::vector<CellIndex> cells_;
  TimeLevel next_;
};

}  // namespace

std::unique_ptr<CompactLevelSource> make_compact_source(const EnvironmentReader& environment,
                                                        const PositionRule& rule,
                                                        const std::vector<Action>& actions,
                                                        const SubGrid& subgrid,
                                                        std::unique_ptr<CountingEngine> engine,
                                                        std::int32_t threads) {
  return std::make_unique<EngineCompactSource>(environment, rule, actions, subgrid,
                                               std::move(engine), threads);
}

std::unique_ptr<CompactLevelSource> make_cpu_compact_source(const EnvironmentReader& environment,
                                                            const PositionRule& rule,
                                                            const std::vector<Action>& actions,
                                                            const SubGrid& subgrid, Engine engine,
                                                            std::int32_t threads,
                                                            std::int32_t subgrid_radius) {
  const EnvironmentInfo& info = environment.info();
  return make_compact_source(
      environment, rule, actions, subgrid,
      make_cpu_engine(engine, rule, info.grid, info.time, actions, threads, subgrid_radius),
      threads);
}

}  // namespace tidewise
