// The kernels that back up a group of missions, run on the host, give the bits of solve_mission().

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "env/file/reader.h"
#include "model_builder/engines.h"
#include "solver/backup/expectation.h"
#include "solver/missions/legs.h"
#include "solver/missions/member_planes.h"
#include "solver/missions/merged_rows.h"
#include "solver/missions/target_backup.h"
#include "solver/missions/warp_backup.h"
#include "support/host_warp.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/mission_group_cases.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::HostWarp;

std::size_t at(std::int32_t n) { return static_cast<std::size_t>(n); }

TEST(GroupTable, SortsMembersByLastLevel) {
  const auto info = test::plain_info(4, 3, 9);
  auto missions = test::varied_missions(info, 3);
  missions[0].last = TimeLevel(2);
  missions[1].last = TimeLevel(8);
  missions[2].last = TimeLevel(3);
  missions[2].target = target_cells(info.grid, 2.5, 1.5, 0);
  const auto actions = make_actions({1}, 4, info.grid, info.time);
  const GroupTable table(info, actions, {&missions[0], &missions[1], &missions[2]});
  EXPECT_EQ(table.place(0), 1U);
  EXPECT_EQ(table.place(1), 2U);
  EXPECT_EQ(table.place(2), 0U);
  EXPECT_EQ(table.last(), TimeLevel(8));
  EXPECT_EQ(table.stride(), 32);
  EXPECT_EQ(table.present(TimeLevel(8)), 1);
  EXPECT_EQ(table.present(TimeLevel(3)), 2);
  EXPECT_EQ(table.present(TimeLevel(2)), 3);
  EXPECT_EQ(table.stepping(TimeLevel(8)), 0);
  EXPECT_EQ(table.stepping(TimeLevel(2)), 2);
  EXPECT_EQ(table.view().targets(info.grid.cell(2, 1).value, 1) >> 1 & 1U, 1U);
  EXPECT_EQ(table.terms[3].last, -1);
}

TEST(GroupTable, ChoosesMembersPerLane) {
  EXPECT_EQ(group_stride(1), 32);
  EXPECT_EQ(group_stride(33), 64);
  EXPECT_EQ(group_stride(65), 128);
  EXPECT_EQ(group_stride(128), 128);
  EXPECT_EQ(group_stride(129), 256);
}

// Stores rows in the layout of DeviceRows.
template <class Entry>
class RowsOnHost final : public CountSink {
 public:
  RowsOnHost(std::int32_t cells, std::int32_t actions)
      : actions_(actions),
        start_(at(cells), no_rows),
        size_(at(cells) * at(actions)),
        window_(at(cells)) {}

  void accept(std::int32_t, CellIndex cell, const CellTransitions& counts) override {
    CellStencil window;
    window.dx_max = 0;
    for (std::int32_t a = 0; a < actions_; ++a) {
      const Offset from = counts.origin[a];
      const auto widen = [](std::int16_t& min, std::int16_t& max, std::int32_t first,
                            std::int32_t size) {
        min = static_cast<std::int16_t>(std::min<std::int32_t>(min, first));
        max = static_cast<std::int16_t>(std::max<std::int32_t>(max, first + size - 1));
      };
      widen(window.dx_min, window.dx_max, from.dx, counts.width);
      widen(window.dy_min, window.dy_max, from.dy, counts.height);
    }
    const std::size_t index = at(cell.value);
    window_[index] = window;
    start_[index] = static_cast<std::uint32_t>(block_.size());
    for (std::int32_t a = 0; a < actions_; ++a) {
      std::int32_t entries = 0;
      for (std::int32_t row = 0; row < counts.height; ++row) {
        for (std::int32_t column = 0; column < counts.width; ++column) {
          const std::uint32_t count = counts.row(a, row)[column];
          if (count == 0) continue;
          const Offset to{counts.origin[a].dx + column, counts.origin[a].dy + row};
          if (entries % entries_per_block == 0) block_.emplace_back();
          block_.back().entry[entries++ % entries_per_block] =
              make_row_entry<Entry>(static_cast<std::uint32_t>(window.place(to)), count);
        }
      }
      size_[index * at(actions_) + at(a)] = static_cast<std::uint16_t>(entries);
    }
  }

  LevelRows<Entry> rows() const {
    return {actions_, start_.data(), size_.data(), window_.data(), block_.data()};
  }
  const CellStencil& window(std::int32_t cell) const { return window_[at(cell)]; }
  std::size_t blocks() const { return block_.size(); }

