
#include "base/cf_conventions.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/parallel/strand.h"
#include "env/file/file_in_error.h"
#include "env/levels/level_stream.h"
#include "output/error/codes.h"
#include "output/model/model_actions.h"
#include "output/model/model_file.h"

namespace tidewise {
namespace {

constexpr std::uint64_t entry_chunk = 1 << 18;
constexpr std::int32_t max_offsets = 65536;  // a sub-grid offset is stored in 16 bits

std::vector<CellIndex> all_cells(const Grid& grid) {
  std::vector<CellIndex> cells;
  for (std::int32_t c = 0; c < grid.cell_count(); ++c) cells.emplace_back(c);
  return cells;
}

SubGrid subgrid_of_environment(const EnvironmentReader& environment, const PositionRule& rule,
                               const std::vector<Action>& actions, const PlannerOptions& options,
                               Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const auto cells = all_cells(info.grid);
  const std::int32_t min = options.subgrid_radius;
  SubGrid subgrid{-min, min, -min, min};
  const TimeLevel last(info.time.level_count - 2);
  LevelStream levels(environment, levels_between(TimeLevel(0), last));
  progress.begin("sizing the sub-grid", last.value + 1, "levels");
  for (std::int32_t k = 0; k <= last.value; ++k) {
    subgrid = join(subgrid, subgrid_of(levels.next().view(info), info.time, rule, cells, actions,
                                       options.threads));
    progress.advance_to(k + 1);
  }
  progress.end();
  if (subgrid.size() > max_offsets) {
    throw input_error(errors::model_step_too_long, subgrid.width(), subgrid.height(), max_offsets);
  }
  return subgrid;
}

/// Writes one model, a level after the other.
class ModelWriter {
 public:
  ModelWriter(const std::filesystem::path& path, const ModelInfo& info, ModelForm form,
              const std::string& history)
      : info_(info), form_(form), atomic_(path), file_(Hdf5File::create(atomic_.temporary_path())) {
    file_.set_attribute("/", "Conventions", cf_conventions);
    file_.set_attribute("/", "tidewise_model", std::int32_t{1});
    file_.set_attribute("/", "history", history);
    file_.set_attribute("/", "count_total", static_cast<double>(info.total));
    file_.set_attribute("/", "landing", std::string(to_string(info.rule.landing)));
    file_.set_attribute("/", "bin_bits", info.rule.bin_bits);
    file_.set_attribute("/", "comment",
                        "row = state * actions + action, state = (k*Ny + j)*Nx + i; "
                        "probability = count / count_total; state Nt*Ny*Nx is outside the domain");
    write_axes();
    file_.define_growing("row_start", NumberType::int64, entry_chunk);
    file_.define_growing("offset", NumberType::uint16, entry_chunk);
    file_.define_growing("count", NumberType::uint32, entry_chunk);
    file_.set_attribute("row_start", "long_name",
                        "first entry of each row, and the entries' number");
    file_.set_attribute("offset", "long_name", "sub-grid offset of each entry");
    file_.set_attribute("count", "long_name", "realizations, weight or shares of each entry");
    if (form != ModelForm::compact) {
      file_.define_growing("column", NumberType::int64, entry_chunk);
      file_.set_attribute("column", "long_name", "successor state of each entry");
    }
    if (form == ModelForm::coo) {
      file_.define_growing("row", NumberType::int64, entry_chunk);
      file_.set_attribute("row", "long_name", "row of each entry");
    }
    const std::int64_t zero = 0;
    file_.append("row_start", &zero, 1);
  }

  void write_level(TimeLevel k, const CompactLevel& level, std::uint64_t level_fingerprint) {
    const auto hash = static_cast<std::int64_t>(level_fingerprint);
    file_.write("level_fingerprint", {static_cast<std::uint64_t>(k.value)}, {1}, &hash);
    file_.append("offset", level.offset.data(), level.offset.size());
    file_.append("count", level.count.data(), level.count.size());
    if (form_ != ModelForm::compact) append_columns(k, level);
    if (form_ == ModelForm::coo) append_rows(k, level);
    std::vector<std::int64_t> starts(level.row_start.begin() + 1, level.row_start.end());
    for (auto& start : starts) start += entries_;
    file_.append("row_start", starts.data(), starts.size());
    entries_ += level.row_start.back();
  }

  std::int64_t finish() {
    file_.close();
    atomic_.commit();
    return entries_;
  }

