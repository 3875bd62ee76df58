#include "kernels/compile/calls/answer_cache.h"

#include <cstdlib>

namespace lanescope::compile {

std::filesystem::path cache_place() {
  namespace fs = std::filesystem;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "lanescope";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "lanescope" : fs::path();
}

}  // namespace lanescope::compile
