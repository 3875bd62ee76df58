#include "tests/gpu/machine.h"
#include "tests/shell_word.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace lanescope::gpu_test {
namespace {

constexpr const char* self = "/proc/self/exe";

std::string own_path() {
  std::error_code ignored;
  return std::filesystem::read_symlink(self, ignored).string();
}

std::string first_words(const Diagnostics& d) { return d.empty() ? "no reason given" : to_string(d.front()); }

/// Output of a child of this program, first line, with its exit status.
std::pair<int, std::string> ask_child(const std::string& argument) {
  const std::string command = fmt::format("{} {}", shell_word(own_path()), argument);
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return {1, "the test program cannot start itself"};
  std::array<char, 1024> line{};
  std::string words = std::fgets(line.data(), line.size(), pipe) ? line.data() : "";
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return {::pclose(pipe), words};
}

std::string now() {
  const auto t = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(t));
}

/// Indented down to the rows of tables, which get a line each: small files that read well and differ by rows.
std::string text_of(const nlohmann::ordered_json& results) {
  std::string text = "{";
  const char* comma = "";
  for (const auto& [key, value] : results.items()) {
    text += fmt::format("{}\n{}: ", comma, nlohmann::ordered_json(key).dump());
    comma = ",";
    if (!value.is_array() && !(value.is_object() && value.size() > 6)) {
      text += value.dump();
      continue;
    }
    const char* between = "";
    text += value.is_array() ? "[" : "{";
    for (const auto& [name, row] : value.items()) {
      text += fmt::format("{}\n  {}{}", between, value.is_array() ? "" : nlohmann::ordered_json(name).dump() + ": ",
                          row.dump());
      between = ",";
    }
    text += value.is_array() ? "]" : "}";
  }
  return text + "\n}\n";
}

std::string driver_words(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

std::string no_gpu() {
  const auto all = gpu::devices();
  return all ? "" : "SKIPPED, needs a GPU: " + first_words(all.error());
}

std::string no_counters(cupti::What what) {
  static std::map<cupti::What, std::pair<int, std::string>> answers;
  if (!answers.count(what)) answers[what] = ask_child(fmt::format("{}{}", readiness_argument, static_cast<int>(what)));
  const auto& [status, words] = answers[what];
  return status == 0 ? "" : fmt::format("SKIPPED, needs {}: {}", cupti::what_name(what), words);
}

std::vector<std::string> measure_command() { return {own_path(), measure_argument}; }

const gpu::DeviceInfo& device() {
  static const gpu::DeviceInfo first = gpu::devices()->front();
  return first;
}

Expected<cupti::Measurement> measure_apart(const cupti::Request& request) {
  return cupti::measure_in_child(measure_command(), request, std::chrono::seconds(240));
}

std::uint64_t seed() {
  const char* chosen = std::getenv("LANESCOPE_GPU_SEED");
  return chosen && *chosen ? std::strtoull(chosen, nullptr, 10) : 20261120;
}

void write_results(const std::string& name, nlohmann::ordered_json results) {
  const char* folder = std::getenv("LANESCOPE_GPU_RESULTS");
  if (!folder || !*folder) return;
  const gpu::DeviceInfo& d = device();
  nlohmann::ordered_json out{{"date", now()},
                             {"command", "tests/gpu/run.sh"},
                             {"machine",
                              {{"gpu", d.name},
                               {"arch", d.arch()},
                               {"multiprocessors", d.multiprocessors},
                               {"driver_supports_cuda", driver_words(d.driver_version)}}}};
  out.update(results);
  std::filesystem::create_directories(folder);
  const std::string path = fmt::format("{}/{}.json", folder, name);
  std::ofstream(path + ".new") << text_of(out);
  std::filesystem::rename(path + ".new", path);
}

nlohmann::ordered_json results_of_today(const std::string& name) {
  const char* folder = std::getenv("LANESCOPE_GPU_RESULTS");
  if (!folder || !*folder) return nlohmann::ordered_json::object();
  std::ifstream file(fmt::format("{}/{}.json", folder, name));
  const auto before = nlohmann::ordered_json::parse(file, nullptr, false);
  const bool ours = before.is_object() && before.value("date", "") == now() && before.contains("machine") &&
                    before["machine"].value("gpu", "") == device().name;
  return ours ? before : nlohmann::ordered_json::object();
}

}  // namespace lanescope::gpu_test
