// Runs replace each other completely, even if a step fails or a process is killed.

#include "planner/folder/run_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/lock.h"
#include "support/error_code.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace {

int folders_flushed = 0;
bool flushing_fails = false;
bool locks_fail = false;
int lock_failures = 0;

}  // namespace

// Replaces the C library's function: no lock file can be opened while locks_fail.
extern "C" int openat(int folder, const char* name, int flags, ...) {
  if (locks_fail && std::string_view(name) == ".lock") {
    ++lock_failures;
    errno = ENOENT;
    return -1;
  }
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return static_cast<int>(::syscall(SYS_openat, folder, name, flags, mode));
}

// Replaces the C library's function: counts folders, and fails for them on request.
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

/// Does `work` in another process, which is then killed without any cleanup.
void in_killed_process(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
}

/// Another process that holds the result of `work` until this object is destroyed.
class OtherProcess {
 public:
  template <class Work>
  explicit OtherProcess(const Work& work) {
    if (::pipe(ready_) != 0 || ::pipe(end_) != 0) throw std::runtime_error("no pipe");
    child_ = ::fork();
    if (child_ == 0) {
      char byte = 0;
      ::close(end_[1]);
      const auto held = work();
      (void)!::write(ready_[1], &byte, 1);
      (void)!::read(end_[0], &byte, 1);
      ::kill(::getpid(), SIGKILL);
    }
    char byte = 0;
    (void)!::read(ready_[0], &byte, 1);
  }
  ~OtherProcess() {
    for (const int end : {end_[1], end_[0], ready_[0], ready_[1]}) ::close(end);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = 0;
  int ready_[2] = {};
  int end_[2] = {};
};

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
  /// Writes a staging folder with a signed lock, as a killed process leaves it.
  void write_stale(const std::string& name, const std::string& text) const {
    write(staging_ / ".lock", "process 1 on host\n");
    write(staging_ / name, text);
  }
  /// Writes a file of the user in another folder, and returns that folder.
  fs::path write_users_file() const {
    write(folder_ / "user/policy.h5", "the user's");
    return folder_ / "user";
  }
  void expect_users_file() const {
    EXPECT_EQ(test::bytes_of(folder_ / "user/policy.h5"), "the user's");
    EXPECT_THAT(names_in(folder_ / "user"), UnorderedElementsAre("policy.h5"));
  }
  const test::TemporaryFolder folder_;
  const fs::path run_ = folder_ / "run";
  const fs::path staging_ = run_ / ".run.tmp";
};

