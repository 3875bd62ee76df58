#include "tests/app/handout/browser.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace lanescope {

using nlohmann::json;

namespace {

constexpr std::array programs{"chromium-headless-shell", "chromium", "google-chrome"};
constexpr double deadline_seconds = 60;  // of a machine with much else to do

std::string installed_program() {
  for (const char* program : programs)
    if (std::system(("command -v " + std::string(program) + " > /dev/null").c_str()) == 0) return program;
  return {};
}

}  // namespace

std::unique_ptr<Browser> Browser::start(std::string& why) {
  const std::string program = installed_program();
  if (program.empty()) return why = "no Chromium is installed (scripts/setup.sh --tests)", nullptr;
  std::unique_ptr<Browser> browser(new Browser);
  std::string folder = (std::filesystem::temp_directory_path() / "lanescope_browser_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return why = "no folder could be made", nullptr;
  browser->profile_ = folder;
  // The browser reads commands from descriptor 3 and answers on 4.
  auto process = Process::start(
      {"sh", "-c",
       "exec \"$0\" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run "
       "--remote-debugging-pipe --window-size=1280,800 --user-data-dir=\"$1\" about:blank 3<&0 4>&1 < /dev/null > "
       "/dev/null 2> /dev/null",
       program, folder});
  if (!process) return why = to_string(process.error().front()), nullptr;
  browser->process_ = std::move(*process);
  const json targets = browser->call("Target.getTargets");
  if (browser->lost_) return why = program + " does not answer", nullptr;
  for (const json& target : targets["targetInfos"])
    if (target["type"] == "page")
      browser->session_ =
          browser->call("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}})["sessionId"];
  for (const char* domain : {"Page", "Runtime", "Log", "Network"}) browser->call(std::string(domain) + ".enable");
  return browser;
}

Browser::~Browser() {
  static_cast<void>(process_.end());
  std::error_code ignored;
  for (int n = 0; n < 20 && std::filesystem::exists(profile_, ignored); ++n)
    std::filesystem::remove_all(profile_, ignored);
}

json Browser::message(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const auto zero = std::find(received_.begin(), received_.end(), 0);
    if (zero != received_.end()) {
      json out = json::parse(received_.begin(), zero);
      received_.erase(received_.begin(), zero + 1);
      return out;
    }
    const auto left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
    pollfd wait{process_.output_fd(), POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left * 1000) + 1) <= 0 || !process_.read_some(received_)) {
      lost_ = true;
      return nullptr;
    }
  }
}

void Browser::take_event(const json& event) {
  const std::string method = event.value("method", "");
  if (method == "Page.loadEventFired") loaded_ = true;
  const json parameters = event.value("params", json::object());
  if (method == "Runtime.exceptionThrown") complaints_.push_back(parameters.dump());
  if (method == "Log.entryAdded" && parameters["entry"]["level"] != "info") complaints_.push_back(parameters.dump());
  if (method == "Runtime.consoleAPICalled") complaints_.push_back(parameters.dump());
  if (method == "Network.requestWillBeSent") {
    const std::string url = parameters["request"]["url"];
    if (!url.starts_with("file:") && !url.starts_with("data:")) complaints_.push_back("request for " + url);
  }
}

json Browser::call(const std::string& method, json parameters) {
  if (lost_) return nullptr;
  json request = {{"id", ++number_}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) request["sessionId"] = session_;
  const std::string text = request.dump();
  Bytes bytes(text.begin(), text.end());
  bytes.push_back(0);
  for (std::span<const std::uint8_t> rest(bytes); !rest.empty();) {
    const std::ptrdiff_t written = process_.write_some(rest);
    if (written < 0) return lost_ = true, nullptr;
    rest = rest.subspan(static_cast<std::size_t>(written));
    pollfd wait{process_.input_fd(), POLLOUT, 0};
    if (!rest.empty()) poll(&wait, 1, 1000);
  }
  while (!lost_) {
    json answer = message(deadline_seconds);
    if (answer.value("id", 0) != number_) {
      take_event(answer.is_null() ? json::object() : answer);
      continue;
    }
    if (answer.contains("error")) ADD_FAILURE() << method << ": " << answer["error"].dump();
    return answer.value("result", json::object());
  }
  ADD_FAILURE() << "the browser is lost at " << method;
  return nullptr;
}

void Browser::open(const std::string& file) {
  complaints_.clear(), loaded_ = false;
  call("Page.navigate", {{"url", "file://" + file}});
  while (!loaded_ && !lost_) take_event(message(deadline_seconds));
  EXPECT_TRUE(loaded_) << file;
}

json Browser::value(const std::string& expression) {
  const json result = call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (result.is_null()) return nullptr;
  if (result.contains("exceptionDetails")) ADD_FAILURE() << expression << "\n" << result["exceptionDetails"].dump();
  return result["result"].value("value", json());
}

void Browser::key(const std::string& name) {
  for (const char* type : {"keyDown", "keyUp"}) call("Input.dispatchKeyEvent", {{"type", type}, {"key", name}});
}

void Browser::move_mouse(double x, double y) {
  call("Input.dispatchMouseEvent", {{"type", "mouseMoved"}, {"x", x}, {"y", y}});
}

void Browser::resize(int width, int height) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
}

}  // namespace lanescope
