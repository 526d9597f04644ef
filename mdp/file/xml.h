#pragma once

#include <filesystem>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads <MDP><Actions><Action id description/></Actions><States><State id><AvailableActions>
/// <Action id><ResultingState id probability actionReward/></Action>…; of our own, optional: the
/// attributes gamma and initialState of MDP and value of State. The attribute domain of MDP and the
/// text of Description (of MDP, Action and State) are accepted; that of a declared Action is its
/// name, the others are not kept. Document types and entities of a file's own are refused. Errors:
/// InputError with file and line; in a build without expat, what to do about that.
template <class Real>
DecisionProcess<Real> read_xml_process(ByteStream& bytes, const ReadOptions& options);

/// Whether this build can: it was made with expat.
bool reads_xml();

/// Writes it; labels are lost. Errors: RunError when writing fails.
template <class Real>
void write_xml_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                       Progress& progress);

}  // namespace tidewise::mdp