TEST_F(RunFolders, ReplaceAnEarlierRunCompletely) {
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

TEST_F(RunFolders, RestoreTheEarlierRunIfAFileCannotBeMovedIn) {
  write_earlier_run();
  {
    RunFolder folder(run_);
    write(folder.staging() / "policy.h5", "new policy");
    fs::create_directory(folder.staging() / "trajectories.nc");  // not a file
    write(folder.staging() / "summary.json", "new summary");
    EXPECT_THROW(folder.commit(), RunError);
  }
  expect_earlier_run();
}

TEST_F(RunFolders, RestoreTheEarlierRunIfItCannotBeMovedOut) {
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

TEST_F(RunFolders, RestoreTheEarlierRunIfFlushingFails) {
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

TEST_F(RunFolders, RejectAFolderUnderTheNameOfAFile) {
  fs::create_directories(run_ / "policy.h5");
  EXPECT_THROW(RunFolder{run_}, InputError);
}

TEST_F(RunFolders, ClearFilesOfKilledProcesses) {
  write_earlier_run();
  in_killed_process([&] {
    const auto* folder = new RunFolder(run_);  // is not destroyed
    write(folder->staging() / "policy.h5", "half a policy");
  });
  EXPECT_TRUE(fs::exists(staging_ / "policy.h5"));
  {
    const RunFolder folder(run_);
    EXPECT_FALSE(fs::exists(staging_ / "policy.h5"));
  }
  expect_earlier_run();
}

TEST_F(RunFolders, AreUsedByOneProcessAtATime) {
  write_earlier_run();
  {
    const OtherProcess other([&] {
      auto folder = std::make_unique<RunFolder>(run_);
      write(folder->staging() / "policy.h5", "of a process at work");
      return folder;
    });
    EXPECT_THAT([&] { RunFolder{run_}; },
                testing::ThrowsMessage<InputError>(test::has_code("run_folder_in_use")));
    RunFolder::clear_stale(run_);
    EXPECT_EQ(test::bytes_of(staging_ / "policy.h5"), "of a process at work");
  }
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, AcceptNewAndUnownedFolders) {
  fs::create_directory(run_);
  const auto first = RunFolder::make_new(run_ / "rollout_1");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(RunFolder::make_new(run_ / "rollout_1"), nullptr);
}

TEST_F(RunFolders, LeaveNoNewFolderWithoutARun) {
  fs::create_directory(run_);
  { const auto folder = RunFolder::make_new(run_ / "rollout_1"); }
  EXPECT_TRUE(fs::is_empty(run_));
}

TEST_F(RunFolders, RestoreARunThatWasBeingMovedOut) {
  write(run_ / "policy.h5", "earlier policy");
  write_stale("leaving/summary.json", "earlier summary");
  write_stale("policy.h5", "new policy");
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, RestoreARunThatWasBeingReplaced) {
  write(run_ / "policy.h5", "new policy");
  write(run_ / "trajectories.nc", "new flights");
  write_stale("left/policy.h5", "earlier policy");
  write_stale("left/summary.json", "earlier summary");
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, KeepARunThatWasMovedIn) {
  write_earlier_run();
  write_stale("left/policy.h5", "still earlier policy");
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, MoveAForecastIntoTheFolder) {
  {
    RunFolder folder(run_);
    write(folder.staging() / "posterior.h5", "forecast");
    write(folder.staging() / "policy.h5", "policy on it");
    write(folder.staging() / "summary.json", "summary");
    EXPECT_FALSE(fs::exists(run_ / "posterior.h5"));
    folder.commit();
  }
  EXPECT_EQ(test::bytes_of(run_ / "posterior.h5"), "forecast");
  EXPECT_THAT(names_in(run_), UnorderedElementsAre("posterior.h5", "policy.h5", "summary.json"));
  {  // the next run in the folder keeps the forecast, since its plan may use it
    RunFolder folder(run_);
    write(folder.staging() / "policy.h5", "another policy");
    write(folder.staging() / "summary.json", "another summary");
    folder.commit();
  }
  EXPECT_EQ(test::bytes_of(run_ / "posterior.h5"), "forecast");
  {  // no run replaces the forecast
    RunFolder folder(run_);
    write(folder.staging() / "posterior.h5", "another forecast");
    write(folder.staging() / "policy.h5", "third policy");
    write(folder.staging() / "summary.json", "third summary");
    EXPECT_THROW(folder.commit(), RunError);
  }
  EXPECT_EQ(test::bytes_of(run_ / "posterior.h5"), "forecast");
  EXPECT_EQ(test::bytes_of(run_ / "policy.h5"), "another policy");
  EXPECT_THAT(names_in(run_), UnorderedElementsAre("posterior.h5", "policy.h5", "summary.json"));
}

constexpr const char* earlier_csv = "name,lat,lon: earlier\n";

class ExportsOfRuns : public RunFolders {
 protected:
  ExportsOfRuns() {
    write_earlier_run();
    write(run_ / "export/run.csv", earlier_csv);
    write(run_ / "export/goto_l12.ma", "behavior_name=goto_list");
    write(run_ / "export/policy.twp", "TWPOLICY");
    write(run_ / "export/targets", "notes of the user");
    write(run_ / "export/mine.kml", "<kml>");
    write(run_ / "view.html", "<!DOCTYPE html><meta http-equiv=\"Content-Security-Policy\">");
    write(run_ / "rehearsal.geojson", "notes of the user");
  }
  static void stage_new_run(const RunFolder& folder) {
    write(folder.staging() / "export/run.csv", "name,lat,lon: new\n");
    write(folder.staging() / "export/targets", " goto=WP");
    write(folder.staging() / "policy.h5", "new policy");
    write(folder.staging() / "summary.json", "new summary");
  }
  void expect_earlier_exports() const {
    EXPECT_EQ(test::bytes_of(run_ / "summary.json"), "earlier summary");
    EXPECT_EQ(test::bytes_of(run_ / "export/run.csv"), earlier_csv);
    expect_users_exports();
    EXPECT_THAT(
        names_in(run_ / "export"),
        UnorderedElementsAre("run.csv", "goto_l12.ma", "policy.twp", "targets", "mine.kml"));
    EXPECT_THAT(names_in(run_), UnorderedElementsAre("policy.h5", "summary.json", "export",
                                                     "view.html", "rehearsal.geojson"));
  }
  void expect_users_exports() const {
    EXPECT_EQ(test::bytes_of(run_ / "export/targets"), "notes of the user");
    EXPECT_EQ(test::bytes_of(run_ / "export/mine.kml"), "<kml>");
    EXPECT_EQ(test::bytes_of(run_ / "rehearsal.geojson"), "notes of the user");
  }
};

TEST_F(ExportsOfRuns, AreRemovedWithTheReplacedRun) {
  {
    RunFolder folder(run_);
    stage_new_run(folder);
    folder.commit();
  }
  EXPECT_EQ(test::bytes_of(run_ / "export/run.csv"), "name,lat,lon: new\n");
  expect_users_exports();
  EXPECT_THAT(names_in(run_ / "export"), UnorderedElementsAre("run.csv", "targets", "mine.kml"));
  EXPECT_THAT(names_in(run_),
              UnorderedElementsAre("policy.h5", "summary.json", "export", "rehearsal.geojson"));
}

TEST_F(ExportsOfRuns, StayIfTheNewRunIsNotCommitted) {
  {
    RunFolder folder(run_);
    stage_new_run(folder);
  }
  expect_earlier_exports();
}

TEST_F(ExportsOfRuns, AreRestoredIfTheNewRunCannotBeMovedIn) {
  flushing_fails = true;
  {
    RunFolder folder(run_);
    stage_new_run(folder);
    EXPECT_THROW(folder.commit(), RunError);
  }
  flushing_fails = false;
  expect_earlier_exports();
}

TEST_F(ExportsOfRuns, AreKeptInFoldersWithoutARun) {
  fs::remove(run_ / "policy.h5");
  fs::remove(run_ / "summary.json");
  {
    RunFolder folder(run_);
    write(folder.staging() / "summary.json", "new summary");
    folder.commit();
  }
  EXPECT_EQ(test::bytes_of(run_ / "export/run.csv"), earlier_csv);
  EXPECT_TRUE(fs::exists(run_ / "view.html"));
}

TEST_F(RunFolders, LeaveNoForecastOfARunThatFailedOrWasKilled) {
  write_earlier_run();
  {
    RunFolder folder(run_);
    write(folder.staging() / "posterior.h5", "forecast");
    fs::create_directory(folder.staging() / "policy.h5");  // not a file
    EXPECT_THROW(folder.commit(), RunError);
  }
  expect_earlier_run();
  in_killed_process([&] {
    const auto* folder = new RunFolder(run_);
    write(folder->staging() / "posterior.h5", "forecast");
  });
  { const RunFolder folder(run_); }
  expect_earlier_run();
  // The process was killed when only the forecast had been moved in.
  write_stale("left/policy.h5", "earlier policy");
  write_stale("left/summary.json", "earlier summary");
  fs::remove(run_ / "policy.h5");
  fs::remove(run_ / "summary.json");
  fs::create_directory(staging_ / "entering");
  write(run_ / "posterior.h5", "forecast");
  write(staging_ / "policy.h5", "policy on it");
  { const RunFolder folder(run_); }
  expect_earlier_run();
}

TEST_F(RunFolders, RejectALinkInPlaceOfTheStagingFolder) {
  write_earlier_run();
  fs::create_directory_symlink(write_users_file(), staging_);
  EXPECT_THAT([&] { RunFolder{run_}; },
              testing::ThrowsMessage<InputError>(testing::AllOf(
                  test::has_code("folder_foreign", "is a link"), testing::HasSubstr(".run.tmp"))));
  RunFolder::clear_stale(run_);
  expect_users_file();
  EXPECT_TRUE(fs::is_symlink(staging_));
  EXPECT_EQ(test::bytes_of(run_ / "summary.json"), "earlier summary");
}

TEST_F(RunFolders, RejectAFolderThatTheProgramDidNotMake) {
  write(staging_ / "thesis.tex", "the user's");
  EXPECT_THROW(RunFolder{run_}, InputError);
  RunFolder::clear_stale(run_);
  EXPECT_EQ(test::bytes_of(staging_ / "thesis.tex"), "the user's");
  write(staging_ / ".lock", "");  // this program signs a lock before it makes other files
  EXPECT_THROW(RunFolder{run_}, InputError);
  EXPECT_EQ(test::bytes_of(staging_ / "thesis.tex"), "the user's");
}

TEST_F(RunFolders, RejectALinkInPlaceOfTheLock) {
  fs::create_directories(staging_);
  fs::create_symlink(write_users_file() / "policy.h5", staging_ / ".lock");
  EXPECT_THROW(RunFolder{run_}, InputError);
  RunFolder::clear_stale(run_);
  expect_users_file();
}

TEST_F(RunFolders, FollowNoLinkInTheStagingFolder) {
  for (const char* name : {"left", "leaving"}) {
    fs::remove_all(run_);
    write_stale("policy.h5", "half a policy");
    fs::create_directory_symlink(write_users_file(), staging_ / name);
    EXPECT_THROW(RunFolder{run_}, InputError) << name;
    expect_users_file();
  }
}

TEST_F(RunFolders, ClearLinksInTheStagingFolderWithoutFollowingThem) {
  write_earlier_run();
  write_stale("deeper/a.txt", "half");
  fs::create_directory_symlink(write_users_file(), staging_ / "user");
  fs::create_directory_symlink(folder_ / "user", staging_ / "deeper/user");
  { const RunFolder folder(run_); }
  expect_users_file();
  expect_earlier_run();
}

TEST_F(RunFolders, MoveNoRoutesIntoALink) {
  write_earlier_run();
  fs::create_directory_symlink(write_users_file(), run_ / "export");
  {
    RunFolder folder(run_);
    write(folder.staging() / "export/policy.h5", "new route");
    write(folder.staging() / "summary.json", "new summary");
    EXPECT_THROW(folder.commit(), RunError);
  }
  expect_users_file();
  EXPECT_EQ(test::bytes_of(run_ / "summary.json"), "earlier summary");
}

TEST_F(RunFolders, RejectALinkInPlaceOfTheFolder) {
  fs::create_directory_symlink(write_users_file(), run_);
  EXPECT_THROW(RunFolder::validate(run_), InputError);
  EXPECT_THROW(RunFolder{run_}, InputError);
  expect_users_file();
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

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer must be able to open pipes
/// Opens files until no more can be, and closes them at the end.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    while (true) {
      const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (descriptor < 0) break;
      opened_.push_back(descriptor);
    }
  }
  ~NoMoreDescriptors() {
    for (const int descriptor : opened_) ::close(descriptor);
  }

 private:
  std::vector<int> opened_;
};

TEST(AtomicFiles, AreRemovedIfNoFurtherFileCanBeOpened) {
  const test::TemporaryFolder folder;
  {
    auto file = std::make_unique<AtomicFile>(folder / "a.txt");
    std::ofstream(file->temporary_path()) << "half";
    AtomicFile late(folder / "b.txt");
    const NoMoreDescriptors no_descriptors;
    EXPECT_THROW(late.temporary_path(), RunError);
    file.reset();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}
#endif

TEST(AtomicFiles, KeepLinksAndFoldersUnderTemporaryNames) {
  const test::TemporaryFolder folder;
  flushing_fails = false;
  write(folder / "user/a.txt", "the user's");
  for (const char* name : {".a.txt.0123456789ab.tmp", ".a.txt.0123456789abcdef.tmp"}) {
    fs::create_directory_symlink(folder / "user", folder / name);
  }
  const char* temporary = ".a.txt.00000000000000ff.tmp";
  write(folder / temporary / "b.txt", "the user's");
  write_text_file(folder / "a.txt", "whole");
  EXPECT_EQ(test::bytes_of(folder / "user/a.txt"), "the user's");
  EXPECT_EQ(test::bytes_of(folder / temporary / "b.txt"), "the user's");
  EXPECT_EQ(test::bytes_of(folder / "a.txt"), "whole");
}

TEST(AtomicFiles, ReplaceALinkAndNotItsTarget) {
  const test::TemporaryFolder folder;
  flushing_fails = false;
  write(folder / "user.txt", "the user's");
  fs::create_symlink(folder / "user.txt", folder / "a.txt");
  write_text_file(folder / "a.txt", "whole");
  EXPECT_EQ(test::bytes_of(folder / "user.txt"), "the user's");
  EXPECT_EQ(test::bytes_of(folder / "a.txt"), "whole");
  EXPECT_FALSE(fs::is_symlink(folder / "a.txt"));
}

TEST(AtomicFiles, KeepThePermissionsOfTheFileThatTheyReplace) {
  const test::TemporaryFolder folder;
  flushing_fails = false;
  for (const unsigned mode : {0600u, 0640u, 0444u}) {
    write_text_file(folder / "a.txt", "first");
    fs::permissions(folder / "a.txt", fs::perms(mode));
    write_text_file(folder / "a.txt", "second");
    EXPECT_EQ(fs::status(folder / "a.txt").permissions(), fs::perms(mode));
  }
}

TEST(AtomicFiles, RejectExistingFilesThatMustBeNew) {
  const test::TemporaryFolder folder;
  flushing_fails = false;
  AtomicFile first(folder / "a.txt");
  AtomicFile second(folder / "a.txt");
  write_text(first, "first");
  write_text(second, "second");
  first.commit_new();
  EXPECT_THROW(second.commit_new(), InputError);
  EXPECT_EQ(test::bytes_of(folder / "a.txt"), "first");
}

TEST(AtomicFiles, FailIfNoLockCanBeOpened) {
  const test::TemporaryFolder folder;
  AtomicFile file(folder / "a.txt");
  locks_fail = true;
  lock_failures = 0;
  EXPECT_THROW(file.temporary_path(), RunError);
  locks_fail = false;
  EXPECT_GT(lock_failures, 0);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(FileLocks, LeaveOtherFilesAsTheyAre) {
  const test::TemporaryFolder folder;
  write(folder / "notes.txt", "the user's");
  fs::create_symlink(folder / "notes.txt", folder / "link");
  fs::create_hard_link(folder / "notes.txt", folder / "second_name");
  fs::create_directory(folder / "folder");
  write(folder / "other", "a line of another program");
  write(folder / "empty", "");
  fs::create_hard_link(folder / "empty", folder / "second_empty");
  for (const char* name : {"link", "second_name", "folder", "other", "second_empty"}) {
    EXPECT_THROW((void)FileLock::take(folder / name), InputError) << name;
  }
  EXPECT_EQ(test::bytes_of(folder / "notes.txt"), "the user's");
  EXPECT_EQ(test::bytes_of(folder / "other"), "a line of another program");
  EXPECT_EQ(test::bytes_of(folder / "empty"), "");
}

TEST(FileLocks, TakeASignedLockThatACopySharesByHardLinks) {
  const test::TemporaryFolder folder;
  write(folder / "lock", "process 1 on host\n");
  fs::create_hard_link(folder / "lock", folder / "copy");
  EXPECT_TRUE(FileLock::take(folder / "copy"));
}

TEST(AtomicFiles, ClearFilesOfKilledProcesses) {
  const test::TemporaryFolder folder;
  flushing_fails = false;
  const auto begin = [&](const char* name) {
    auto file = std::make_unique<AtomicFile>(folder / name);
    write(file->temporary_path(), "half");
    return file;
  };
  in_killed_process([&] { (void)begin("a.txt").release(); });
  in_killed_process([&] { (void)begin("b.txt").release(); });
  write(folder / ".a.txt.1234.tmp", "another program's");
  EXPECT_EQ(names_in(folder.path()).size(), 3u);
  {
    const OtherProcess other([&] { return begin("a.txt"); });
    EXPECT_EQ(names_in(folder.path()).size(), 3u);  // a new file in place of the stale one
    write_text_file(folder / "a.txt", "whole");
    EXPECT_EQ(names_in(folder.path()).size(), 4u);  // with the file of the other process
  }
  write_text_file(folder / "a.txt", "whole");
  write_text_file(folder / "b.txt", "whole");
  EXPECT_THAT(names_in(folder.path()), UnorderedElementsAre("a.txt", "b.txt", ".a.txt.1234.tmp"));
}

}  // namespace
}  // namespace tidewise
