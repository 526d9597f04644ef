#include "output/model/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/words.h"
#include "env/levels/level_read_ahead.h"
#include "env/levels/level_stream.h"
#include "output/error/codes.h"

namespace tidewise {
namespace {

/// Reads a small variable that must have `size` values.
template <class T>
std::vector<T> read_exactly(const Hdf5File& file, const std::string& variable, std::size_t size) {
  auto values = file.read_all<T>(variable);
  if (values.size() != size) {
    throw input_error(errors::model_variable_size, file.path().string(), variable, values.size(),
                      size);
  }
  return values;
}

}  // namespace

ModelFile::ModelFile(const std::filesystem::path& path) : file_(Hdf5File::open(path)) {
  if (!file_.number_attribute("/", "tidewise_model")) {
    throw input_error(errors::not_a_model, path.string());
  }
  const auto x = file_.read_all<double>("x");
  const auto y = file_.read_all<double>("y");
  const auto time = file_.read_all<double>("time");
  const auto speed = file_.read_all<double>("speed");
  const auto heading = read_exactly<double>(file_, "heading", speed.size());
  const auto ax = read_exactly<std::int32_t>(file_, "displacement_x", speed.size());
  const auto ay = read_exactly<std::int32_t>(file_, "displacement_y", speed.size());
  const auto profile = file_.has("profile")
                           ? read_exactly<std::uint8_t>(file_, "profile", speed.size())
                           : std::vector<std::uint8_t>(speed.size(), 0);
  for (std::size_t a = 0; a < speed.size(); ++a) {
    info_.actions.push_back({speed[a], heading[a], {ax[a], ay[a]}, profile[a]});
  }
  if (x.size() < 2 || y.size() < 2 || time.size() < 2 || speed.empty()) {
    refuse(error_text(errors::model_incomplete));
  }
  const auto spacing = [](const std::vector<double>& axis) {
    return (axis.back() - axis.front()) / static_cast<double>(axis.size() - 1);
  };
  info_.grid = {static_cast<std::int32_t>(x.size()),
                static_cast<std::int32_t>(y.size()),
                x[0],
                y[0],
                spacing(x),
                spacing(y)};
  info_.time = {static_cast<std::int32_t>(time.size()), time[0], spacing(time)};
  info_.subgrid = read_offsets();
  info_.rule = read_rule();
  const double total = file_.number_attribute("/", "count_total").value_or(0);
  if (!(total >= 1 && total <= std::numeric_limits<std::uint32_t>::max()) ||
      total != std::floor(total)) {
    refuse(error_text(errors::model_count_total_invalid, total));
  }
  info_.total = static_cast<std::uint32_t>(total);
  const Extents entries = file_.shape("offset");
  if (entries.size() != 1) {
    throw input_error(errors::model_offset_shape, file_.path().string(), entries.size());
  }
  info_.entries = static_cast<std::int64_t>(entries[0]);
  fingerprints_ = read_exactly<std::int64_t>(file_, "level_fingerprint", time.size());
}

void ModelFile::refuse(const std::string& why) const {
  throw InputError(
      fmt::format("{}: {}", file_.path().string(),
                  add_words(why, "; build the model again with 'tidewise research build'")));
}

/// Models of early versions lack both attributes; the defaults stand for their only rule.
PositionRule ModelFile::read_rule() const {
  const std::string landing = file_.text_attribute("/", "landing").value_or("cell");
  const double bits = file_.number_attribute("/", "bin_bits").value_or(0);
  const auto& words = words_of<LandingBy>;
  const auto word = std::find(words.begin(), words.end(), landing);
  if (word == words.end() || !(bits >= 0 && bits <= position_bits)) {
    refuse(error_text(errors::model_landing_invalid, landing, bits));
  }
  return {static_cast<LandingBy>(word - words.begin()), static_cast<std::int32_t>(bits)};
}

SubGrid ModelFile::read_offsets() const {
  const auto dx = file_.read_all<std::int32_t>("offset_dx");
  const auto dy = read_exactly<std::int32_t>(file_, "offset_dy", dx.size());
  if (dx.empty()) refuse(error_text(errors::model_offsets_missing));
  const auto is_in_range = [](std::int32_t offset) {
    return offset >= -greatest_displacement && offset <= greatest_displacement;
  };
  const SubGrid subgrid{dx.front(), dx.back(), dy.front(), dy.back()};
  bool is_valid = std::all_of(dx.begin(), dx.end(), is_in_range) &&
                  std::all_of(dy.begin(), dy.end(), is_in_range) &&
                  subgrid.size() == static_cast<std::int64_t>(dx.size());
  for (std::size_t n = 0; is_valid && n < dx.size(); ++n) {
    const Offset offset = subgrid.offset(static_cast<std::int32_t>(n));
    is_valid = offset.dx == dx[n] && offset.dy == dy[n];
  }
  if (!is_valid) refuse(error_text(errors::model_offsets_damaged));
  return subgrid;
}

CompactLevel ModelFile::read_level(TimeLevel k) const {
  const auto rows = static_cast<std::uint64_t>(info_.grid.cell_count()) * info_.actions.size();
  CompactLevel level;
  level.row_start.resize(rows + 1);
  file_.read("row_start", {rows * static_cast<std::uint64_t>(k.value)}, {rows + 1},
             level.row_start.data());
  const std::int64_t first = level.row_start.front();
  if (first < 0 || level.row_start.back() > info_.entries ||
      !std::is_sorted(level.row_start.begin(), level.row_start.end())) {
    refuse(error_text(errors::model_rows_damaged, k.value));
  }
  for (auto& start : level.row_start) start -= first;
  const auto size = static_cast<std::uint64_t>(level.row_start.back());
  level.offset.resize(size);
  level.count.resize(size);
  file_.read("offset", {static_cast<std::uint64_t>(first)}, {size}, level.offset.data());
  file_.read("count", {static_cast<std::uint64_t>(first)}, {size}, level.count.data());
  if (std::any_of(level.offset.begin(), level.offset.end(),
                  [&](std::uint16_t offset) { return offset >= info_.subgrid.size(); })) {
    refuse(error_text(errors::model_offset_outside, k.value));
  }
  return level;
}

CompactLevel ModelFile::read_level(TimeLevel k, std::int32_t threads, RowMeans& means) const {
  CompactLevel level = read_level(k);
  const std::string fault = fault_of_rows(level, info_.subgrid, info_.total, threads, means);
  if (!fault.empty()) refuse(error_text(errors::model_level_damaged, k.value, fault));
  if (file_.has("column")) {
    const auto rows = static_cast<std::uint64_t>(level.row_start.size() - 1);
    std::int64_t first = 0;
    file_.read("row_start", {rows * static_cast<std::uint64_t>(k.value)}, {1}, &first);
    validate_columns(k, first, level);
  }
  return level;
}

void ModelFile::validate_columns(TimeLevel k, std::int64_t first, const CompactLevel& level) const {
  std::vector<std::int64_t> columns(level.offset.size());
  file_.read("column", {static_cast<std::uint64_t>(first)}, {columns.size()}, columns.data());
  const std::size_t rows = level.row_start.size() - 1;
  for (std::size_t row = 0; row < rows; ++row) {
    const CellIndex cell(static_cast<std::int32_t>(row / info_.actions.size()));
    const auto end = static_cast<std::size_t>(level.row_start[row + 1]);
    for (auto n = static_cast<std::size_t>(level.row_start[row]); n < end; ++n) {
      const std::int64_t expected = column_of(info_, k, cell, level.offset[n]);
      if (columns[n] == expected) continue;
      refuse(error_text(errors::model_column_misplaced, k.value, columns[n], row, expected));
    }
  }
}

std::uint64_t ModelFile::level_fingerprint(TimeLevel k) const {
  return static_cast<std::uint64_t>(fingerprints_.at(static_cast<std::size_t>(k.value)));
}

void ModelFile::require_match(const EnvironmentReader& environment, const PositionRule& rule,
                              const std::vector<Action>& actions) const {
  const EnvironmentInfo& other = environment.info();
  const auto refuse = [&](const char* what) {
    throw input_error(errors::model_of_other_mission, file_.path().string(), what,
                      environment.path().string());
  };
  if (info_.grid.nx != other.grid.nx || info_.grid.ny != other.grid.ny) refuse("grid");
  if (info_.time.level_count != other.time.level_count) refuse("time axis");
  if (info_.rule.landing != rule.landing || info_.rule.bin_bits != rule.bin_bits) {
    refuse("planner.landing");
  }
  if (info_.total != row_total(other, rule)) refuse("number of realizations");
  if (info_.actions.size() != actions.size()) refuse("set of actions");
  for (std::size_t a = 0; a < actions.size(); ++a) {
    if (info_.actions[a].displacement.x != actions[a].displacement.x ||
        info_.actions[a].displacement.y != actions[a].displacement.y ||
        info_.actions[a].profile != actions[a].profile) {
      refuse("set of actions");
    }
  }
}

namespace {

/// Means of levels that were read and not validated yet. Reading and validating may run in
/// different threads.
struct WaitingMeans {
  std::mutex mutex;
  std::map<std::int32_t, RowMeans> means_of_level;

