#include <gtest/gtest.h>

#include <new>

#include "app/cli/failure.h"
#include "app/terminal/terminal.h"
#include "base/error.h"

namespace tidewise {
namespace {

struct Report {
  int status = 0;
  std::string text;
};

Report report(const std::exception& error) {
  testing::internal::CaptureStderr();
  const int status = report_error(error);
  return {status, testing::internal::GetCapturedStderr()};
}

TEST(ShellWord, IsReadBackByAShell) {
  EXPECT_EQ(shell_word("runs/washington-2.h5"), "runs/washington-2.h5");
  EXPECT_EQ(shell_word("my run/x"), "'my run/x'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("~"), "'~'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ReportError, SeparatesInputErrorsFromFailures) {
  const Report input = report(InputError("m.toml:\nno"));
  EXPECT_EQ(input.status, 2);
  EXPECT_EQ(input.text, "tidewise: error: m.toml: no\n");
  EXPECT_EQ(report(RunError("disk full")).status, 1);
  EXPECT_EQ(report(std::runtime_error("anything")).status, 1);
}

TEST(ReportError, AdvisesWhenMemoryRunsOut) {
  const Report memory = report(std::bad_alloc());
  EXPECT_EQ(memory.status, 1);
  EXPECT_EQ(memory.text,
            "tidewise: error: out of memory; use fewer realizations, modes or cells, or fewer "
            "threads\n");
}

}  // namespace
}  // namespace tidewise
