#pragma once
// Answers of NVRTC on disk: a call that any process of this user has made is not compiled again.
//
// The key of an answer covers
//   the call                 text, name, given headers, expressions, options; where folders lie does not count
//   the files it may read    may_read.h
//   the compiler             the files of the library by their size and times, its version, the environment variables NVRTC_*
//
// Not kept: a call whose files cannot be known, one with an option that is not known to be one of the language and of
// code (option_is_pure), one whose files changed meanwhile, and an error that is not of the text (no memory, an
// internal error).
//
// An entry is a file of its own, named by its key: written under another name and renamed, so that a reader sees a
// whole one or none; with a digest, so that a damaged one is found, removed and made again. If the folder exceeds its
// limit, the least recently used entries are removed.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "kernels/compile/calls/call.h"
#include "kernels/compile/calls/nvrtc_library.h"

namespace lanescope::compile {

inline constexpr std::uint64_t most_cache_bytes = std::uint64_t{256} << 20;

/// LANESCOPE_COMPILE_CACHE: a folder (an absolute name), or "off". Else "answers" in the user's cache.
struct CachePlace {
  std::filesystem::path folder;  ///< empty: nothing is kept
  std::string reason;            ///< why nothing is
};
CachePlace answer_place();

struct CacheContents {
  std::uint64_t entries = 0, bytes = 0;
};
CacheContents contents_of(const std::filesystem::path& folder);

/// Nothing: the answer must not be kept.
std::optional<std::string> key_of(const Call& call, const Nvrtc& library);
/// Nothing: there is none, or it was damaged and has been removed.
std::optional<Answer> find_answer(const std::filesystem::path& folder, const std::string& key);
/// Where it cannot be written, nothing happens. `most_bytes`: of all entries.
void keep_answer(const std::filesystem::path& folder, const std::string& key, const Answer& answer,
                 std::uint64_t most_bytes = most_cache_bytes);
/// Whether the same call would have the same answer another time.
bool is_of_the_text(const Answer& answer);

/// The option neither reads nor writes files (but -I), and its output contains no times.
bool option_is_pure(std::string_view option);

// Where a call of NVRTC is answered.

/// From the cache, else by the compiler, in a worker where there are any. `cached` false: the cache is neither read nor
/// written. `worker`: the one that calls like this one have had.
Answer answer_of(const Call& call, bool cached, std::size_t worker);

/// Waits until the answers so far are on disk. They are written after they were given, on a thread of its own that ends
/// with the process; a process that is killed meanwhile loses the last ones.
void finish_keeping();

/// The user's cache of this program, $XDG_CACHE_HOME/lanescope or ~/.cache/lanescope; empty: there is no place.
std::filesystem::path cache_place();

}  // namespace lanescope::compile
