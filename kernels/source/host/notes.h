#pragma once
// What a run reports in words, each sentence once.

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "kernels/source/host/host_run.h"

namespace lanescope::source::host {

class Notes {
 public:
  explicit Notes(HostRun& out) : out_(out) {}

  void add(std::string words) {
    if (out_.notes.size() < most && is_first(words)) out_.notes.push_back(std::move(words));
  }
  void assume(Assumption::Code code, int line, std::string value, std::string because) {
    const std::string name = line > 0 ? fmt::format("line {}", line) : std::string();
    if (out_.assumed.size() >= most || !is_first(fmt::format("{} {} {}", name, value, because))) return;
    out_.assumed.push_back(
        {.code = code, .kernel = {}, .name = name, .value = std::move(value), .because = std::move(because)});
  }
  bool is_first(const std::string& key) { return seen_.insert(key).second; }

 private:
  static constexpr std::size_t most = 40;
  HostRun& out_;
  std::set<std::string> seen_;
};

}  // namespace lanescope::source::host
