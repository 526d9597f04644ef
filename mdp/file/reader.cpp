#include "mdp/file/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/text_file.h"
#include "mdp/file/hdf5.h"
#include "mdp/file/json.h"
#include "mdp/file/listed.h"
#include "mdp/file/prism.h"
#include "mdp/file/target_states.h"
#include "mdp/file/xml.h"
#include "mdp/numpy/process.h"
#include "mdp/numpy/zip_archive.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

enum class Form { unknown, json, listed, xml, prism, numpy, hdf5 };

constexpr const char* written_endings = ".json, .mdp, .txt, .xml, .tra (PRISM) and .h5";
constexpr const char* known_endings = ".json, .mdp, .txt, .xml, .tra (PRISM), .npz (scipy) and .h5";

Form form_of_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".json") return Form::json;
  if (ending == ".mdp" || ending == ".txt") return Form::listed;
  if (ending == ".xml") return Form::xml;
  if (ending == ".tra") return Form::prism;
  if (ending == ".npz") return Form::numpy;
  if (ending == ".h5") return Form::hdf5;
  return Form::unknown;
}

/// By the first bytes that are not white.
Form form_of_content(const std::filesystem::path& path) {
  const std::string bytes = read_beginning(path, 256);
  std::string_view front = bytes;
  if (front.starts_with("\x89HDF\r\n\x1a\n")) return Form::hdf5;
  if (front.starts_with("PK\x03\x04")) return Form::numpy;
  if (front.starts_with("\xEF\xBB\xBF")) front.remove_prefix(3);
  front = trimmed(front);
  if (front.starts_with('{')) return Form::json;
  if (front.starts_with('<')) return Form::xml;
  if (front.starts_with("S:")) return Form::listed;
  return Form::unknown;
}

[[noreturn]] void refuse_ending(const std::filesystem::path& path) {
  throw InputError(fmt::format(
      "{}: its ending names no form of decision processes that is written; there are {}",
      path.string(), written_endings));
}

/// scipy's matrices, with PRISM's labels where there are any beside them.
template <class Real>
DecisionProcess<Real> read_numpy_files(const std::filesystem::path& path,
                                       const ReadOptions& options, Progress& progress) {
  const NumpyFiles files = open_numpy_files(path);
  const std::filesystem::path stem = numpy_stem(path);
  if (files.rewards.empty() && needs_rewards(options)) {
    const ZipArchive judged(*files.probabilities.front());  // what is none has no rewards either
    throw InputError(
        fmt::format("{}: there are no rewards beside it; save them as {}.R.npy, of (states, "
                    "actions)",
                    path.string(), stem.string()));
  }
  progress.begin("reading " + path.filename().string(), 0, "files");
  auto process =
      read_numpy_process<Real>(files, options.transition_rewards == TransitionRewards::keep);
  progress.end();
  std::filesystem::path labels = stem;
  labels += ".lab";
  std::error_code ignored;
  if (std::filesystem::exists(labels, ignored)) {
    ByteStream bytes(labels, progress);
    take_prism_labels(bytes, process);
  }
  return process;
}

/// As it is in a file of any form but PRISM's, which goes by several.
template <class Real>
DecisionProcess<Real> read_one_file(const std::filesystem::path& path, Form form,
                                    const ReadOptions& options, Progress& progress) {
  if (form == Form::hdf5) return read_hdf5_process<Real>(path, options, progress);
  if (form == Form::numpy) return read_numpy_files<Real>(path, options, progress);
  ByteStream bytes(path, progress);
  if (form == Form::json) return read_json_process<Real>(bytes, options);
  if (form == Form::listed) return read_listed_process<Real>(bytes, options);
  if (form == Form::xml) return read_xml_process<Real>(bytes, options);
  throw InputError(fmt::format("{}: is of no known form of decision processes; there are {}",
                               path.string(), known_endings));
}

}  // namespace

template <class Real>
void apply_discount(const ReadOptions& options, DecisionProcess<Real>& process) {
  if (!options.discount) return;
  if (!(*options.discount >= 0 && *options.discount <= 1)) {
    throw InputError(fmt::format("the discount is {}; give one from 0 to 1", *options.discount));
  }
  process.discount = *options.discount;
}

template <class Real>
DecisionProcess<Real> read_process(const std::filesystem::path& path, const ReadOptions& options,
                                   Progress& progress) {
  Form form = form_of_ending(path);
  if (form == Form::unknown) form = form_of_content(path);
  if (form == Form::prism) return read_prism_process<Real>(path, options, progress);
  DecisionProcess<Real> process = read_one_file<Real>(path, form, options, progress);
  end_in_target(options, path.string(), process);
  apply_discount(options, process);
  return process;
}

void require_writable(const std::filesystem::path& path) {
  const Form form = form_of_ending(path);
  if (form == Form::unknown || form == Form::numpy) refuse_ending(path);
  const AtomicFile writable(path);
}

template <class Real>
void write_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                   const std::string& history, Progress& progress) {
  switch (form_of_ending(path)) {
    case Form::json:
      return write_json_process(path, process, progress);
    case Form::listed:
      return write_listed_process(path, process, progress);
    case Form::xml:
      return write_xml_process(path, process, progress);
    case Form::prism:
      return write_prism_process(path, process, progress);
    case Form::hdf5:
      return write_hdf5_process(path, process, history, progress);
    case Form::numpy:
    case Form::unknown:
      break;
  }
  refuse_ending(path);
}

template <class Real>
std::string what_is_lost(const std::filesystem::path& path, const DecisionProcess<Real>& process) {
  const Form form = form_of_ending(path);
  const bool is_listed = form == Form::listed;
  std::vector<std::string> lost;
  const auto loses = [&](bool does, std::string what) {
    if (does) lost.push_back(std::move(what));
  };
  loses((is_listed || form == Form::prism) && process.discount != 1,
        fmt::format("the discount {}", process.discount));
  loses(is_listed && process.initial_state != 0,
        fmt::format("the initial state {}", process.initial_state));
  loses((is_listed || form == Form::xml) && !process.labels.empty(), "labels");
  loses(is_listed && !process.action_names.empty(), "names of actions");
  loses(form == Form::prism && !process.state_names.empty(), "names of states");
  return fmt::format("{}", fmt::join(lost, " and "));
}

#define TIDEWISE_INSTANTIATE(Real)                                                              \
  template void apply_discount(const ReadOptions&, DecisionProcess<Real>&);                     \
  template DecisionProcess<Real> read_process(const std::filesystem::path&, const ReadOptions&, \
                                              Progress&);                                       \
  template void write_process(const std::filesystem::path&, const DecisionProcess<Real>&,       \
                              const std::string&, Progress&);                                   \
  template std::string what_is_lost(const std::filesystem::path&, const DecisionProcess<Real>&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::mdp
