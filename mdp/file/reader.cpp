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

enum class Format { unknown, json, xml, hdf5 };

constexpr const char* known_endings = ".json, .xml and .h5";

Format format_of_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".json") return Format::json;
  if (ending == ".xml") return Format::xml;
  if (ending == ".h5") return Format::hdf5;
  return Format::unknown;
}

/// The format by the first bytes that are not white space.
Format format_of_content(const std::filesystem::path& path) {
  const std::string bytes = read_beginning(path, 256);
  std::string_view beginning = bytes;
  if (beginning.starts_with("\x89HDF\r\n\x1a\n")) return Format::hdf5;
  if (beginning.starts_with("\xEF\xBB\xBF")) beginning.remove_prefix(3);
  beginning = trimmed(beginning);
  if (beginning.starts_with('{')) return Format::json;
  if (beginning.starts_with('<')) return Format::xml;
  return Format::unknown;
}

[[noreturn]] void refuse_ending(const std::filesystem::path& path) {
  throw input_error(errors::process_ending_unknown, path.string(), known_endings);
}

/// Reads a process without applying target and discount of `options`.
template <class Real>
DecisionProcess<Real> read_one_file(const std::filesystem::path& path, Format format,
                                    const ReadOptions& options, Progress& progress) {
  if (format == Format::hdf5) return read_hdf5_process<Real>(path, options, progress);
  ByteStream bytes(path, progress);
  if (format == Format::json) return read_json_process<Real>(bytes, options);
  if (format == Format::xml) return read_xml_process<Real>(bytes, options);
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
  Format format = format_of_ending(path);
  if (format == Format::unknown) format = format_of_content(path);
  DecisionProcess<Real> process = read_one_file<Real>(path, format, options, progress);
  end_in_target(options, path.string(), process);
  apply_discount(options, process);
  return process;
}

void require_writable(const std::filesystem::path& path) {
  if (format_of_ending(path) == Format::unknown) refuse_ending(path);
  const AtomicFile writable(path);
}

template <class Real>
void write_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                   const std::string& history, Progress& progress) {
  switch (format_of_ending(path)) {
    case Format::json:
      return write_json_process(path, process, progress);
    case Format::xml:
      return write_xml_process(path, process, progress);
    case Format::hdf5:
      return write_hdf5_process(path, process, history, progress);
    case Format::unknown:
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
