#include "model_builder/step/error_engine.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tidewise {
namespace {

/// Adds the counts of each action's draws.
class DrawsSum final : public CountSink {
 public:
  DrawsSum(CountSink& sink, std::int32_t draws, std::vector<std::vector<Offset>>& origins,
           std::vector<std::vector<std::uint32_t>>& counts)
      : sink_(sink), draws_(draws), origins_(origins), counts_(counts) {}

  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override {
    std::vector<Offset>& origin = origins_[static_cast<std::size_t>(thread)];
    std::vector<std::uint32_t>& count = counts_[static_cast<std::size_t>(thread)];
    CellTransitions sum;
    sum.first_action = counts.first_action / draws_;
    sum.action_count = counts.action_count / draws_;
    join_windows(counts, origin, sum);
    count.assign(static_cast<std::size_t>(sum.action_count) * static_cast<std::size_t>(sum.height) *
                     static_cast<std::size_t>(sum.width),
                 0);
    for (std::int32_t d = 0; d < counts.action_count; ++d) {
      const std::int32_t a = d / draws_;
      const Offset from = counts.origin[d];
      const Offset to = origin[static_cast<std::size_t>(a)];
      for (std::int32_t r = 0; r < counts.height; ++r) {
        const std::uint32_t* row = counts.row(d, r);
        std::uint32_t* into =
            count.data() + row_begin(sum, a, from.dy - to.dy + r) + from.dx - to.dx;
        for (std::int32_t c = 0; c < counts.width; ++c) into[c] += row[c];
      }
    }
    sum.origin = origin.data();
    sum.count = count.data();
    sink_.accept(thread, cell, sum);
  }

 private:
  static std::ptrdiff_t row_begin(const CellTransitions& sum, std::int32_t a, std::int32_t r) {
    return (static_cast<std::ptrdiff_t>(a) * sum.height + r) * sum.width;
  }

  /// Finds windows of one size that contain those of each action's draws.
  void join_windows(const CellTransitions& counts, std::vector<Offset>& origin,
                    CellTransitions& sum) const {
    origin.clear();
    for (std::int32_t a = 0; a < sum.action_count; ++a) {
      const Offset* draw = counts.origin + a * draws_;
      Offset first = *draw;
      Offset last = *draw;
      for (std::int32_t d = 1; d < draws_; ++d) {
        first = {std::min(first.dx, draw[d].dx), std::min(first.dy, draw[d].dy)};
        last = {std::max(last.dx, draw[d].dx), std::max(last.dy, draw[d].dy)};
      }
      origin.push_back(first);
      sum.width = std::max(sum.width, last.dx - first.dx + counts.width);
      sum.height = std::max(sum.height, last.dy - first.dy + counts.height);
    }
  }

  CountSink& sink_;
  std::int32_t draws_;
  std::vector<std::vector<Offset>>& origins_;
  std::vector<std::vector<std::uint32_t>>& counts_;
};

class ErrorEngine final : public CountingEngine {
 public:
  ErrorEngine(std::unique_ptr<CountingEngine> engine, std::int32_t draws, std::int32_t threads)
      : engine_(std::move(engine)),
        draws_(draws),
        origins_(static_cast<std::size_t>(threads)),
        counts_(static_cast<std::size_t>(threads)) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override {
    DrawsSum sum(sink, draws_, origins_, counts_);
    engine_->count_level(level, weights, cells, sum);
  }

 private:
  std::unique_ptr<CountingEngine> engine_;
  std::int32_t draws_;
  std::vector<std::vector<Offset>> origins_;        // (thread), (action)
  std::vector<std::vector<std::uint32_t>> counts_;  // (thread), as in CellTransitions
};

}  // namespace

std::unique_ptr<CountingEngine> make_error_engine(std::unique_ptr<CountingEngine> engine,
                                                  std::int32_t draws, std::int32_t threads) {
  return std::make_unique<ErrorEngine>(std::move(engine), draws, threads);
}

}  // namespace tidewise
