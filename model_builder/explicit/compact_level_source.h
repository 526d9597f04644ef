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

/// One level of the explicit model as it was counted.
struct CountedLevel {
  TimeLevel level;
  CompactLevel rows;
  std::uint64_t fingerprint = 0;  ///< of what it was counted on: fingerprint()
};

/// Makes an explicit model level by level, k = 0 … Nt−2: all cells, all actions. One implementation
/// a backend.
class CompactLevelSource {
 public:
  virtual ~CompactLevelSource() = default;
  /// The next level; nothing after the last. Errors: those of reading and counting.
  virtual std::optional<CountedLevel> next() = 0;
};

/// Counts with `engine`, which lands by `rule`, wherever it does so, from `threads` threads. The
/// rest as below.
std::unique_ptr<CompactLevelSource> make_compact_source(const EnvironmentReader& environment,
                                                        const PositionRule& rule,
                                                        const std::vector<Action>& actions,
                                                        const SubGrid& subgrid,
                                                        std::unique_ptr<CountingEngine> engine,
                                                        std::int32_t threads);

/// Counts on the CPU, the next level of the environment read meanwhile. `environment` must outlive
/// the source. Requires that `subgrid` holds every landing. The arguments of the engine are those
/// of make_cpu_engine().
std::unique_ptr<CompactLevelSource> make_cpu_compact_source(const EnvironmentReader& environment,
                                                            const PositionRule& rule,
                                                            const std::vector<Action>& actions,
                                                            const SubGrid& subgrid, Engine engine,
                                                            std::int32_t threads,
                                                            std::int32_t subgrid_radius = 0);

}  // namespace tidewise
