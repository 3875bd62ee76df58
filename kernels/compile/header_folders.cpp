#include "kernels/compile/compile_options.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "kernels/base/text.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_remembered = 64, most_found = 32;

struct Memory {
  std::mutex mutex;
  std::map<std::string, std::vector<options::FoundHeader>> found;
};
Memory& header_memory() {
  static Memory memory;
  return memory;
}

std::string include_lines(const std::string& text) {
  std::string out;
  for (const std::string_view line : split_lines(text))
    if (without_indent(line).starts_with('#') && line.find("include") != std::string_view::npos)
      out += std::string(line) + '\n';
  return out;
}

}  // namespace

HeaderFolders::HeaderFolders(std::string file, const std::string& text, std::vector<options::FoundHeader> found)
    : file_(std::move(file)), key_(file_ + '\n' + include_lines(text)), found_(std::move(found)) {
  Memory& memory = header_memory();
  const std::lock_guard lock(memory.mutex);
  const auto known = memory.found.find(key_);
  if (known == memory.found.end()) return;
  std::error_code problem;
  const bool holds = std::ranges::all_of(
      known->second, [&](const options::FoundHeader& f) { return fs::is_regular_file(f.folder / f.name, problem); });
  if (!holds) {
    memory.found.erase(known);
    return;
  }
  for (const options::FoundHeader& f : known->second)
    if (std::ranges::find(found_, f.name, &options::FoundHeader::name) == found_.end()) found_.push_back(f);
}

std::vector<std::string> HeaderFolders::folders() const {
  std::vector<std::string> out;
  for (const options::FoundHeader& f : found_)
    if (std::ranges::find(out, f.folder.string()) == out.end()) out.push_back(f.folder.string());
  return out;
}

bool HeaderFolders::look_for(const std::vector<CompileLog::MissingHeader>& missing) {
  bool more = false;
  for (const CompileLog::MissingHeader& m : missing) {
    if (found_.size() >= most_found) break;
    auto found = options::find_header_near(file_, m.name);
    if (!found && m.includer != file_) found = options::find_header_near(m.includer, m.name);
    if (!found || std::ranges::find(found_, found->name, &options::FoundHeader::name) != found_.end()) continue;
    found_.push_back(std::move(*found));
    more = true;
  }
  if (more) remember();
  return more;
}

void HeaderFolders::remember() const {
  Memory& memory = header_memory();
  const std::lock_guard lock(memory.mutex);
  if (memory.found.size() >= most_remembered) memory.found.clear();
  memory.found[key_] = found_;
}

}  // namespace lanescope::compile
