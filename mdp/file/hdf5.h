#pragma once

#include <filesystem>
#include <string>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads our own form, docs/mdp/formats.md. Errors: InputError with file and variable, or state and
/// action; a model that 'tidewise research build' made is refused with what it needs besides.
template <class Real>
DecisionProcess<Real> read_hdf5_process(const std::filesystem::path& path,
                                        const ReadOptions& options, Progress& progress);

/// Writes it, all that a process holds to the last bit, a piece at a time. `deflate`: 0, fast, to
/// 9, small. Errors: RunError when writing fails.
template <class Real>
void write_hdf5_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                        const std::string& history, Progress& progress, int deflate = 0);

}  // namespace tidewise::mdp
