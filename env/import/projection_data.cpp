#include "env/import/projection_data.h"

#include <proj.h>

namespace tidewise::ingest {

void set_projection_folders(const std::vector<std::string>& folders) {
  std::vector<const char*> names;
  names.reserve(folders.size());
  for (const std::string& folder : folders) names.push_back(folder.c_str());
  // Sets the default context, which all later contexts copy.
  proj_context_set_search_paths(nullptr, static_cast<int>(names.size()), names.data());
}

}  // namespace tidewise::ingest
