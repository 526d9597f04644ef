#include "output/version.h"

namespace tidewise {

std::string_view version() { return TIDEWISE_VERSION; }

}  // namespace tidewise
