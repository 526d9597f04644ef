#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads the HDF5 format of docs/mdp/formats.md. Errors: InputError with file and variable, or with
/// state and action; for stored counts of 'tidewise research build' it names the command that
/// builds a process.
template <class Real>
DecisionProcess<Real> read_hdf5_process(const std::filesystem::path& path,
                                        const ReadOptions& options, Progress& progress);

/// Optional variables of a file, and its number of entries, unlimited_dimension if not known in
/// advance.
struct Hdf5ProcessShape {
  std::uint64_t entries = 0;
  bool entry_reward = false;
  bool initial_value = false;
  int deflate = 0;  ///< compression level, 0 (fast) to 9 (small)
};

/// Writes the HDF5 format in parts, so that the whole process need not be in memory. Atomic: the
/// file appears with finish(). Errors of all calls: RunError when writing fails.
template <class Real>
class Hdf5ProcessWriter {
 public:
  /// `whole`: numbers of states and actions, initial state and discount; its arrays are not read.
  Hdf5ProcessWriter(const std::filesystem::path& path, const DecisionProcess<Real>& whole,
                    const Hdf5ProcessShape& shape, const std::string& history);
  /// The file, for further variables and attributes; it has the dimensions state, action and row.
  Hdf5File& file() { return file_; }
  /// Writes the next `part.state_count` states. row_begin of the part begins at 0; its successors
  /// are states of the whole.
  void append(const DecisionProcess<Real>& part);
  /// Writes the labels and completes the file.
  void finish(const std::vector<StateLabel>& labels);

 private:
  template <class Values>
  void write(const char* variable, std::uint64_t start, const Values& values);

  Hdf5ProcessShape shape_;
  AtomicFile atomic_;
  Hdf5File file_;
  std::uint64_t action_count_;
  std::uint64_t states_ = 0;   // number of states written so far
  std::uint64_t entries_ = 0;  // number of entries written so far
};

/// Writes all data of a process without loss. Errors: RunError when writing fails.
template <class Real>
void write_hdf5_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                        const std::string& history, Progress& progress);

}  // namespace tidewise::mdp
