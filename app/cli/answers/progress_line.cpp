#include "app/cli/answers/progress_line.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "kernels/base/numbers.h"

namespace lanescope::cli {

std::string progress_words(const engine::Progress& progress, double seconds, double stage_seconds) {
  std::string words = progress.stage;
  const auto [steps, blocks, all] = progress.ran;
  if (all > 0) words += fmt::format(": {} of {} block{}", blocks, all, all == 1 ? "" : "s");
  words += fmt::format(", {}", duration_words(seconds));
  if (blocks > 0 && blocks < all)
    words += fmt::format(", about {} left", duration_words(stage_seconds * static_cast<double>(all - blocks) /
                                                           static_cast<double>(blocks)));
  return words;
}

struct ProgressLine::State {
  using Clock = std::chrono::steady_clock;

  explicit State(bool lines) : as_lines(lines) {}

  static double since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

  /// Under the lock.
  void paint() {
    const std::string words = progress_words(now, since(begun), since(stage_begun));
    std::fputs(
        as_lines ? fmt::format("lanescope: {}\n", words).c_str() : fmt::format("\r\033[Klanescope: {}", words).c_str(),
        stderr);
    painted = true;
  }

  void work() {
    std::unique_lock lock(mutex);
    while (!over) {
      changed.wait_for(lock, every, [&] { return over; });
      if (!over && !now.stage.empty() && (as_lines || Clock::now() - begun >= deadline)) paint();
    }
  }

  static constexpr auto deadline = std::chrono::seconds(1);
  const bool as_lines;
  const std::chrono::milliseconds every{as_lines ? 1000 : 250};
  std::mutex mutex;
  std::condition_variable changed;
  engine::Progress now;
  Clock::time_point begun = Clock::now(), stage_begun = begun;
  bool over = false, painted = false;
  std::thread thread;
};

ProgressLine::ProgressLine(bool as_lines) : state_(std::make_unique<State>(as_lines)) {
  state_->thread = std::thread([s = state_.get()] { s->work(); });
}

ProgressLine::~ProgressLine() {
  end();
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
  }
  state_->changed.notify_all();
  state_->thread.join();
}

void ProgressLine::show(const engine::Progress& progress) {
  if (progress.stage.empty()) return end();
  const std::lock_guard lock(state_->mutex);
  State& s = *state_;
  if (s.now.stage.empty()) s.begun = State::Clock::now();
  const bool next = s.now.stage != progress.stage;
  if (next) s.stage_begun = State::Clock::now();
  s.now = progress;
  if (next && s.as_lines) s.paint();
}

void ProgressLine::end() {
  const std::lock_guard lock(state_->mutex);
  if (state_->painted && !state_->as_lines) std::fputs("\r\033[K", stderr);
  state_->painted = false;
  state_->now = {};
}

std::shared_ptr<ProgressLine> progress_line(bool requested) {
  if (requested) return std::make_shared<ProgressLine>(true);
  return ::isatty(STDERR_FILENO) != 0 ? std::make_shared<ProgressLine>(false) : nullptr;
}

}  // namespace lanescope::cli
