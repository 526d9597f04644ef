#include "base/parallel/work_beside.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/error.h"

namespace tidewise {
namespace {

struct RecordedProgress final : Progress {
  void begin(std::string_view work, std::int64_t, std::string_view) override { text = work; }
  void advance_to(std::int64_t done) override {
    if (throws) throw RunError("interrupted");
    most = done;
  }
  void end() override { has_ended = true; }

  std::string text;
  std::atomic<std::int64_t> most = 0;
  bool throws = false;
  bool has_ended = false;
};

// Reports progress until it is stopped.
void work_without_end(Progress& progress) {
  for (std::int64_t n = 1;; ++n) {
    progress.advance_to(n);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(WorkBeside, ReportsTheProgressOfTheWork) {
  RecordedProgress recorded;
  WorkBeside beside("evaluating", [&](Progress& progress) {
    progress.begin("work", 7, "levels");
    progress.advance_to(5);
    while (recorded.most < 5) std::this_thread::yield();
    progress.end();
  });
  beside.finish(recorded);
  EXPECT_EQ(recorded.text, "evaluating");
  EXPECT_EQ(recorded.most, 5);
  EXPECT_TRUE(recorded.has_ended);
}

TEST(WorkBeside, RethrowsTheErrorOfTheWork) {
  RecordedProgress recorded;
  WorkBeside beside("evaluating", [](Progress&) { throw InputError("damaged"); });
  EXPECT_THROW(beside.finish(recorded), InputError);
}

TEST(WorkBeside, EndsWhenItsProgressThrows) {
  RecordedProgress recorded;
  recorded.throws = true;
  WorkBeside beside("evaluating", work_without_end);
  EXPECT_THROW(beside.finish(recorded), RunError);
}

TEST(WorkBeside, EndsWithoutFinish) { const WorkBeside beside("evaluating", work_without_end); }

}  // namespace
}  // namespace tidewise
