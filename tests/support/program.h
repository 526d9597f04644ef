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

/// Runs the command line of the tidewise program in `folder`, within this process: one at a time.
ProgramResult run_tidewise(const std::vector<std::string>& arguments,
                           const std::filesystem::path& folder);

/// Runs the program as a process of its own: several at once, or for memory, signals and streams.
ProgramResult run_tidewise_alone(const std::vector<std::string>& arguments,
                                 const std::filesystem::path& folder);

/// Runs several processes together by mpirun, which adds lines of its own to the errors of a
/// failure. Requires a build with MPI.
ProgramResult run_tidewise_together(int processes, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& folder);

/// Runs the program and interrupts it (SIGINT) as soon as `ready` returns true.
ProgramResult interrupt_tidewise(const std::vector<std::string>& arguments,
                                 const std::filesystem::path& folder,
                                 const std::function<bool()>& ready);

/// Runs the program with a limit [B] on the size of every file that it writes: a full disk.
ProgramResult run_tidewise_on_full_disk(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder,
                                        std::uint64_t file_limit);

/// Runs the program and kills it (SIGKILL) after that time unless it has ended.
ProgramResult kill_tidewise(const std::vector<std::string>& arguments,
                            const std::filesystem::path& folder, std::chrono::milliseconds after);

/// Runs any program, found by PATH, as a process of its own.
ProgramResult run_command(const std::vector<std::string>& words,
                          const std::filesystem::path& folder);

/// The program of run_tidewise().
std::filesystem::path tidewise_program();

/// Every file and folder under `folder` with its size and time of change, a line each.
std::string listing(const std::filesystem::path& folder);

/// The bytes of a file.
std::string bytes_of(const std::filesystem::path& path);

}  // namespace tidewise::test