 private:
  std::int32_t actions_;
  std::vector<std::uint32_t> start_;
  std::vector<std::uint16_t> size_;
  std::vector<CellStencil> window_;
  std::vector<RowBlock<Entry>> block_;
};

TEST(RowMerger, ListsEachLandingOnce) {
  const Grid grid = test::plain_info(200, 100, 2).grid;
  const std::vector<ActionGroup> groups{{0, 4}, {4, 3}, {7, 1}};
  constexpr std::int32_t actions = 8;
  const CellIndex cell = grid.cell(100, 50);
  const std::vector<std::uint8_t> near_masked(at(grid.cell_count()), 0);
  std::mt19937 random(7);
  for (std::int32_t width = 2; width <= 40; width += 3) {
    for (const std::uint32_t percent : {3U, 30U, 95U}) {
      SCOPED_TRACE(testing::Message() << width << " columns, " << percent << " % of the places");
      constexpr std::int32_t height = 7;
      const std::vector<Offset> origin(actions, Offset{-width / 2, -height / 2});
      std::vector<std::uint32_t> count(at(actions * height * width));
      for (std::uint32_t& c : count) c = random() % 100 < percent ? 1 + random() % 9 : 0;
      count[at(height * width - 1)] = 1;  // of action 0; other rows may be empty
      RowsOnHost<WideRowEntry> rows(grid.cell_count(), actions);
      rows.accept(0, cell, {0, actions, width, height, origin.data(), count.data()});

      std::vector<LandingList> lists(at(grid.cell_count()) * groups.size());
      std::vector<GroupCounts> counts(rows.blocks() * entries_per_block);
      std::vector<GroupLanding> landings(counts.size());
      RowMerger<WideRowEntry> merger;
      merger.rule.grid = grid;
      merger.near_masked = near_masked;
      merger.action_groups = groups;
      merger.rows = rows.rows();
      merger.merged = {lists.data(), counts.data(), landings.data()};
      test::run_warp([&](const HostWarp& warp) { merger(warp, cell.value, GridWindow::of(grid)); });

      for (std::size_t f = 0; f < groups.size(); ++f) {
        const LandingList list = lists[at(cell.value) * groups.size() + f];
        std::size_t n = list.first();
        std::int32_t line_before = -1;
        for (std::int32_t place = 0; place < height * width; ++place) {
          GroupCounts expected{};
          bool lands = false;
          for (std::int32_t r = 0; r < groups[f].count; ++r) {
            const std::uint32_t c = count[at((groups[f].first + r) * height * width + place)];
            expected.of[r] = static_cast<float>(c);
            lands = lands || c > 0;
          }
          if (!lands) continue;
          const std::int32_t line = place / width;
          const std::int32_t to =
              (50 - height / 2 + line) * grid.nx + 100 - width / 2 + place % width;
          ASSERT_LT(n, list.first() + at(list.count));
          EXPECT_EQ(landings[n].place(), static_cast<std::uint32_t>(to));
          EXPECT_EQ(landings[n].opens(), line_before >= 0 && line != line_before);
          EXPECT_EQ(landings[n].path_end(), GroupLanding::PathEnd::water);
          EXPECT_TRUE(std::ranges::equal(counts[n].of, expected.of));
          line_before = line;
          ++n;
        }
        EXPECT_EQ(n, list.first() + at(list.count));
      }
    }
  }
}

// A sink and the leg whose policy it receives.
struct LegSink {
  PolicySink* sink;
  std::size_t leg;
};

// Backward induction for a group by the kernels, one warp at a time.
template <class Entry, int MembersPerLane, GroupHarvests Harvests>
class GroupOnHost {
 public:
  // `max_staged`: maximum number of places of a tile's window that are staged.
  GroupOnHost(const EnvironmentReader& environment, const std::vector<Action>& actions,
              const GroupTable& table, const std::vector<TakenPlace>& taken,
              std::int32_t max_staged)
      : environment_(environment),
        info_(environment.info()),
        actions_(actions),
        table_(table),
        taken_(taken_cells(table, taken)),
        max_staged_(max_staged),
        engine_(make_cpu_engine(Engine::lattice, {LandingBy::cell, 3}, info_.grid, info_.time,
                                actions, 1)),
        cells_(info_.grid.cell_count()),
        value_next_(size(), NAN),
        value_(size(), NAN),
        action_(size(), -7) {}

