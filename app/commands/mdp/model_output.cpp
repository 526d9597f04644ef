#include "app/commands/mdp/model_output.h"

#include <fmt/core.h>

#include "base/hdf5/file_kind.h"
#include "mdp/file/reader.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// The files that PRISM's form keeps beside the transitions. scipy's matrices have labels too.
constexpr const char* endings_beside[] = {".lab", ".srew", ".trew"};

fs::path beside(const fs::path& model, const char* ending) {
  fs::path path = model;
  return path.replace_extension(ending);
}

FileKind model_kind(const std::string& ending) {
  if (ending == ".h5") return hdf5_kind("decision process (HDF5)", "tidewise_mdp");
  if (ending == ".json") return text_kind("decision process (JSON)", {"\"P\""});
  if (ending == ".xml") return text_beginning_with("decision process (XML)", "<");
  if (ending == ".tra") return text_beginning_with("decision process (PRISM)", "0123456789");
  return text_kind("decision process (S/A/D lines)", {"S:"});
}

}  // namespace

void validate_model_output(const fs::path& out, Overwrite overwrite, const fs::path& model) {
  mdp::require_writable(out);
  Outputs outputs(overwrite);
  if (!model.empty()) {
    outputs.read(model);
    if (model.extension() == ".tra" || model.extension() == ".npz") {
      for (const char* ending : endings_beside) outputs.read(beside(model, ending));
    }
  }
  outputs.write("--out", out, model_kind(out.extension().string()));
  if (out.extension() == ".tra") {
    for (const char* ending : endings_beside) {
      outputs.write("--out", beside(out, ending),
                    text_beginning_with("part of a decision process (PRISM)", "0123456789"));
    }
  }
  outputs.validate();
}

template <class Real>
void write_model(const std::string& out, const mdp::DecisionProcess<Real>& process,
                 const CommandContext& context, Progress& progress) {
  mdp::write_process(out, process, context.command_line, progress);
  const std::string lost = mdp::what_is_lost(out, process);
  if (lost.empty()) return;
  context.warn(fmt::format("{}: this form has no place for {}; .h5 and .json have", out, lost));
}

template void write_model(const std::string&, const mdp::DecisionProcess<float>&,
                          const CommandContext&, Progress&);
template void write_model(const std::string&, const mdp::DecisionProcess<double>&,
                          const CommandContext&, Progress&);

}  // namespace tidewise
