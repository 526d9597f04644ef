// Runs take each other's place whole, whatever fails or is killed meanwhile.

#include "app/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace {

int folders_flushed = 0;
bool flushing_fails = false;

}  // namespace

// In place of the C library's: counts the folders, and fails for them when told to.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    ++folders_flushed;
    if (flushing_fails) {
      errno = EIO;
      return -1;
    }
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::UnorderedElementsAre;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

/// The number of a process that has ended.
pid_t dead_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

class RunFolders : public testing::Test {
 protected:
  RunFolders() { flushing_fails = false; }

  void write_earlier_run() const {
    write(run_ / "policy.h5", "earlier policy");
    write(run_ / "summary.json", "earlier summary");
  }
  void expect_earlier_run() const {
    EXPECT_EQ(test::bytes_of(run_ / "policy.h5"), "earlier policy");
    EXPECT_EQ(test::bytes_of(run_ / "summary.json"), "earlier summary");
    EXPECT_THAT(names_in(run_), UnorderedElementsAre("policy.h5", "summary.json"));
  }
  fs::path staging_of(pid_t process) const {
    return run_ / (".run." + std::to_string(process) + ".tmp");
  }

  const test::TemporaryFolder folder_;
  const fs::path run_ = folder_ / "run";
};

TEST_F(RunFolders, ReplaceAnEarlierRunWhole) {
  write_earlier_run();
  write(run_ / "trajectories.nc", "earlier flights");
  write(run_ / "notes.txt", "kept");
  {
    RunFolder folder(run_);
    write(folder.staging() / "policy.h5", "new policy");
    write(folder.staging() / "summary.json", "new summary");
    folder.commit();
  }
  EXPECT_EQ(test::bytes_of(run_ / "policy.h5"), "new policy");
  EXPECT_EQ(test::bytes_of(run_ / "summary.json"), "new summary");
  EXPECT_THAT(names_in(run_), UnorderedElementsAre("policy.h5", "summary.json", "notes.txt"));
}

TEST_F(RunFolders, GiveTheEarlierRunBackWhenAFileCannotEnter) {
  write_earlier_run();
  {
    RunFolder folder(run_);
    write(folder.staging() / "policy.h5", "new policy");
    fs::create_directory(folder.staging() / "trajectories.nc");  // which is no file
    write(folder.staging() / "summary.json", "new summary");
    EXPECT_THROW(folder.commit(), RunError);
  }
  expect_earlier_run();
}

TEST_F(RunFolders, GiveTheEarlierRunBackWhenItCannotLeave) {
  write_earlier_run();
  {
    RunFolder folder(run_);
    write(folder.staging() / "policy.h5", "new policy");
    write(folder.staging() / "summary.json", "new summary");
    write(run_ / "trajectories.nc/a.txt", "somebody's");
    EXPECT_THROW(folder.commit(), RunError);
  }
  EXPECT_EQ(test::bytes_of(run_ / "trajectories.nc/a.txt"), "somebody's");
  fs::remove_all(run_ / "trajectories.nc");
  expect_earlier_run();
}

TEST_F(RunFolders, GiveTheEarlierRunBackWhenTheFolderIsNotFlushed) {
  write_earlier_run();
  {
    RunFolder folder(run_);
    write(folder.staging() / "policy.h5", "new policy");
    write(folder.staging() / "trajectories.nc", "new flights");
    write(folder.staging() / "summary.json", "new summary");
    flushing_fails = true;
    EXPECT_THROW(folder.commit(), RunError);
  }
  expect_earlier_run();
}

TEST_F(RunFolders, RefuseAFolderUnderTheNameOfAFile) {
  fs::create_directories(run_ / "policy.h5");
  EXPECT_THROW(RunFolder{run_}, InputError);
}

TEST_F(RunFolders, ClearWhatKilledProcessesLeft) {
  write_earlier_run();
  write(staging_of(dead_process()) / "policy.h5", "half a policy");
  write(staging_of(::getppid()) / "policy.h5", "of a process at work");
  { const RunFolder folder(run_); }
  EXPECT_EQ(test::bytes_of(staging_of(::getppid()) / "policy.h5"), "of a process at work");
  fs::remove_all(staging_of(::getppid()));
  expect_earlier_run();
}

TEST_F(RunFolders, BeginEmptyWhereTheirNumberWasUsedBefore) {
  write(staging_of(::getpid()) / "trajectories.nc", "of another run");
  {
    RunFolder folder(run_);
    EXPECT_TRUE(fs::is_empty(folder.staging()));
    write(folder.staging() / "summary.json", "new summary");
    folder.commit();
  }
  EXPECT_THAT(names_in(run_), UnorderedElementsAre("summary.json"));
}

TEST_F(RunFolders, PutBackARunThatWasLeaving) {
  const fs::path staging = staging_of(dead_process());
  write(run_ / "policy.h5", "earlier policy");
  write(staging / "leaving/summary.json", "earlier summary");
  write(staging / "policy.h5", "new policy");
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, PutBackARunThatWasBeingReplaced) {
  const fs::path staging = staging_of(dead_process());
  write(run_ / "policy.h5", "new policy");
  write(run_ / "trajectories.nc", "new flights");
  write(staging / "left/policy.h5", "earlier policy");
  write(staging / "left/summary.json", "earlier summary");
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, KeepARunThatHasEntered) {
  const fs::path staging = staging_of(dead_process());
  write_earlier_run();
  write(staging / "left/policy.h5", "still earlier policy");
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, AreFlushed) {
  RunFolder folder(run_);
  write(folder.staging() / "summary.json", "new summary");
  folders_flushed = 0;
  folder.commit();
  EXPECT_EQ(folders_flushed, 1);
}

TEST(AtomicFiles, FlushTheirFolder) {
  const test::TemporaryFolder folder;
  folders_flushed = 0;
  flushing_fails = false;
  write_text_file(folder / "a.txt", "whole");
  EXPECT_EQ(folders_flushed, 1);
}

TEST(AtomicFiles, ClearWhatKilledProcessesLeft) {
  const test::TemporaryFolder folder;
  flushing_fails = false;
  const std::string dead = std::to_string(dead_process());
  write(folder / (".a.txt." + dead + ".tmp"), "half");
  write(folder / (".b.txt." + dead + ".tmp"), "of another name");
  write(folder / (".a.txt." + dead + "x.tmp"), "of no process");
  const std::string alive = ".a.txt." + std::to_string(::getppid()) + ".tmp";
  write(folder / alive, "of a process at work");
  write_text_file(folder / "a.txt", "whole");
  EXPECT_THAT(names_in(folder.path()), UnorderedElementsAre("a.txt", ".b.txt." + dead + ".tmp",
                                                            ".a.txt." + dead + "x.tmp", alive));
}

}  // namespace
}  // namespace tidewise