  // sinks: (member), in the table's order.
  void solve(const std::vector<LegSink>& sinks) {
    LevelFields<> fields(info_);
    LevelFields<> next(info_);
    for (TimeLevel k = table_.last(); k.value >= 0; --k.value) {
      environment_.read_level(k, fields);
      RowsOnHost<Entry> rows(cells_, static_cast<std::int32_t>(actions_.size()));
      if (k != table_.last()) count(fields, rows);
      back_up(k, fields, next, rows);
      const TakeOverCells take_over{taken_, static_cast<std::uint32_t>(table_.stride()),
                                    static_cast<std::uint32_t>(table_.stepping(k)), value_.data(),
                                    action_.data()};
      for (std::size_t n = 0; n < taken_.size(); ++n) take_over(n);
      deliver(k, sinks);
      std::swap(value_, value_next_);
      std::swap(fields, next);
    }
  }
  std::int32_t longest_list = 0;
  std::int32_t staged_tiles = 0;
  std::int32_t unstaged_tiles = 0;
  std::int32_t near_targets = 0;

 private:
  std::size_t size() const { return at(cells_) * at(table_.stride()); }

  void count(const LevelFields<>& fields, RowsOnHost<Entry>& rows) {
    std::vector<CellIndex> open;
    for (std::int32_t cell = 0; cell < cells_; ++cell) {
      if (fields.masked[at(cell)] == 0) open.emplace_back(cell);
    }
    engine_->count_level(fields.view(info_), info_.realization_weight, open, rows);
  }

  std::vector<std::uint8_t> near_masked(const LevelFields<>& fields, const LevelFields<>& next,
                                        const RowsOnHost<Entry>& rows) const {
    std::vector<std::uint8_t> near(at(cells_), 0);
    for (std::int32_t cell = 0; cell < cells_; ++cell) {
      const CellStencil& window = rows.window(cell);
      for (std::int32_t place = 0; place < window.size(); ++place) {
        const Offset to = window.offset(place);
        near[at(cell)] |= masked_at(info_.grid, fields.masked, next.masked,
                                    info_.grid.column(CellIndex(cell)) + to.dx,
                                    info_.grid.row(CellIndex(cell)) + to.dy);
      }
    }
    return near;
  }

  void back_up(TimeLevel k, const LevelFields<>& fields, const LevelFields<>& next,
               const RowsOnHost<Entry>& rows) {
    const auto near = near_masked(fields, next, rows);
    std::vector<std::uint32_t> near_target(size());
    std::int32_t near_target_count = 0;
    GroupStep step;
    step.level = k.value;
    step.group = table_.view();
    step.landing.grid = info_.grid;
    step.landing.target = table_.some_target;
    step.landing.masked_now = fields.masked;
    step.landing.masked_next = next.masked;
    step.near_masked = near;
    step.inverse_count = inverse_count(row_total(info_, {LandingBy::cell, 3}));
    step.scalar_now = fields.scalar.data();
    step.scalar_next = next.scalar.data();
    if (k != table_.last()) step.value_next = value_next_.data();
    step.value = value_.data();
    step.action = action_.data();
    step.near_targets = {near_target.data(), &near_target_count};
    WarpGroupBackup<MembersPerLane, Harvests> backup;
    static_cast<GroupStep&>(backup) = step;
    backup.tiles.grid = info_.grid;
    RowMerger<Entry> merger;
    std::vector<LandingList> lists(at(cells_) * table_.action_groups.size());
    std::vector<GroupCounts> counts(rows.blocks() * entries_per_block);
    std::vector<GroupLanding> landings(counts.size());
    backup.merged = {lists.data(), counts.data(), landings.data()};
    if (k != table_.last()) {
      backup.tiles.cell_start = rows.rows().cell_start;
      backup.tiles.window = rows.rows().window;
      merger = row_merger(step, Harvests, rows.rows(), backup.merged);
    }
    TargetBackup<Entry> at_targets;
    static_cast<GroupStep&>(at_targets) = step;
    at_targets.rows = rows.rows();
    std::vector<LaneOf<float, MembersPerLane>> values(at(max_staged_ * lanes_per_warp));
    GroupScratch<MembersPerLane> scratch;
    test::run_warp([&](const HostWarp& warp) {
      for (std::int32_t tile = 0; tile < tile_count(info_.grid); ++tile) {
        merge_tile(warp, merger, backup.tiles, tile);
      }
      warp.sync();
      for (std::int32_t first = 0; first < table_.present(k); first += backup.members_per_warp) {
        for (std::int32_t tile = 0; tile < tile_count(info_.grid); ++tile) {
          back_up_tile(warp, backup, tile, first, values, scratch);
        }
      }
      warp.sync();
      for (std::int32_t n = 0; n < near_target_count; ++n) at_targets(warp, near_target[at(n)]);
    });
    near_targets += near_target_count;
  }

