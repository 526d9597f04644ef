#include "mdp/file/reader.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/text_file.h"
#include "mdp/error/codes.h"
#include "mdp/file/hdf5.h"
#include "mdp/file/json.h"
#include "mdp/file/target_states.h"
#include "mdp/file/xml.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

enum class Form { unknown, json, xml, hdf5 };

constexpr const char* known_endings = ".json, .xml and .h5";

Form form_of_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".json") return Form::json;
  if (ending == ".xml") return Form::xml;
  if (ending == ".h5") return Form::hdf5;
  return Form::unknown;
}

/// The format by the first bytes that are not white space.
Form form_of_content(const std::filesystem::path& path) {
  const std::string bytes = read_beginning(path, 256);
  std::string_view front = bytes;
  if (front.starts_with("\x89HDF\r\n\x1a\n")) return Form::hdf5;
  if (front.starts_with("\xEF\xBB\xBF")) front.remove_prefix(3);
  front = trimmed(front);
  if (front.starts_with('{')) return Form::json;
  if (front.starts_with('<')) return Form::xml;
  return Form::unknown;
}

[[noreturn]] void refuse_ending(const std::filesystem::path& path) {
  throw input_error(errors::process_ending_unknown, path.string(), known_endings);
}

/// Reads a process without applying target and discount of `options`.
template <class Real>
DecisionProcess<Real> read_one_file(const std::filesystem::path& path, Form form,
                                    const ReadOptions& options, Progress& progress) {
  if (form == Form::hdf5) return read_hdf5_process<Real>(path, options, progress);
  ByteStream bytes(path, progress);
  if (form == Form::json) return read_json_process<Real>(bytes, options);
  if (form == Form::xml) return read_xml_process<Real>(bytes, options);
  throw input_error(errors::process_form_unknown, path.string(), known_endings);
}

}  // namespace

template <class Real>
void apply_discount(const ReadOptions& options, DecisionProcess<Real>& process) {
  if (!options.discount) return;
  if (!(*options.discount >= 0 && *options.discount <= 1)) {
    throw input_error(errors::discount_invalid, *options.discount);
  }
  process.discount = *options.discount;
}

template <class Real>
DecisionProcess<Real> read_process(const std::filesystem::path& path, const ReadOptions& options,
                                   Progress& progress) {
  Form form = form_of_ending(path);
  if (form == Form::unknown) form = form_of_content(path);
  DecisionProcess<Real> process = read_one_file<Real>(path, form, options, progress);
  end_in_target(options, path.string(), process);
  apply_discount(options, process);
  return process;
}

void require_writable(const std::filesystem::path& path) {
  if (form_of_ending(path) == Form::unknown) refuse_ending(path);
  const AtomicFile writable(path);
}

template <class Real>
void write_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                   const std::string& history, Progress& progress) {
  switch (form_of_ending(path)) {
    case Form::json:
      return write_json_process(path, process, progress);
    case Form::xml:
      return write_xml_process(path, process, progress);
    case Form::hdf5:
      return write_hdf5_process(path, process, history, progress);
    case Form::unknown:
      break;
  }
  refuse_ending(path);
}

#define TIDEWISE_INSTANTIATE(Real)                                                              \
  template void apply_discount(const ReadOptions&, DecisionProcess<Real>&);                     \
  template DecisionProcess<Real> read_process(const std::filesystem::path&, const ReadOptions&, \
                                              Progress&);                                       \
  template void write_process(const std::filesystem::path&, const DecisionProcess<Real>&,       \
                              const std::string&, Progress&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::mdp
