#pragma once

#include <filesystem>

#include "mdp/file/reader.h"

namespace tidewise::mdp {

/// Reads <MDP><Actions><Action id description/></Actions><States><State id><AvailableActions>
/// <Action id><ResultingState id probability actionReward/></Action>…; with optional attributes of
/// this project: gamma and initialState of MDP, value of State. The attribute domain of MDP and the
/// text of Description (of MDP, Action and State) are accepted. The Description of a declared
/// Action is its name; the others are ignored. Document types and entities are refused. Errors:
/// InputError with file and line; in a build without expat, with the remedy.
template <class Real>
DecisionProcess<Real> read_xml_process(ByteStream& bytes, const ReadOptions& options);

/// True if this build can read XML (it has expat).
bool reads_xml();

/// Writes this format, without labels. Errors: RunError when writing fails.
template <class Real>
void write_xml_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                       Progress& progress);

}  // namespace tidewise::mdp
