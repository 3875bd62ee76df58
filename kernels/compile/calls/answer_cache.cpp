#include "kernels/compile/calls/answer_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "kernels/base/listed_words.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/compile/calls/include_names.h"
#include "kernels/source/data/sha256.h"

extern char** environ;

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// Changes with what an entry contains and with what a key covers.
constexpr std::string_view format = "lanescope answer 1\n";
constexpr std::string_view ending = ".answer", unfinished = "new-";

std::string_view as_text(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// The library and what it opens beside itself.
std::string identity_of(const Nvrtc& library) {
  std::string out = library.version_text + '\n';
  std::error_code problem;
  const fs::path real = fs::canonical(library.path, problem);
  std::vector<fs::path> files = {real};
  for (const auto& entry : fs::directory_iterator(real.parent_path(), problem))
    if (entry.path().filename().string().starts_with("libnvrtc")) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    struct stat found {};
    if (::stat(file.c_str(), &found) == 0)
      out += fmt::format("{} {} {} {}.{}\n", file.string(), found.st_ino, found.st_size, found.st_mtim.tv_sec,
                         found.st_mtim.tv_nsec);
  }
  return out;
}

std::string environment() {
  std::vector<std::string> found;
  for (char** e = environ; e != nullptr && *e != nullptr; ++e)
    if (std::string_view(*e).starts_with("NVRTC_")) found.emplace_back(*e);
  std::ranges::sort(found);
  std::string out;
  for (const std::string& variable : found) out += variable + '\n';
  return out;
}

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

/// Entries and what writers left unfinished.
std::vector<Entry> entries_in(const fs::path& folder) {
  std::vector<Entry> out;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
    const std::string name = at->path().filename().string();
    if (!name.ends_with(ending) && !name.starts_with(unfinished)) continue;
    std::error_code gone;
    Entry entry{at->path(), at->file_size(gone), at->last_write_time(gone)};
    if (!gone) out.push_back(std::move(entry));
  }
  return out;
}

/// Down to three quarters of the limit, so that the folder is not read again for each entry.
void thin_out(const fs::path& folder, std::uint64_t most_bytes) {
  std::vector<Entry> entries = entries_in(folder);
  std::uint64_t bytes = 0;
  for (const Entry& e : entries) bytes += e.bytes;
  const auto now = fs::file_time_type::clock::now();
  std::error_code gone;
  for (const Entry& e : entries)  // of a process that was killed while it wrote
    if (e.path.filename().string().starts_with(unfinished) && now - e.used > std::chrono::hours(1))
      fs::remove(e.path, gone), bytes -= e.bytes;
  if (bytes <= most_bytes) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& e : entries) {
    if (bytes <= most_bytes / 4 * 3) return;
    if (e.path.filename().string().starts_with(unfinished)) continue;
    fs::remove(e.path, gone);
    bytes -= e.bytes;
  }
}

