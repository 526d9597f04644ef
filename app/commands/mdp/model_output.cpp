#include "app/commands/mdp/model_output.h"

#include <fmt/core.h>

#include "base/hdf5/file_kind.h"
#include "mdp/file/reader.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

FileKind model_kind(const std::string& ending) {
  if (ending == ".h5") return hdf5_kind("decision process (HDF5)", "tidewise_mdp");
  if (ending == ".json") return text_kind("decision process (JSON)", {"\"P\""});
  return text_beginning_with("decision process (XML)", "<");
}

}  // namespace

void validate_model_output(const fs::path& out, Overwrite overwrite, const fs::path& model) {
  mdp::require_writable(out);
  Outputs outputs(overwrite);
  if (!model.empty()) outputs.add_input(model);
  outputs.add_output("--out", out, model_kind(out.extension().string()));
  outputs.validate();
}

template <class Real>
void write_model(const std::string& out, const mdp::DecisionProcess<Real>& process,
                 const CommandContext& context, Progress& progress) {
  mdp::write_process(out, process, context.command_line, progress);
  if (process.labels.empty() || fs::path(out).extension() != ".xml") return;
  context.warn(fmt::format("{}: this form has no place for labels; .h5 and .json have", out));
}

template void write_model(const std::string&, const mdp::DecisionProcess<float>&,
                          const CommandContext&, Progress&);
template void write_model(const std::string&, const mdp::DecisionProcess<double>&,
                          const CommandContext&, Progress&);

}  // namespace tidewise