  // These work like blocks of rows.cu, one cell at a time.
  void merge_tile(const HostWarp& warp, const RowMerger<Entry>& merger, const RowTiles& tiles,
                  std::int32_t tile) {
    const GridWindow window = tiles.landings(warp, tile);
    for (std::int32_t n = 0; n < cells_per_tile; ++n) {
      const std::int32_t cell = tiles.cell(tile, n);
      if (cell == RowTiles::no_cell || !tiles.has_rows(cell)) continue;
      merger(warp, cell, window.size() <= max_staged_ ? window : GridWindow::of(tiles.grid));
      if (warp.lane() != 0) continue;
      for (std::size_t f = 0; f < table_.action_groups.size(); ++f) {
        longest_list = std::max(
            longest_list, merger.merged.list[at(cell) * table_.action_groups.size() + f].count);
      }
    }
  }
  void back_up_tile(const HostWarp& warp, const WarpGroupBackup<MembersPerLane, Harvests>& backup,
                    std::int32_t tile, std::int32_t first,
                    std::vector<LaneOf<float, MembersPerLane>>& values,
                    GroupScratch<MembersPerLane>& scratch) {
    const GridWindow window = backup.tiles.landings(warp, tile);
    const bool is_staged = window.size() <= max_staged_;
    if (is_staged) backup.stage(window, first, warp.lane(), 0, 1, values.data());
    if (warp.lane() == 0 && window.size() > 0) ++(is_staged ? staged_tiles : unstaged_tiles);
    warp.sync();
    for (std::int32_t n = 0; n < cells_per_tile; ++n) {
      const std::int32_t cell = backup.tiles.cell(tile, n);
      if (cell == RowTiles::no_cell) continue;
      if (is_staged) {
        backup(warp, cell, first, StagedValues<MembersPerLane>{values.data() + warp.lane()},
               scratch);
      } else {
        backup(warp, cell, first, backup.unstaged_values(first + warp.lane() * MembersPerLane),
               scratch);
      }
    }
    warp.sync();
  }

  void deliver(TimeLevel k, const std::vector<LegSink>& sinks) {
    const std::size_t members = at(table_.member_count());
    std::vector<float> value(members * at(cells_), NAN);
    std::vector<std::int16_t> action(members * at(cells_), -9);
    std::vector<MemberTally> tally(members, MemberTally{});
    const std::int32_t present = table_.present(k);
    const MemberPlanes planes{cells_,         table_.stride(), present,       value_.data(),
                              action_.data(), value.data(),    action.data(), tally.data()};
    std::vector<float> scratch(MemberPlanes::scratch_size);
    test::run_warp([&](const HostWarp& warp) {
      for (std::int32_t member = 0; member < present; member += MemberPlanes::side) {
        for (std::int32_t cell = 0; cell < cells_; cell += MemberPlanes::side) {
          planes(warp, cell, member, scratch.data());
        }
      }
    });
    for (std::size_t m = 0; m < at(present); ++m) {
      const View<const std::int16_t> actions = View(action).part(m * at(cells_), at(cells_));
      EXPECT_EQ(tally[m].overflow, 0);
      EXPECT_EQ(tally[m].decided, std::count_if(actions.begin(), actions.end(),
                                                [](std::int16_t a) { return a != no_action; }));
      sinks[m].sink->accept(sinks[m].leg, k, actions, View(value).part(m * at(cells_), at(cells_)));
    }
  }

  const EnvironmentReader& environment_;
  const EnvironmentInfo& info_;
  const std::vector<Action>& actions_;
  const GroupTable& table_;
  std::vector<TakenCell> taken_;
  std::int32_t max_staged_;
  std::unique_ptr<CountingEngine> engine_;
  std::int32_t cells_;
  std::vector<float> value_next_, value_;  // (cell, member)
  std::vector<std::int16_t> action_;       // (cell, member)
};

struct GroupCase {
  const char* name;
  std::int32_t members;
  bool harvests;
  bool weighted;
  float speed;  ///< speed of the currents, approximately [cells/step]
  std::int32_t realizations;
  std::int32_t headings;
  std::int32_t max_staged;  ///< maximum number of places of a tile's window that are staged
};
std::ostream& operator<<(std::ostream& stream, const GroupCase& c) { return stream << c.name; }