/// Answers become programs that run: only a folder that no other user can write into is used.
bool is_own(const fs::path& folder) {
  struct stat found {};
  return ::stat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
         (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool made(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder.parent_path(), problem);
  return (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) && is_own(folder);
}

bool written(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

fs::path path_of(const fs::path& folder, const std::string& key) { return folder / (key + std::string(ending)); }

}  // namespace

CachePlace answer_place() {
  const char* own = std::getenv("LANESCOPE_COMPILE_CACHE");
  const std::string_view wanted = own == nullptr ? "" : own;
  if (wanted == "off") return {{}, "LANESCOPE_COMPILE_CACHE is off"};
  if (!wanted.empty() && wanted.front() != '/') return {{}, "LANESCOPE_COMPILE_CACHE is no absolute path"};
  const fs::path folder = !wanted.empty()         ? fs::path(wanted)
                          : cache_place().empty() ? fs::path()
                                                  : cache_place() / "answers";
  if (folder.empty()) return {{}, "neither XDG_CACHE_HOME nor HOME is an absolute path"};
  std::error_code problem;
  if (fs::exists(folder, problem) && !is_own(folder))
    return {{}, fmt::format("{} is no folder that this user alone can write into", folder.string())};
  return {folder, {}};
}

CacheContents contents_of(const fs::path& folder) {
  CacheContents out;
  for (const Entry& e : entries_in(folder)) {
    ++out.entries;
    out.bytes += e.bytes;
  }
  return out;
}

bool option_is_pure(std::string_view option) {
  // In the order of NVRTC's documentation of its options; with a value after '=' or without one.
  static const auto names = listed_words(
      "--gpu-architecture -arch --device-c -dc --device-w -dw --relocatable-device-code -rdc "
      "--extensible-whole-program -ewp --device-debug -G --generate-line-info -lineinfo --ptxas-options -Xptxas "
      "--maxrregcount -maxrregcount --ftz -ftz --prec-sqrt -prec-sqrt --prec-div -prec-div --fmad -fmad "
      "--use_fast_math -use_fast_math --extra-device-vectorization -extra-device-vectorization --dopt -dopt --std "
      "-std --builtin-move-forward --builtin-initializer-list --disable-warnings -w --restrict -restrict "
      "--device-as-default-execution-space -default-device --device-int128 -device-int128 --optimization-info "
      "-opt-info --display-error-number -err-no --no-display-error-number -no-err-no --diag-error -diag-error "
      "--diag-suppress -diag-suppress --diag-warn -diag-warn --no-cache --include-path");
  if (option.starts_with("-I") || option.starts_with("-D") || option.starts_with("-U")) return true;
  if (option.starts_with("--define-macro=") || option.starts_with("--undefine-macro=")) return true;
  if (option.starts_with("--pre-include=lanescope-")) return true;  // a header given with the call
  const std::string_view name = option.substr(0, option.find('='));
  // Of the assembler what is requested here and what changes code; not what writes files.
  if (name == "--ptxas-options" || name == "-Xptxas") {
    const std::string_view value = option.substr(std::min(option.size(), name.size() + 1));
    for (const std::string_view good : {"-v", "--verbose", "-O0", "-O1", "-O2", "-O3"})
      if (value == good) return true;
    return value.starts_with("-dlcm=") || value.starts_with("-dscm=") || value.starts_with("--def-load-cache=") ||
           value.starts_with("--def-store-cache=") || value.starts_with("--maxrregcount=");
  }
  return one_of(name, names);
}

std::optional<std::string> key_of(const Call& call, const Nvrtc& library) {
  if (!std::ranges::all_of(call.options, option_is_pure)) return std::nullopt;
  const std::optional<std::string> files = state_of_files(call, library);
  if (!files) return std::nullopt;
  Call named = call;
  named.folders.assign(call.folders.size(), std::string());
  named.precompiled.clear();                                                    // makes a call faster and nothing else
  static const std::string& compiler = *new std::string(identity_of(library));  // to the end of every thread
  const Bytes all = packed(named);
  return source::sha256(fmt::format("{}{}{}{}\n{}", format, compiler, environment(), *files, as_text(all)));
}

std::optional<Answer> find_answer(const fs::path& folder, const std::string& key) {
  const fs::path path = path_of(folder, key);
  std::error_code problem;
  if (!is_own(folder) || !fs::exists(path, problem)) return std::nullopt;
  const auto entry = read_file(path.string());
  if (!entry) return std::nullopt;
  // The format, the key, the digest of what follows, and that.
  const std::string head = std::string(format) + key + '\n';
  constexpr std::size_t digest_letters = 64;
  const std::string_view all = *entry;
  if (all.starts_with(head) && all.size() > head.size() + digest_letters) {
    const std::string_view body = all.substr(head.size() + digest_letters);
    if (source::sha256(body) == all.substr(head.size(), digest_letters))
      if (auto answer = unpacked_answer({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()})) {
        fs::last_write_time(path, fs::file_time_type::clock::now(), problem);  // used
        return answer;
      }
  }
  fs::remove(path, problem);
  return std::nullopt;
}

void keep_answer(const fs::path& folder, const std::string& key, const Answer& answer, std::uint64_t most_bytes) {
  const Bytes body = packed(answer);
  if (body.size() > most_bytes / 4 || !made(folder)) return;
  std::string name = (folder / (std::string(unfinished) + "XXXXXX")).string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return;
  const bool whole = written(file, fmt::format("{}{}\n{}", format, key, source::sha256(as_text(body)))) &&
                     written(file, as_text(body));
  std::error_code problem;
  if (::close(file) != 0 || !whole)
    fs::remove(name, problem);
  else if (fs::rename(name, path_of(folder, key), problem); problem)
    fs::remove(name, problem);
  // Other processes write, too: what this one has written says when to look again.
  static std::atomic<std::uint64_t> since_looked = most_cache_bytes;
  if (since_looked.fetch_add(body.size()) + body.size() < most_bytes / 16) return;
  since_looked = 0;
  thin_out(folder, most_bytes);
}

bool is_of_the_text(const Answer& answer) {
  constexpr int compilation_error = 6;  // NVRTC_ERROR_COMPILATION
  if (answer.status == 0) return true;
  if (answer.status != compilation_error || answer.log.empty()) return false;
  for (const std::string_view word :
       {"internal error", "Internal error", "internal compiler error", "out of memory", "Memory allocation",
        "memory allocation", "mapped memory", "assertion failed", "No space left", "Permission denied",
        "could not open", "Loop in catastrophic error"})
    if (answer.log.find(word) != std::string::npos) return false;
  return true;
}

}  // namespace lanescope::compile