  void put(TimeLevel k, RowMeans means) {
    const std::lock_guard lock(mutex);
    means_of_level[k.value] = std::move(means);
  }
  RowMeans take(TimeLevel k) {
    const std::lock_guard lock(mutex);
    RowMeans means = std::move(means_of_level.at(k.value));
    means_of_level.erase(k.value);
    return means;
  }
};

/// Reads levels of a model, each while the level after it is used. A request for another level than
/// the one before the last begins again there.
class ModelStream {
 public:
  explicit ModelStream(StoredModel model) : model_(std::move(model)) {}

  CompactLevel next(TimeLevel k) {
    if (!reading_ || k != next_) {
      reading_.emplace(
          levels_between(k, TimeLevel(0)), ReadingWidth{1, level_.size()},
          [this](TimeLevel level, std::size_t place) { level_[place] = model_.read(level); });
    }
    CompactLevel level = std::move(level_[reading_->take()]);
    reading_->give_back();
    next_ = TimeLevel(k.value - 1);
    return level;
  }
  const StoredModel& model() const { return model_; }

 private:
  StoredModel model_;
  TimeLevel next_{-1};
  std::array<CompactLevel, 2> level_;      // (place)
  std::optional<LevelReadAhead> reading_;  // last: its thread uses the members above
};

}  // namespace

StoredModel ModelFile::stored(const EnvironmentInfo& environment, std::int32_t threads) const {
  for (const Action& action : info_.actions) {
    if (action.profile < environment.velocities) continue;
    refuse(error_text(errors::model_profile_unknown, action.profile, environment.velocities));
  }
  const DisplacementScale scale(environment.grid, environment.time);
  const auto waiting = std::make_shared<WaitingMeans>();
  const auto read = [this, waiting, threads](TimeLevel k) {
    RowMeans means;
    CompactLevel level = read_level(k, threads, means);
    waiting->put(k, std::move(means));
    return level;
  };
  const auto validate = [this, scale, velocities = environment.velocities,
                         stored_weights = counting_weights(environment, info_.rule),
                         waiting](TimeLevel k, const LevelView& level) {
    const View<const std::uint32_t> weights = stored_weights;
    const RowMeans means = waiting->take(k);
    if (fingerprint(level, velocities, scale, info_.rule, weights) != level_fingerprint(k)) {
      throw input_error(errors::model_of_other_forecast, file_.path().string(), k.value);
    }
    const std::string fault =
        fault_of_means(means, level, scale, info_.rule, weights, info_.actions);
    if (!fault.empty()) refuse(error_text(errors::model_level_damaged, k.value, fault));
  };
  return {info_.subgrid, read, validate};
}

CountLevel ModelFile::counts(const EnvironmentInfo& environment, std::int32_t threads) const {
  return [actions = static_cast<std::int32_t>(info_.actions.size()), threads,
          stream = std::make_shared<ModelStream>(stored(environment, threads))](
             TimeLevel k, const LevelView& level, View<const CellIndex> cells, CountSink& sink) {
    const CompactLevel rows = stream->next(k);
    stream->model().validate(k, level);
    feed_counts(rows, stream->model().subgrid, actions, cells, threads, sink);
  };
}

}  // namespace tidewise