 private:
  void write_axes() {
    const Grid& grid = info_.grid;
    const TimeAxis& time = info_.time;
    file_.define_coordinate("time", axis_values(time.first, time.step, time.level_count));
    file_.define_coordinate("y", axis_values(grid.y_first, grid.dy, grid.ny));
    file_.define_coordinate("x", axis_values(grid.x_first, grid.dx, grid.nx));
    file_.define_dimension("action", info_.actions.size());
    file_.define_dimension("offset_index", static_cast<std::uint64_t>(info_.subgrid.size()));
    write_model_actions(file_, info_.actions);
    std::vector<std::int32_t> dx;
    std::vector<std::int32_t> dy;
    for (std::int32_t n = 0; n < info_.subgrid.size(); ++n) {
      dx.push_back(info_.subgrid.offset(n).dx);
      dy.push_back(info_.subgrid.offset(n).dy);
    }
    file_.define_variable("offset_dx", NumberType::int32, {"offset_index"});
    file_.define_variable("offset_dy", NumberType::int32, {"offset_index"});
    file_.write_all("offset_dx", dx);
    file_.write_all("offset_dy", dy);
    file_.define_variable("level_fingerprint", NumberType::int64, {"time"});
    file_.set_attribute("level_fingerprint", "long_name", "FNV-1a of the level's velocity");
  }

  void append_columns(TimeLevel k, const CompactLevel& level) {
    const std::size_t rows = level.row_start.size() - 1;
    std::vector<std::int64_t> columns(level.offset.size());
    for (std::size_t row = 0; row < rows; ++row) {
      const CellIndex cell(static_cast<std::int32_t>(row / info_.actions.size()));
      const auto end = static_cast<std::size_t>(level.row_start[row + 1]);
      for (auto n = static_cast<std::size_t>(level.row_start[row]); n < end; ++n) {
        columns[n] = column_of(info_, k, cell, level.offset[n]);
      }
    }
    file_.append("column", columns.data(), columns.size());
  }

  void append_rows(TimeLevel k, const CompactLevel& level) {
    const std::int64_t rows = static_cast<std::int64_t>(level.row_start.size()) - 1;
    std::vector<std::int64_t> row_of_entry;
    row_of_entry.reserve(level.offset.size());
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto size = level.row_start[row + 1] - level.row_start[row];
      row_of_entry.insert(row_of_entry.end(), static_cast<std::size_t>(size), k.value * rows + row);
    }
    file_.append("row", row_of_entry.data(), row_of_entry.size());
  }

  ModelInfo info_;
  ModelForm form_;
  AtomicFile atomic_;
  Hdf5File file_;
  std::int64_t entries_ = 0;
};

}  // namespace

std::int64_t column_of(const ModelInfo& model, TimeLevel k, CellIndex cell, std::int32_t offset) {
  const Grid& grid = model.grid;
  const std::int64_t cells = grid.cell_count();
  const Offset to = model.subgrid.offset(offset);
  const std::int32_t i = grid.column(cell) + to.dx;
  const std::int32_t j = grid.row(cell) + to.dy;
  return grid.contains(i, j) ? (k.value + 1) * cells + grid.cell(i, j).value
                             : cells * model.time.level_count;
}

ModelInfo describe_model(const EnvironmentReader& environment, const PositionRule& rule,
                         const std::vector<Action>& actions, const PlannerOptions& options,
                         Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  ModelInfo model;
  model.grid = info.grid;
  model.time = info.time;
  model.actions = actions;
  model.rule = rule;
  model.total = row_total(info, rule);
  model.subgrid = with_file_in_error(environment, [&] {
    return subgrid_of_environment(environment, rule, actions, options, progress);
  });
  return model;
}

ModelInfo write_model(const std::filesystem::path& path, ModelInfo model,
                      CompactLevelSource& source, ModelForm form, const std::string& history,
                      Progress& progress) {
  ModelWriter writer(path, model, form, history);
  // One level waits while one is written and one is counted: three in memory at most.
  Strand writing(1);
  progress.begin("building the model", model.time.level_count - 1, "levels");
  while (auto counted = source.next()) {
    const std::int32_t done = counted->level.value + 1;
    writing.put([&writer, finished = std::move(*counted)] {
      writer.write_level(finished.level, finished.rows, finished.fingerprint);
    });
    progress.advance_to(done);
  }
  writing.finish();
  progress.end();
  model.entries = writer.finish();
  return model;
}

ModelInfo write_model(const std::filesystem::path& path, const EnvironmentReader& environment,
                      const PositionRule& rule, const std::vector<Action>& actions,
                      const PlannerOptions& options, ModelForm form, const std::string& history,
                      Progress& progress) {
  ModelInfo model = describe_model(environment, rule, actions, options, progress);
  const auto source =
      make_cpu_compact_source(environment, rule, actions, model.subgrid, options.engine,
                              options.threads, options.subgrid_radius);
  return write_model(path, std::move(model), *source, form, history, progress);
}

}  // namespace tidewise
