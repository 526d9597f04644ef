#include "model_builder/explicit/compact_level.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/parallel/first_error.h"

namespace tidewise {

CompactLevelBuilder::CompactLevelBuilder(const Grid& grid, std::int32_t action_count,
                                         const SubGrid& subgrid, std::int32_t threads)
    : action_count_(action_count),
      subgrid_(subgrid),
      parts_(static_cast<std::size_t>(threads)),
      pieces_(static_cast<std::size_t>(grid.cell_count()) *
              static_cast<std::size_t>(action_count)) {}

void CompactLevelBuilder::accept(std::int32_t thread, CellIndex cell,
                                 const CellTransitions& counts) {
  Part& part = parts_[static_cast<std::size_t>(thread)];
  for (std::int32_t a = 0; a < counts.action_count; ++a) {
    const std::size_t start = part.offset.size();
    for (std::int32_t row = 0; row < counts.height; ++row) {
      const std::uint32_t* count = counts.row(a, row);
      for (std::int32_t column = 0; column < counts.width; ++column) {
        if (count[column] == 0) continue;
        const Offset offset{counts.origin[a].dx + column, counts.origin[a].dy + row};
        part.offset.push_back(static_cast<std::uint16_t>(subgrid_.index(offset)));
        part.count.push_back(count[column]);
      }
    }
    const auto row =
        static_cast<std::size_t>(cell.value) * static_cast<std::size_t>(action_count_) +
        static_cast<std::size_t>(counts.first_action + a);
    pieces_[row] = {thread, start, part.offset.size() - start};
  }
}

CompactLevel CompactLevelBuilder::take() {
  CompactLevel level;
  level.row_start.reserve(pieces_.size() + 1);
  level.row_start.push_back(0);
  for (const Piece& piece : pieces_) {
    level.row_start.push_back(level.row_start.back() + static_cast<std::int64_t>(piece.size));
  }
  level.offset.resize(static_cast<std::size_t>(level.row_start.back()));
  level.count.resize(level.offset.size());
  for (std::size_t row = 0; row < pieces_.size(); ++row) {
    const Piece& piece = pieces_[row];
    const Part& part = parts_[static_cast<std::size_t>(piece.thread)];
    const auto from = static_cast<std::ptrdiff_t>(piece.start);
    const auto size = static_cast<std::ptrdiff_t>(piece.size);
    const auto to = static_cast<std::ptrdiff_t>(level.row_start[row]);
    std::copy_n(part.offset.begin() + from, size, level.offset.begin() + to);
    std::copy_n(part.count.begin() + from, size, level.count.begin() + to);
  }
  for (auto& part : parts_) {
    part.offset.clear();
    part.count.clear();
  }
  std::fill(pieces_.begin(), pieces_.end(), Piece{});
  return level;
}

namespace {

/// Restores the windows of one cell from its rows. Scratch memory of one thread.
class WindowBuilder {
 public:
  // `offsets`: offsets_of() the sub-grid.
  WindowBuilder(const CompactLevel& level, const std::vector<Offset>& offsets,
                std::int32_t action_count)
      : level_(level),
        offsets_(offsets),
        actions_(static_cast<std::size_t>(action_count)),
        origin_(actions_) {}

  CellTransitions build(CellIndex cell) {
    const std::size_t first_row = static_cast<std::size_t>(cell.value) * actions_;
    std::int32_t width = 0;
    std::int32_t height = 0;
    for (std::size_t a = 0; a < actions_; ++a) {
      const SubGrid window = window_of(first_row + a);
      origin_[a] = {window.dx_min, window.dy_min};
      width = std::max(width, window.width());
      height = std::max(height, window.height());
    }
    const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    count_.assign(actions_ * size, 0);
    for (std::size_t a = 0; a < actions_; ++a) {
      for (auto n = begin(first_row + a); n < begin(first_row + a + 1); ++n) {
        const Offset offset = offsets_[level_.offset[n]];
        const std::int32_t place =
            (offset.dy - origin_[a].dy) * width + (offset.dx - origin_[a].dx);
        count_[a * size + static_cast<std::size_t>(place)] = level_.count[n];
      }
    }
    return {0, static_cast<std::int32_t>(actions_), width, height, origin_.data(), count_.data()};
  }

 private:
  std::size_t begin(std::size_t row) const {
    return static_cast<std::size_t>(level_.row_start[row]);
  }

  SubGrid window_of(std::size_t row) const {
    SubGrid window{0, 0, 0, 0};
    for (auto n = begin(row); n < begin(row + 1); ++n) {
      const Offset offset = offsets_[level_.offset[n]];
      const SubGrid point{offset.dx, offset.dx, offset.dy, offset.dy};
      window = n == begin(row) ? point : join(window, point);
    }
    return window;
  }

  const CompactLevel& level_;
  const std::vector<Offset>& offsets_;
  std::size_t actions_;
  std::vector<Offset> origin_;
  std::vector<std::uint32_t> count_;
};

}  // namespace

void feed_counts(const CompactLevel& level, const SubGrid& subgrid, std::int32_t action_count,
                 View<const CellIndex> cells, std::int32_t threads, CountSink& sink) {
  const std::vector<Offset> offsets = offsets_of(subgrid);
  FirstError error;
#pragma omp parallel num_threads(threads)
  {
    std::optional<WindowBuilder> windows;
    error.run([&] { windows.emplace(level, offsets, action_count); });
    const std::int32_t thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 256)
    for (std::size_t n = 0; n < cells.size; ++n) {
      error.run([&] { sink.accept(thread, cells[n], windows->build(cells[n])); });
    }
  }
  error.rethrow();
}

std::uint64_t fingerprint(const LevelView& level, std::int32_t velocities,
                          const DisplacementScale& scale, const PositionRule& rule,
                          View<const std::uint32_t> weights) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&hash](std::uint32_t bits) { hash = (hash ^ bits) * 0x100000001b3u; };
  add(std::bit_cast<std::uint32_t>(scale.x));
  add(std::bit_cast<std::uint32_t>(scale.y));
  add(rule.share());
  add(static_cast<std::uint32_t>(rule.bin_bits));
  for (const std::uint32_t weight : weights) add(weight);
  for (std::int32_t profile = 0; profile < velocities; ++profile) {
    const LevelView profile_level = level.profile(profile);
    for (const auto& field :
         {profile_level.u_mean, profile_level.v_mean, profile_level.u_mode, profile_level.v_mode}) {
      for (const float value : field) add(std::bit_cast<std::uint32_t>(value));
    }
  }
  for (const float value : level.coefficient) add(std::bit_cast<std::uint32_t>(value));
  return hash;
}

}  // namespace tidewise
