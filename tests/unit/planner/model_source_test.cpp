// Levels of an explicit model from an engine, and cleanup after failures.

#include <gtest/gtest.h>

#include "base/error.h"
#include "model_builder/explicit/compact_level_source.h"
#include "output/model/model_file.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

/// Returns empty levels, and throws at the level with number `fails_at`.
class FailingSource final : public CompactLevelSource {
 public:
  FailingSource(const ModelInfo& model, std::int32_t fails_at)
      : rows_(static_cast<std::size_t>(model.grid.cell_count()) * model.actions.size()),
        levels_(model.time.level_count - 1),
        fails_at_(fails_at) {}
  std::optional<CountedLevel> next() override {
    if (next_ == fails_at_) throw RunError("the device is lost");
    if (next_ == levels_) return std::nullopt;
    CountedLevel level;
    level.level = TimeLevel(next_++);
    level.rows.row_start.assign(rows_ + 1, 0);
    return level;
  }

 private:
  std::size_t rows_;
  std::int32_t levels_;
  std::int32_t fails_at_;
  std::int32_t next_ = 0;
};

/// Throws when `done` levels are counted.
class Interrupted final : public Progress {
 public:
  explicit Interrupted(std::int64_t done) : done_(done) {}
  void begin(std::string_view, std::int64_t, std::string_view) override {}
  void advance_to(std::int64_t done) override {
    if (done == done_) throw RunError("interrupted");
  }
  void end() override {}

 private:
  std::int64_t done_;
};

class ModelSource : public testing::Test {
 protected:
  ModelSource() {
    const auto info = test::plain_info(6, 5, 6, 1, 3);
    test::write_environment(folder_ / "env.h5", info);
    reader_.emplace(folder_ / "env.h5");
    actions_ = make_actions({1}, 4, info.grid, info.time);
    model_ = describe_model(*reader_, test::by_cell, actions_, {.threads = 1}, silent_);
    initial_listing_ = test::listing(folder_.path());
  }

  test::TemporaryFolder folder_;
  SilentProgress silent_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  ModelInfo model_;
  std::string initial_listing_;
};

TEST_F(ModelSource, ReturnsEveryLevelOnceInOrder) {
  const auto source = make_cpu_compact_source(*reader_, test::by_cell, actions_, model_.subgrid,
                                              Engine::lattice, 1);
  for (std::int32_t k = 0; k < 5; ++k) {
    const auto counted = source->next();
    ASSERT_TRUE(counted.has_value());
    EXPECT_EQ(counted->level.value, k);
    EXPECT_EQ(counted->rows.count, std::vector<std::uint32_t>(30 * 4, 3));  // still water
  }
  EXPECT_FALSE(source->next().has_value());
}

TEST_F(ModelSource, WritesAnEmptyModel) {
  FailingSource source(model_, -1);
  const ModelInfo written =
      write_model(folder_ / "model.h5", model_, source, ModelForm::coo, "", silent_);
  EXPECT_EQ(written.entries, 0);
  EXPECT_EQ(ModelFile(folder_ / "model.h5").read_level(TimeLevel(4)).row_start.back(), 0);
}

TEST_F(ModelSource, LeavesNoFileAfterAnError) {
  for (const std::int32_t level : {0, 2, 5}) {
    FailingSource source(model_, level);
    EXPECT_THROW(write_model(folder_ / "model.h5", model_, source, ModelForm::compact, "", silent_),
                 RunError);
    EXPECT_EQ(test::listing(folder_.path()), initial_listing_);
  }
}

TEST_F(ModelSource, LeavesNoFileAfterAnInterruption) {
  for (const std::int64_t done : {1, 5}) {
    FailingSource source(model_, -1);
    Interrupted progress(done);
    EXPECT_THROW(
        write_model(folder_ / "model.h5", model_, source, ModelForm::compact, "", progress),
        RunError);
    EXPECT_EQ(test::listing(folder_.path()), initial_listing_);
  }
}

}  // namespace
}  // namespace tidewise
