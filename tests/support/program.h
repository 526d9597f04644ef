#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tidewise::test {

/// What a run of the program left.
struct ProgramResult {
  int status = -1;  ///< exit status; 128 + signal where a signal ended it
  std::string output;
  std::string errors;
};

/// Runs the tidewise program itself, as a process of its own, in `folder`.
ProgramResult run_tidewise(const std::vector<std::string>& arguments,
                           const std::filesystem::path& folder);

/// The same by several processes together, which mpirun starts; it adds lines of its own to the
/// errors where they fail. Requires a build with MPI.
ProgramResult run_tidewise_together(int processes, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& folder);

/// The same, interrupted (SIGINT) as soon as `ready` says so.
ProgramResult interrupt_tidewise(const std::vector<std::string>& arguments,
                                 const std::filesystem::path& folder,
                                 const std::function<bool()>& ready);

/// The same under a limit [B] on the size of every file that it writes: a disk that is full.
ProgramResult run_tidewise_on_full_disk(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder,
                                        std::uint64_t file_limit);

/// Every file and folder under `folder` with its size and time of change, a line each.
std::string listing(const std::filesystem::path& folder);

/// The bytes of a file.
std::string bytes_of(const std::filesystem::path& path);

}  // namespace tidewise::test
