#include "kernels/emulator/machine/device_runtime.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/error_texts.h"
#include "kernels/emulator/machine/program.h"
#include "kernels/emulator/machine/schedule.h"

namespace lanescope::emulator {

void add_runtime_stores(const Program& program, AddressSpace& global) {
  if (!program.launches) return;
  global.stores.push_back({.name = "the parameters of a launch", .base = launch_parameters_address});
  Store texts{.name = "the texts of errors", .base = error_texts_address, .writable = false};
  for (const ErrorText& e : error_texts)
    for (const std::string_view text : {e.name, e.words}) {
      const std::size_t at = texts.own.size();
      texts.own.resize(at + error_text_bytes);
      std::memcpy(texts.own.data() + at, text.data(), text.size());
    }
  texts.bytes = texts.own.size();
  global.stores.push_back(std::move(texts));
}

std::vector<std::size_t> order_of_launches(const DeviceRuntime& runtime, u64 seed) {
  using Order = trace::DeviceLaunch::Order;
  const std::vector<trace::DeviceLaunch>& all = runtime.launched;
  std::vector<std::size_t> out, tail;
  // Queues in the order of their first launch; a launch that is ordered after nothing is a queue of its own.
  std::vector<std::vector<std::size_t>> queues;
  std::map<std::tuple<u32, u64, u32>, std::size_t> queue_of;
  const bool as_made = seed == 1 || runtime.uses_events;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const trace::DeviceLaunch& l = all[i];
    if (l.order == Order::tail) {
      tail.push_back(i);
    } else if (as_made) {
      out.push_back(i);
    } else if (l.order == Order::fire_and_forget) {
      queues.push_back({i});
    } else {
      const u32 thread = l.stream == stream_per_thread ? l.thread + 1 : 0;
      const auto [at, fresh] = queue_of.try_emplace({l.where.block, l.stream, thread}, queues.size());
      if (fresh) queues.emplace_back();
      queues[at->second].push_back(i);
    }
  }
  std::size_t left = all.size() - tail.size() - out.size();
  for (auto& q : queues) std::ranges::reverse(q);
  for (u64 n = 0; left > 0; --left, ++n) {
    const auto chosen = static_cast<std::size_t>(block_in_order(n % queues.size(), queues.size(), seed + n));
    out.push_back(queues[chosen].back());
    queues[chosen].pop_back();
    if (queues[chosen].empty()) queues.erase(queues.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  out.insert(out.end(), tail.begin(), tail.end());
  return out;
}

}  // namespace lanescope::emulator
