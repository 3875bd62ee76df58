#include "app/gui/model/navigation.h"

#include <algorithm>

namespace lanescope::gui {
namespace {

using results::RegisterArray;
using results::Summary;

bool holds(const RegisterArray& family, const source::NamedLocal& local) {
  if (family.function != local.function) return false;
  return std::any_of(family.registers.begin(), family.registers.end(), [&](const std::string& name) {
    return name == local.name || name.starts_with(local.name + ".") || name.starts_with(local.name + "[");
  });
}

class Choice {
 public:
  Choice(const Summary& summary, const source::LineNames& names, const views::Selection& selection)
      : summary_(summary), names_(names), selection_(selection) {}

  ShownRegisters run() {
    around_claim();
    add(selection_.family);
    if (selection_.family >= 0) shown_.assignment = selection_.family;
    add_named(names_at(selection_.line));
    add_named(names_at(inner_line()));
    std::stable_partition(shown_.families.begin(), shown_.families.end(), [&](int f) { return !is_single(f); });
    return std::move(shown_);
  }

 private:
  const RegisterArray& family(int number) const { return summary_.families[static_cast<std::size_t>(number)]; }
  int count() const { return static_cast<int>(summary_.families.size()); }
  bool is_single(int number) const { return family(number).registers.size() < 2 && !is_claimed(number); }
  bool is_claimed(int number) const {
    return std::any_of(summary_.claims.begin(), summary_.claims.end(),
                       [&](const results::ClaimInfo& c) { return c.claim.variable == family(number).name; });
  }

  bool shows(int number) const {
    return std::find(shown_.families.begin(), shown_.families.end(), number) != shown_.families.end();
  }
  void add(int number) {
    if (number >= 0 && number < count() && !shows(number)) shown_.families.push_back(number);
  }

  /// The array that the nearest claim at or above the line names, and after it the one that has been written from it
  /// since. Without claims the last array above the line; without arrays nothing.
  void around_claim() {
    const int line = selection_.line;
    const results::ClaimInfo* nearest = nullptr;
    for (const results::ClaimInfo& c : summary_.claims)
      if (c.claim.first_line <= line || nearest == nullptr) nearest = &c;
    int claimed = -1, last_array = -1;
    for (int i = 0; i < count(); ++i) {
      if (nearest != nullptr && family(i).name == nearest->claim.variable) claimed = i;
      if (family(i).registers.size() > 1 && (last_array < 0 || family(i).first_line <= line)) last_array = i;
    }
    const bool made_since = claimed < 0 || (last_array >= 0 && family(last_array).first_line <= line &&
                                            family(last_array).first_line > nearest->claim.last_line);
    add(claimed);
    if (made_since) add(last_array);
    if (shown_.families.empty() && !names_.contains(line)) add(0);
    if (!shown_.families.empty()) shown_.assignment = shown_.families.back();
  }

  const std::vector<source::NamedLocal>& names_at(int line) const {
    static const std::vector<source::NamedLocal> none;
    const auto found = names_.find(line);
    return found == names_.end() ? none : found->second;
  }

  /// Of the function of the user's that is inlined at the step; 0: none.
  int inner_line() const {
    const auto mark = std::lower_bound(
        summary_.timeline.begin(), summary_.timeline.end(), selection_.step,
        [](const results::TimelineMark& m, std::int64_t step) { return static_cast<std::int64_t>(m.step) < step; });
    if (mark == summary_.timeline.end() || mark->step != selection_.step || mark->line != selection_.line) return 0;
    const bool known = mark->pc >= 0 && static_cast<std::size_t>(mark->pc) < summary_.code.size();
    return known ? summary_.code[static_cast<std::size_t>(mark->pc)].inner_line : 0;
  }

  void add_named(const std::vector<source::NamedLocal>& locals) {
    for (const bool written : {true, false})
      for (const source::NamedLocal& local : locals) {
        if (local.written != written) continue;
        const int number = family_of(local);
        add(number);
        if (written && number >= 0 && is_claimed(number)) shown_.assignment = number;
      }
    if (shown_.assignment < 0 && !shown_.families.empty()) shown_.assignment = shown_.families.front();
  }

  /// One that is shown already, else the one declared there (names may be declared twice), else the largest.
  int family_of(const source::NamedLocal& local) const {
    int best = -1;
    for (int i = 0; i < count(); ++i) {
      if (!holds(family(i), local)) continue;
      const bool single = family(i).registers.size() < 2;
      if (single && family(i).first_line != local.declared_line) continue;
      if (shows(i)) return i;
      if (best < 0 || family(i).registers.size() > family(best).registers.size()) best = i;
    }
    return best;
  }

  const Summary& summary_;
  const source::LineNames& names_;
  const views::Selection& selection_;
  ShownRegisters shown_;
};

}  // namespace

ShownRegisters registers_to_show(const Summary& summary, const source::LineNames& names,
                                 const views::Selection& selection) {
  return Choice(summary, names, selection).run();
}

}  // namespace lanescope::gui
