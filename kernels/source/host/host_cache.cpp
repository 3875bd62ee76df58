#include "kernels/source/host/host_cache.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>

namespace lanescope::source {
namespace {

struct Cached {
  std::string key;
  HostRun run;
  std::size_t bytes = 0;
};

struct HostCache {
  std::mutex mutex;
  std::deque<Cached> runs;  ///< the latest first
  std::size_t hits = 0;
};

HostCache& host_cache() {
  static HostCache cache;
  return cache;
}

std::string key_of(const Lexed& lexed, const Outline& outline) {
  std::string key;
  key.reserve(lexed.text.size() + 8 * static_cast<std::size_t>(lexed.count()));
  std::vector<bool> skipped(static_cast<std::size_t>(lexed.count()));
  for (const FunctionRange& f : outline.functions)
    for (int i = f.open + 1; f.info.is_kernel && i < f.close; ++i) skipped[static_cast<std::size_t>(i)] = true;
  const auto add = [&](std::string_view word, int line) {
    key += word;
    key += '\n';
    for (unsigned rest = static_cast<unsigned>(line); rest != 0; rest >>= 7) key += static_cast<char>(rest & 0x7f);
    key += '\0';
  };
  for (int i = 0; i < lexed.count(); ++i)
    if (!skipped[static_cast<std::size_t>(i)]) add(lexed.of(i), lexed.token(i).line);
  for (const Directive& d : lexed.directives) add(lexed.text.substr(d.offset, d.length), -1);
  if (lexed.option_macros != nullptr)
    for (const std::string& definition : *lexed.option_macros) add(definition, -1);
  return key;
}

std::size_t bytes_of(const HostRun& run) {
  std::size_t bytes = 0;
  for (const HostBuffer& b : run.buffers) bytes += b.contents ? b.contents->size() : 0;
  for (const HostChange& c : run.changes) bytes += c.contents ? c.contents->size() : 0;
  return bytes;
}

}  // namespace

HostRun cached_host_run(const Lexed& lexed, const Outline& outline, const std::vector<std::string>& command_line) {
  std::string key = key_of(lexed, outline);
  for (const std::string& word : command_line) key += '\1' + word;
  HostCache& cache = host_cache();
  {
    const std::lock_guard lock(cache.mutex);
    const auto known = std::ranges::find(cache.runs, key, &Cached::key);
    if (known != cache.runs.end()) {
      ++cache.hits;
      std::rotate(cache.runs.begin(), known, known + 1);
      return cache.runs.front().run;
    }
  }
  HostRun run = run_host(lexed, outline, {}, command_line);
  const std::size_t bytes = bytes_of(run);
  if (bytes > most_cached_bytes) return run;
  const std::lock_guard lock(cache.mutex);
  cache.runs.push_front({std::move(key), run, bytes});
  std::size_t all = 0;
  for (const Cached& c : cache.runs) all += c.bytes;
  while (cache.runs.size() > most_cached_runs || all > most_cached_bytes) {
    all -= cache.runs.back().bytes;
    cache.runs.pop_back();
  }
  return run;
}

std::size_t host_cache_hits() {
  HostCache& cache = host_cache();
  const std::lock_guard lock(cache.mutex);
  return cache.hits;
}

}  // namespace lanescope::source
