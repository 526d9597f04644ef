#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tidewise::test {

/// Result of a run of the program.
struct ProgramResult {
  int status = -1;  ///< exit status; 128 + signal where a signal ended it
  std::string output;
  std::string errors;
};

/// Runs the command line of the tidewise program in `folder`, within this process, so that only one
/// can run at a time.
ProgramResult run_tidewise(const std::vector<std::string>& arguments,
                           const std::filesystem::path& folder);

/// Runs the program as its own process, for tests of several processes, memory, signals or streams.
ProgramResult run_tidewise_alone(const std::vector<std::string>& arguments,
                                 const std::filesystem::path& folder);

/// Runs several processes together by mpirun, which adds its own lines to the error output of a
/// failure. Requires a build with MPI.
ProgramResult run_tidewise_together(int processes, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& folder);

/// Runs the program and interrupts it (SIGINT) as soon as `ready` returns true.
ProgramResult interrupt_tidewise(const std::vector<std::string>& arguments,
                                 const std::filesystem::path& folder,
                                 const std::function<bool()>& ready);

/// Runs the program with a limit [B] on the size of every file that it writes, which acts like a
/// full disk.
ProgramResult run_tidewise_on_full_disk(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder,
                                        std::uint64_t file_limit);

/// Runs the program and kills it (SIGKILL) after this time unless it has ended.
ProgramResult kill_tidewise(const std::vector<std::string>& arguments,
                            const std::filesystem::path& folder, std::chrono::milliseconds after);

/// Runs any program, found by PATH, as a separate process.
ProgramResult run_command(const std::vector<std::string>& words,
                          const std::filesystem::path& folder);

/// Returns the path of the tidewise program.
std::filesystem::path tidewise_program();

/// Returns a line for each file and folder under `folder`, with its size and modification time.
std::string listing(const std::filesystem::path& folder);

/// Returns the bytes of a file.
std::string bytes_of(const std::filesystem::path& path);

}  // namespace tidewise::test