class GroupKernels : public testing::TestWithParam<GroupCase> {
 protected:
  template <class Entry, int MembersPerLane, GroupHarvests Harvests>
  void solve() {
    ASSERT_EQ(table_->members_per_lane(), MembersPerLane);
    std::vector<LegSink> in_order;
    for (std::int32_t m = 0; m < table_->member_count(); ++m) {
      const auto [member, leg] = legs_->of[table_->place(m)];
      in_order.push_back({&policies_[member], leg});
    }
    GroupOnHost<Entry, MembersPerLane, Harvests> group(*reader_, actions_, *table_, legs_->taken,
                                                       GetParam().max_staged);
    group.solve(in_order);
    longest_list_ = group.longest_list;
    EXPECT_GT(group.near_targets, 0);
    if (GetParam().max_staged < reader_->info().grid.cell_count()) {
      EXPECT_GT(group.unstaged_tiles, 0);
    }
    if (GetParam().max_staged > 0) {
      EXPECT_GT(group.staged_tiles, 0);
    }
  }

  template <class Entry, int MembersPerLane>
  void solve() {
    if (GetParam().harvests) {
      solve<Entry, MembersPerLane, GroupHarvests::yes>();
    } else {
      solve<Entry, MembersPerLane, GroupHarvests::no>();
    }
  }

  template <class Entry>
  void solve() {
    if (table_->member_count() <= 32) {
      solve<Entry, 1>();
    } else if (table_->member_count() <= 64) {
      solve<Entry, 2>();
    } else {
      solve<Entry, 4>();
    }
  }

  void SetUp() override {
    const GroupCase& c = GetParam();
    auto info = test::plain_info(9, 8, 5, 3, c.realizations);
    if (c.weighted) info.realization_weight = test::random_weights(c.realizations);
    test::write_random_environment(folder_ / "env.h5", info, c.speed);
    reader_.emplace(folder_ / "env.h5");
    actions_ = make_actions({0.5, 1}, c.headings, info.grid, info.time);
    missions_ = test::varied_missions(info, c.members);
    test::add_via_points(missions_[1], info.grid);
    std::vector<GroupMember> members;
    for (Mission& mission : missions_) {
      if (!c.harvests && mission.objective == Objective::net_energy) {
        mission.objective = Objective::energy;
      }
      if (c.harvests && members.size() % 5 == 2) test::keep(mission);
      mission.margin = 0;  // penalties are added after these kernels
      members.push_back({&mission, nullptr});
      policies_.emplace_back(info.grid, mission);
    }
    legs_.emplace(members);
    table_.emplace(reader_->info(), actions_, legs_->missions);
    ASSERT_EQ(table_->harvests(), c.harvests);
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  std::vector<Mission> missions_;
  std::deque<test::LegTables> policies_;
  std::optional<GroupLegs> legs_;
  std::optional<GroupTable> table_;
  std::int32_t longest_list_ = 0;
};

TEST_P(GroupKernels, MatchSingleSolvesBitForBit) {
  if (GetParam().weighted) {
    solve<WideRowEntry>();
  } else {
    solve<NarrowRowEntry>();
  }
  if (GetParam().speed >= 1.5F) {
    EXPECT_GT(longest_list_, lanes_per_warp);  // more than are staged at once
  }
  for (std::size_t m = 0; m < missions_.size(); ++m) {
    SCOPED_TRACE(m);
    test::expect_like_single_solve(*reader_, {actions_, missions_[m], test::by_cell}, policies_[m]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Groups, GroupKernels,
    testing::Values(GroupCase{"few", 5, true, false, 0.4F, 30, 6, 40},
                    GroupCase{"without_harvest", 7, false, false, 0.4F, 30, 6, 40},
                    GroupCase{"many_actions", 3, true, false, 0.4F, 20, 66, 40},
                    GroupCase{"weighted", 4, true, true, 0.4F, 30, 6, 40},
                    GroupCase{"two_a_lane", 37, true, false, 0.3F, 20, 4, 30},
                    GroupCase{"two_warps_of_four_a_lane", 131, true, false, 0.3F, 20, 4, 30},
                    GroupCase{"long_lists", 3, true, false, 1.5F, 300, 6, 72},
                    GroupCase{"long_rows", 3, true, false, 7.0F, 1500, 2, 0},
                    GroupCase{"long_rows_without_harvest", 3, false, false, 7.0F, 1500, 2, 0}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tidewise
