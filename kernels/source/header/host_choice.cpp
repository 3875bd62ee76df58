#include "kernels/source/header/host_choice.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

std::string without_spaces(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_blank(c)) out += c;
  return out;
}

const FunctionRange* kernel_of(const Outline& outline, std::string_view instance) {
  for (const FunctionRange& f : outline.functions)
    if (f.info.is_kernel && f.info.name == kernel_name(instance)) return &f;
  return nullptr;
}

std::uint64_t threads_of(const HostLaunch& l) {
  std::uint64_t out = 1;
  for (const auto& e : {l.grid, l.block})
    for (std::size_t i = 0; i < 3 && e; ++i) out = std::min<std::uint64_t>(out * (*e)[i], std::uint64_t{1} << 62);
  return out;
}

/// Buffers that a launch is given, and those of them that the kernel can write.
void buffers_of(const HostLaunch& l, const Outline& outline, std::set<int>& taken, std::set<int>& written) {
  const FunctionRange* f = kernel_called(outline, l.kernel, l.arguments.size());
  for (std::size_t i = 0; i < l.arguments.size(); ++i) {
    const HostArgument& a = l.arguments[i];
    const std::string type = f != nullptr && i < f->info.parameters.size() ? f->info.parameters[i].type : "";
    const bool reads_only = type.find("const") < type.find_first_of("*[");
    const auto add = [&](const HostPointer& p, bool writes) {
      if (p.buffer < 0) return;
      taken.insert(p.buffer);
      if (writes) written.insert(p.buffer);
    };
    if (a.kind == HostArgument::Kind::pointer) add(a.pointer, !reads_only || type.find('*') == std::string::npos);
    for (const HostField& field : a.fields) add(field.pointer, true);
  }
}

/// The launches before `at` whose results it reads, and itself; in order.
std::vector<std::size_t> with_sources(const std::vector<const HostLaunch*>& all, std::size_t at,
                                      const Outline& outline) {
  std::vector<std::size_t> out{at};
  std::set<int> needed, ignored;
  buffers_of(*all[at], outline, needed, ignored);
  for (std::size_t i = at; i-- > 0 && out.size() < most_host_launches;) {
    std::set<int> taken, written;
    buffers_of(*all[i], outline, taken, written);
    const bool feeds = std::any_of(written.begin(), written.end(), [&](int b) { return needed.contains(b); });
    if (!feeds) continue;
    out.insert(out.begin(), i);
    needed.insert(taken.begin(), taken.end());
  }
  return out;
}

}  // namespace

const FunctionRange* kernel_called(const Outline& outline, std::string_view instance, std::size_t parameters) {
  const FunctionRange* first = nullptr;
  for (const FunctionRange& f : outline.functions) {
    if (!f.info.is_kernel || f.info.name != kernel_name(instance)) continue;
    if (f.info.parameters.size() == parameters) return &f;
    if (first == nullptr) first = &f;
  }
  return first;
}

std::string_view kernel_name(std::string_view instance) {
  instance = instance.substr(0, instance.find('<'));
  if (const std::size_t scope = instance.rfind("::"); scope != std::string_view::npos)
    instance.remove_prefix(scope + 2);
  return trimmed(instance);
}

bool names_instance(std::string_view wanted, std::string_view instance) {
  if (kernel_name(wanted) != kernel_name(instance)) return false;
  const std::size_t open = wanted.find('<');
  return open == std::string_view::npos ||
         without_spaces(wanted.substr(open)) ==
             without_spaces(instance.substr(std::min(instance.find('<'), instance.size())));
}

std::vector<KernelInstance> kernel_instances(const HostRun& run, const Outline& outline) {
  std::vector<KernelInstance> out;
  for (const HostLaunch& l : run.launches) {
    if (kernel_of(outline, l.kernel) == nullptr) continue;
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const KernelInstance& k) { return k.kernel == l.kernel; });
    if (known != out.end()) {
      ++known->launches;
      continue;
    }
    const std::array<std::uint32_t, 3> nothing{0, 0, 0};
    out.push_back({.kernel = l.kernel,
                   .launches = 1,
                   .line = l.line,
                   .grid = l.grid.value_or(nothing),
                   .block = l.block.value_or(nothing),
                   .dynamic_shared_bytes = l.shared_bytes.value_or(0),
                   .certain = l.certain && l.called});
  }
  for (const FunctionRange& f : outline.functions) {
    if (!f.info.is_kernel) continue;
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const KernelInstance& k) { return kernel_name(k.kernel) == f.info.name; });
    if (!known) out.push_back({.kernel = f.info.name, .line = f.info.first_line});
  }
  return out;
}

HostChoice choose_launches(const HostRun& run, const Outline& outline, std::string_view wanted,
                           const std::vector<std::string>& with_claims) {
  HostChoice out;
  std::vector<const HostLaunch*> all;
  const auto gather = [&](auto fits) {
    if (!all.empty()) return;
    for (const HostLaunch& l : run.launches)
      if (kernel_of(outline, l.kernel) != nullptr && fits(l)) all.push_back(&l);
  };
  const auto is_wanted = [&](const HostLaunch& l) { return wanted.empty() || names_instance(wanted, l.kernel); };
  const auto any_wanted = [&](auto fits) {
    return std::any_of(run.launches.begin(), run.launches.end(),
                       [&](const HostLaunch& l) { return fits(l) && is_wanted(l); });
  };
  const auto certain = [](const HostLaunch& l) { return l.called && l.certain; };
  const auto called = [](const HostLaunch& l) { return l.called; };
  const bool first_only = !any_wanted(called);
  if (any_wanted(certain)) gather(certain);
  if (any_wanted(called)) gather(called);
  gather([](const HostLaunch&) { return true; });
  std::set<std::size_t> taken;
  const auto take_target = [&](auto is_target) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_target(*all[i])) continue;
      for (const std::size_t s : first_only ? std::vector<std::size_t>{i} : with_sources(all, i, outline))
        taken.insert(s);
      return;
    }
  };
  if (!wanted.empty()) {
    take_target(is_wanted);
  } else if (!with_claims.empty()) {
    take_target([&](const HostLaunch& l) {
      return std::find(with_claims.begin(), with_claims.end(), kernel_name(l.kernel)) != with_claims.end();
    });
  }
  if (wanted.empty() || !taken.empty()) {
    std::uint64_t threads = 0;
    std::size_t counted = taken.size();
    for (std::size_t i = 0; i < all.size() && !(first_only && !taken.empty()); ++i) {
      if (taken.contains(i)) {
        threads += i > 0 ? threads_of(*all[i]) : 0;
        continue;
      }
      if (!is_wanted(*all[i]) || counted >= most_host_launches) continue;
      const auto same =
          std::count_if(taken.begin(), taken.end(), [&](std::size_t t) { return all[t]->kernel == all[i]->kernel; });
      const std::uint64_t more = taken.empty() ? 0 : threads_of(*all[i]);
      if (static_cast<std::size_t>(same) >= most_launches_of_instance || threads + more > most_host_threads) continue;
      threads += more;
      taken.insert(i);
      ++counted;
    }
  }
  for (const std::size_t i : taken) out.launches.push_back(all[i]);
  const std::uint64_t launches = std::max<std::uint64_t>(run.launch_count, run.launches.size());
  if (!out.launches.empty() && launches > out.launches.size())
    out.left_out = fmt::format("Launches: {} of the {} of the host code run; --kernel NAME chooses others.",
                               out.launches.size(), launches);
  return out;
}

}  // namespace lanescope::source
