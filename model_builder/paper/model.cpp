#include "model_builder/paper/model.h"

#include "model_builder/error/codes.h"
#include "model_builder/paper/launch.h"

namespace tidewise {
namespace {

/// The smallest window that contains entries [first, last); one empty cell if there are none.
SubGrid joint_subgrid(const PaperModel& model, const SubGrid& subgrid, std::size_t first,
                      std::size_t last) {
  SubGrid window{0, 0, 0, 0};
  for (std::size_t n = first; n < last; ++n) {
    const Offset o = subgrid.offset(model.offset[n]);
    const SubGrid point{o.dx, o.dx, o.dy, o.dy};
    window = n == first ? point : join(window, point);
  }
  return window;
}

}  // namespace

void require_block_size(std::int32_t block_size, const LaunchLimits& limits) {
  if (block_size >= 1 && static_cast<std::size_t>(block_size) <= limits.block_threads) return;
  throw input_error(errors::block_size_invalid, block_size, limits.block_threads);
}

void PaperModel::clear() {
  row.clear();
  offset.clear();
  count.clear();
  mean_reward.clear();
}

void feed_counts(const PaperModel& model, const SubGrid& subgrid, ActionIndex action,
                 View<const CellIndex> cells, CountSink& sink) {
  std::vector<std::uint32_t> counts;  // (row from the south, column from the west)
  std::size_t first = 0;
  for (std::size_t place = 0; place < cells.size; ++place) {
    std::size_t last = first;
    while (last < model.row.size() && model.row[last] == static_cast<std::int32_t>(place)) ++last;
    const SubGrid window = joint_subgrid(model, subgrid, first, last);
    counts.assign(static_cast<std::size_t>(window.size()), 0);
    for (std::size_t n = first; n < last; ++n) {
      const Offset landing = subgrid.offset(model.offset[n]);
      counts[static_cast<std::size_t>(window.index(landing))] = model.count[n];
    }
    const Offset origin{window.dx_min, window.dy_min};
    sink.accept(0, cells[place],
                {action.value, 1, window.width(), window.height(), &origin, counts.data()});
    first = last;
  }
}

}  // namespace tidewise
