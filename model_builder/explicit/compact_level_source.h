#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "env/file/reader.h"
#include "model_builder/engines.h"
#include "model_builder/explicit/compact_level.h"
#include "model_builder/step/actions.h"

namespace tidewise {

/// One counted level of the explicit model.
struct CountedLevel {
  TimeLevel level;
  CompactLevel rows;
  std::uint64_t fingerprint = 0;  ///< fingerprint() of the inputs
};

/// Makes an explicit model level by level, k = 0 … Nt−2: all cells, all actions. There is one
/// implementation per backend.
class CompactLevelSource {
 public:
  virtual ~CompactLevelSource() = default;
  /// The next level; nullopt after the last. Errors: those of reading and counting.
  virtual std::optional<CountedLevel> next() = 0;
};

/// A source that counts with `engine`, on any backend. `threads`: number of the engine's threads.
/// `environment` must outlive the source, and `subgrid` must contain every landing.
std::unique_ptr<CompactLevelSource> make_compact_source(const EnvironmentReader& environment,
                                                        const PositionRule& rule,
                                                        const std::vector<Action>& actions,
                                                        const SubGrid& subgrid,
                                                        std::unique_ptr<CountingEngine> engine,
                                                        std::int32_t threads);

/// A source that counts on the CPU while the next level of the environment is read. `engine`,
/// `threads` and `subgrid_radius`: as for make_cpu_engine(). Other requirements are as above.
std::unique_ptr<CompactLevelSource> make_cpu_compact_source(const EnvironmentReader& environment,
                                                            const PositionRule& rule,
                                                            const std::vector<Action>& actions,
                                                            const SubGrid& subgrid, Engine engine,
                                                            std::int32_t threads,
                                                            std::int32_t subgrid_radius = 0);

}  // namespace tidewise
