#include "golden/checksums.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "model_builder/explicit/compact_level.h"

namespace tidewise::test {
namespace {

std::vector<Action> actions_of(const GoldenProblem& problem) {
  return make_actions(problem.speeds, problem.headings, problem.info.grid, problem.info.time);
}

std::vector<CellIndex> open_cells(const LevelFields<>& fields) {
  std::vector<CellIndex> cells;
  for (std::size_t c = 0; c < fields.masked.size(); ++c) {
    if (fields.masked[c] == 0) cells.emplace_back(static_cast<std::int32_t>(c));
  }
  return cells;
}

/// Adds the counts row by row, with entries from south to north and from west to east. The result
/// does not depend on the windows that an engine uses.
void add_level(Checksum& checksum, const CompactLevel& level, const SubGrid& subgrid) {
  checksum.add(level.row_start.data(), level.row_start.size());
  for (std::size_t n = 0; n < level.count.size(); ++n) {
    const Offset offset = subgrid.offset(level.offset[n]);
    checksum.add(&offset.dx, 1);
    checksum.add(&offset.dy, 1);
    checksum.add(&level.count[n], 1);
  }
}

/// Returns the name of a checksum for one landing rule.
std::string key(LandingBy landing, std::string_view name) {
  return fmt::format("{}.{}", to_string(landing), name);
}

}  // namespace

std::string digits(const Checksum& checksum) { return fmt::format("{:016x}", checksum.value()); }

Checksums sum_environment(const EnvironmentReader& environment) {
  const EnvironmentInfo& info = environment.info();
  Checksum checksum;
  checksum.add(info.realization_weight.data(), info.realization_weight.size());
  LevelFields<> fields(info);
  for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
    environment.read_level(k, fields);
    for (const auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode,
                              &fields.coefficient, &fields.scalar}) {
      checksum.add(field->view());
    }
    checksum.add(std::as_const(fields.masked).view());
  }
  return {{"environment", digits(checksum)}};
}

Checksums sum_counts(const GoldenProblem& problem, LandingBy landing,
                     const EnvironmentReader& environment, const CountingBackend& backend) {
  const EnvironmentInfo& info = environment.info();
  const auto actions = actions_of(problem);
  const PositionRule rule = position_rule(landing, info);
  const auto engine = backend.make(rule, info.grid, info.time, actions);
  const std::vector<std::uint32_t> weights = counting_weights(info, rule);
  Checksum checksum;
  LevelFields<> fields(info);
  for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
    environment.read_level(k, fields);
    const auto open = open_cells(fields);
    const View<const CellIndex> cells = open;
    const LevelView level = fields.view(info);
    const SubGrid subgrid =
        subgrid_of(bound_displacements(level, DisplacementScale(info.grid, info.time), rule, cells,
                                       actions, 1),
                   actions, rule);
    CompactLevelBuilder builder(info.grid, static_cast<std::int32_t>(actions.size()), subgrid,
                                backend.threads);
    engine->count_level(level, weights, cells, builder);
    add_level(checksum, builder.take(), subgrid);
  }
  return {{key(landing, "counts"), digits(checksum)}};
}

Checksums sum_policies(const GoldenProblem& problem, LandingBy landing,
                       const EnvironmentReader& environment, const SolvingBackend& backend) {
  Checksums checksums;
  const auto actions = actions_of(problem);
  const PositionRule rule = position_rule(landing, environment.info());
  for (const Objective objective :
       {Objective::time, Objective::energy, Objective::net_energy, Objective::weighted}) {
    const Mission mission = problem.mission(objective);
    PolicyTable policy(environment.info().grid, mission.last);
    backend.solve(environment, {actions, mission, rule}, policy);
    Checksum action;
    Checksum value;
    action.add(policy.action.data(), policy.action.size());
    value.add(policy.value.data(), policy.value.size());
    checksums[key(landing, to_string(objective)) + ".action"] = digits(action);
    checksums[key(landing, to_string(objective)) + ".value"] = digits(value);
  }
  return checksums;
}

Checksums read_checksums(const std::filesystem::path& path) {
  Checksums checksums;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    std::string hexadecimal;
    if (words >> name >> hexadecimal) checksums[name] = hexadecimal;
  }
  return checksums;
}

void write_checksums(const std::filesystem::path& path, const Checksums& checksums) {
  std::ofstream file(path);
  file << "# 64-bit FNV-1a. golden_test --write makes this file; every backend has to meet it.\n";
  for (const auto& [name, hexadecimal] : checksums) file << name << ' ' << hexadecimal << '\n';
  file.close();
  if (!file) throw RunError(path.string() + ": could not be written");
}

}  // namespace tidewise::test
