#include "kernels/compile/calls/answer_cache.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "kernels/compile/calls/nvrtc_library.h"
#include "kernels/compile/calls/workers.h"

namespace lanescope::compile {
namespace {

struct Fresh {
  std::filesystem::path folder;
  std::string key;
  Call call;
  Answer answer;
};

/// Puts answers on disk on a thread of its own: the caller has them already.
class Keeper {
 public:
  ~Keeper() {
    {
      const std::lock_guard guard(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  void keep(Fresh fresh) {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    changed_.wait(lock, [&] { return waiting_.size() < most_waiting; });
    waiting_.push_back(std::move(fresh));
    changed_.notify_all();
  }

  /// Until the answer to this key is on disk, if it is on its way there.
  void finish(const std::string& key) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return std::ranges::find(waiting_, key, &Fresh::key) == waiting_.end(); });
  }
  void finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.empty(); });
  }

 private:
  static constexpr std::size_t most_waiting = 16;

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const Fresh& fresh = waiting_.front();  // stays where it is while others come after it
      lock.unlock();
      // A header that was edited meanwhile: the answer may be of either text.
      if (key_of(fresh.call, nvrtc()) == fresh.key) keep_answer(fresh.folder, fresh.key, fresh.answer);
      lock.lock();
      waiting_.pop_front();
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Fresh> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

Keeper& keeper() {
  static Keeper out;
  return out;
}

}  // namespace

Answer answer_of(const Call& call, bool cached, std::size_t worker) {
  const std::filesystem::path folder = cached ? answer_place().folder : std::filesystem::path();
  const std::optional<std::string> key = folder.empty() ? std::nullopt : key_of(call, nvrtc());
  if (key) {
    keeper().finish(*key);
    if (std::optional<Answer> found = find_answer(folder, *key)) return std::move(*found);
  }
  std::optional<Answer> other = answer_of_worker(call, worker);
  Answer out = other ? std::move(*other) : call_here(call);
  if (key && is_of_the_text(out)) keeper().keep({folder, *key, call, out});
  return out;
}

void finish_keeping() { keeper().finish(); }

}  // namespace lanescope::compile
