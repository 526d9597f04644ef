#include "env/import/file/cell_methods.h"

#include <algorithm>
#include <sstream>

#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// Removes comments in brackets, and adds a space after each colon.
std::string in_words(const std::string& cell_methods) {
  std::string words;
  int depth = 0;
  for (const char one : lower_case(cell_methods)) {
    if (one == '(') ++depth;
    if (depth == 0) words += one;
    if (depth == 0 && one == ':') words += ' ';
    if (one == ')' && depth > 0) --depth;
  }
  return words;
}

}  // namespace

std::optional<CellMethod> cell_method_along(const std::string& cell_methods,
                                            const std::vector<std::string>& names) {
  std::istringstream words(in_words(cell_methods));
  std::optional<CellMethod> found;
  bool is_ours = false;      // one of the names before the method
  bool is_in_names = false;  // before the method
  bool awaits_method = false;
  for (std::string word; words >> word;) {
    if (word.back() == ':') {
      word.pop_back();
      is_ours =
          (is_in_names && is_ours) || std::find(names.begin(), names.end(), word) != names.end();
      is_in_names = awaits_method = true;
      continue;
    }
    is_in_names = false;
    if (is_ours && awaits_method) found = CellMethod{word};
    if (is_ours && (word == "within" || word == "over")) found->is_climatology = true;
    awaits_method = false;
  }
  return found;
}

}  // namespace tidewise::ingest
