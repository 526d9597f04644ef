#include "app/commands/mdp/model_output.h"

#include <fmt/core.h>

#include "mdp/file/reader.h"

namespace tidewise {

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
