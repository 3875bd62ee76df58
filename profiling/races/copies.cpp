#include "profiling/races/copies.h"

#include <algorithm>
#include <tuple>

namespace lanescope::races {

void Copies::add(const Copy& copy, By by) {
  words_[copy.word].push_back(copy);
  Thread& t = threads_[copy.thread];
  t.copies.push_back({copy, by, t.groups[static_cast<std::size_t>(by)]});
}

void Copies::add_to_object(const Copy& copy, std::uint64_t object) {
  words_[copy.word].push_back(copy);
  objects_[object].push_back(copy);
}

void Copies::commit(std::uint64_t thread, By by) { ++threads_[thread].groups[static_cast<std::size_t>(by)]; }

bool Copies::end(const Copy& copy) {
  const auto at = words_.find(copy.word);
  if (at == words_.end()) return false;
  const auto same = [&](const Copy& c) {
    return c.step == copy.step && c.block == copy.block && c.warp == copy.warp && c.lane == copy.lane &&
           c.touch == copy.touch && c.bytes == copy.bytes;
  };
  const auto found = std::ranges::find_if(at->second, same);
  if (found == at->second.end()) return false;
  at->second.erase(found);
  if (at->second.empty()) words_.erase(at);
  return true;
}

std::vector<Copy> Copies::wait(std::uint64_t thread, By by, std::uint64_t kept, bool uncommitted, bool reads_only) {
  std::vector<Copy> done;
  const auto at = threads_.find(thread);
  if (at == threads_.end()) return done;
  Thread& t = at->second;
  const std::uint64_t committed = t.groups[static_cast<std::size_t>(by)];
  std::erase_if(t.copies, [&](const Waiting& w) {
    const bool over = w.by == by && ((uncommitted && w.group >= committed) || w.group + kept < committed);
    if (!over || (reads_only && writes(w.copy.touch))) return false;
    if (end(w.copy)) done.push_back(w.copy);
    return true;
  });
  return done;
}

std::vector<Copies::Done> Copies::attach(std::uint64_t thread, std::uint64_t object) {
  std::vector<Done> done;
  const auto at = threads_.find(thread);
  if (at == threads_.end()) return done;
  for (Waiting& w : at->second.copies) {
    if (w.by != By::group) continue;
    if (w.done.before != 0) {
      if (done.empty() || done.back().agent != w.done.agent || done.back().before != w.done.before)
        done.push_back(w.done);
      continue;
    }
    w.copy.object = object;
    objects_[object].push_back(w.copy);
  }
  return done;
}

std::vector<Copy> Copies::phase_over(std::uint64_t object, Done what) {
  std::vector<Copy> done;
  const auto at = objects_.find(object);
  if (at == objects_.end()) return done;
  for (const Copy& c : at->second) {
    if (!end(c)) continue;
    done.push_back(c);
    if (const auto thread = threads_.find(c.thread); thread != threads_.end())
      for (Waiting& w : thread->second.copies)
        if (w.copy.step == c.step && w.copy.word == c.word && w.copy.touch == c.touch) w.done = what;
  }
  objects_.erase(at);
  return done;
}

namespace {

bool is_in(const Copy& c, std::uint32_t block) {
  return c.word >> 63 != 0 && static_cast<std::uint32_t>(c.word >> 30) == block;
}

}  // namespace

std::vector<Copy> Copies::into_block(std::uint32_t block) const {
  std::vector<Copy> out;
  for (const auto& [word, copies] : words_)
    for (const Copy& c : copies)
      if (c.block != block && is_in(c, block)) out.push_back(c);
  std::ranges::sort(out, {}, [](const Copy& c) { return std::tuple(c.step, c.block, c.warp, c.lane, c.word); });
  return out;
}

std::vector<Copy> Copies::end_block(std::uint32_t block) {
  std::vector<Copy> unwaited;
  for (auto at = words_.begin(); at != words_.end();) {
    // A copy to another block continues.
    std::erase_if(at->second, [&](const Copy& c) {
      const bool global = c.word >> 63 == 0;
      const bool over = is_in(c, block) || (c.block == block && (global || c.object == Copy::none));
      if (over && global) unwaited.push_back(c);
      return over;
    });
    at = at->second.empty() ? words_.erase(at) : std::next(at);
  }
  std::ranges::sort(unwaited, {}, [](const Copy& c) { return std::tuple(c.step, c.warp, c.lane, c.word); });
  return unwaited;
}

}  // namespace lanescope::races
