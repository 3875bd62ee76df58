#pragma once
// A browser without a window, driven through a pipe (DevTools protocol). One is started for all tests of a process.

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/process.h"

namespace lanescope {

class Browser {
 public:
  /// nullptr: none of the programs is installed, or it does not answer; `why` then says which.
  static std::unique_ptr<Browser> start(std::string& why);
  ~Browser();

  void open(const std::string& file);
  /// The value of an expression; an exception is a failure of the test.
  nlohmann::json value(const std::string& expression);
  nlohmann::json call(const std::string& method, nlohmann::json parameters = nlohmann::json::object());
  void key(const std::string& name);
  void move_mouse(double x, double y);
  void resize(int width, int height);

  /// Errors and warnings on the console, exceptions, and requests for anything but files, since the last open().
  std::vector<std::string> complaints() const { return complaints_; }

 private:
  Browser() = default;
  nlohmann::json message(double seconds);
  void take_event(const nlohmann::json& event);

  Process process_;
  Bytes received_;
  std::string session_, profile_;
  int number_ = 0;
  bool loaded_ = false, lost_ = false;
  std::vector<std::string> complaints_;
};

}  // namespace lanescope
