#pragma once

#include <filesystem>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads the text of S:id:value:actions, A:id:divergences and D:successor:probability:reward lines.
/// Errors: InputError with file and line.
template <class Real>
DecisionProcess<Real> read_listed_process(ByteStream& bytes, const ReadOptions& options);

/// Writes it. What the form has no place for is lost: discount, initial state, labels, names of
/// actions. Errors: RunError when writing fails.
template <class Real>
void write_listed_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                          Progress& progress);

}  // namespace tidewise::mdp
