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
  for (const char letter : lower_case(cell_methods)) {
    if (letter == '(') ++depth;
    if (depth == 0) words += letter;
    if (depth == 0 && letter == ':') words += ' ';
    if (letter == ')' && depth > 0) --depth;
  }
  return words;
}

}  // namespace

std::optional<CellMethod> cell_method_along(const std::string& cell_methods,
                                            const std::vector<std::string>& names) {
  std::istringstream words(in_words(cell_methods));
  std::optional<CellMethod> method;
  bool names_match = false;  // one of the words before the method is one of `names`
  bool is_in_names = false;  // the last word was one of those before a method
  bool awaits_method = false;
  for (std::string word; words >> word;) {
    if (word.back() == ':') {
      word.pop_back();
      names_match = (is_in_names && names_match) ||
                    std::find(names.begin(), names.end(), word) != names.end();
      is_in_names = awaits_method = true;
      continue;
    }
    is_in_names = false;
    if (names_match && awaits_method) method = CellMethod{word};
    if (names_match && (word == "within" || word == "over")) method->is_climatology = true;
    awaits_method = false;
  }
  return method;
}

}  // namespace tidewise::ingest
