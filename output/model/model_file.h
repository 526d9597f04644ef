#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/explicit/compact_level_source.h"
#include "model_builder/step/actions.h"
#include "output/model/model_rows.h"
#include "solver/explicit/device_solver.h"
#include "solver/induction/backward_induction.h"

namespace tidewise {

/// Variables of a model file. compact: sub-grid offset and count of each entry. csr: also its
/// column, the successor state; rows are s·Nactions + a with s = (k·Ny + j)·Nx + i. coo: also its
/// row.
enum class ModelForm { compact, csr, coo };

/// Facts of a model file, before its rows are read.
struct ModelInfo {
  Grid grid;
  TimeAxis time;
  std::vector<Action> actions;
  SubGrid subgrid;
  PositionRule rule;        ///< assignment of positions to cells
  std::uint32_t total = 0;  ///< sum of the counts of a row: row_total()
  std::int64_t entries = 0;
};

/// The state that offset `offset` of the sub-grid leads to from a cell at level k. Outside the
/// domain it is the number of states.
std::int64_t column_of(const ModelInfo& model, TimeLevel k, CellIndex cell, std::int32_t offset);

/// The facts of an environment's model, before it is counted. The sub-grid needs a pass over the
/// levels. Errors: those of reading; InputError when a displacement reaches 1024 cells or the
/// sub-grid has more than 65536 offsets.
ModelInfo describe_model(const EnvironmentReader& environment, const PositionRule& rule,
                         const std::vector<Action>& actions, const PlannerOptions& options,
                         Progress& progress);

/// Writes the explicit model whose levels `source` counts (docs/model.md lists the variables). A
/// thread writes a level while the next one is counted. The state number Nt·Ny·Nx means "outside
/// the domain"; it may have several entries in a row, whose counts add up. The file is complete or
/// not written. Returns `model` with the number of entries. Errors: those of the source and of
/// writing.
ModelInfo write_model(const std::filesystem::path& path, ModelInfo model,
                      CompactLevelSource& source, ModelForm form, const std::string& history,
                      Progress& progress);

/// Calls describe_model(), counts on the CPU and writes. Errors: those of describe_model() and of
/// write_model().
ModelInfo write_model(const std::filesystem::path& path, const EnvironmentReader& environment,
                      const PositionRule& rule, const std::vector<Action>& actions,
                      const PlannerOptions& options, ModelForm form, const std::string& history,
                      Progress& progress);

/// An explicit model, read level by level.
class ModelFile {
 public:
  /// Opens a model. Errors: InputError if its facts are missing or damaged.
  explicit ModelFile(const std::filesystem::path& path);

  const ModelInfo& info() const { return info_; }
  /// The rows of the file; counts() and stored() also validate them. Errors: InputError for rows or
  /// offsets outside the grid.
  CompactLevel read_level(TimeLevel k) const;
  /// The fingerprint of the environment's level that the rows were counted on.
  std::uint64_t level_fingerprint(TimeLevel k) const;
  /// Refuses an environment, actions or a landing that the model was not built from. Errors:
  /// InputError.
  void require_match(const EnvironmentReader& environment, const PositionRule& rule,
                     const std::vector<Action>& actions) const;
  /// Counts from this file for solve_backward(); the file and `environment` must outlive them. Each
  /// level's fingerprint is compared with the environment's, and the mean displacements of its rows
  /// with those of the forecast. The next level is read in a thread of its own; copies of the
  /// result share it, so that only one may be used at a time. Errors: InputError; RunError if no
  /// thread can be started.
  CountLevel counts(const EnvironmentInfo& environment, std::int32_t threads) const;
  /// The rows for solve_explicit_on_device(). A level is validated once it has been read, by
  /// `threads` threads.
  StoredModel stored(const EnvironmentInfo& environment, std::int32_t threads) const;

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  SubGrid read_offsets() const;
  PositionRule read_rule() const;
  /// Refuses rows that no counting produces, and rows whose columns disagree with their offsets.
  CompactLevel read_level(TimeLevel k, std::int32_t threads, RowMeans& means) const;
  void validate_columns(TimeLevel k, std::int64_t first, const CompactLevel& level) const;

  Hdf5File file_;
  ModelInfo info_;
  std::vector<std::int64_t> fingerprints_;  // (level)
};

}  // namespace tidewise
