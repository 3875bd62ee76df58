#include "kernels/source/host/host_run.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "kernels/base/text.h"
#include "kernels/source/host/evaluator.h"
#include "kernels/source/host/library.h"
#include "kernels/source/host/program/template_guess.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_records = 200;

/// Settings that differ between the attempts at one file.
struct Attempt {
  bool never_leave = false;          ///< as if `main` had the arguments that it requires
  std::vector<std::string> words{};  ///< the command line, without the program's name
  int word_count = 1;                ///< argc where there is no command line
  int number = 128;                  ///< a number that is read from there
  bool one_resident = false;         ///< calls report one block per multiprocessor as resident, or two
};

/// Whether it has more threads in a block than any device takes.
bool block_too_large(const HostLaunch& l) {
  constexpr std::uint64_t most_threads = 1024;
  std::uint64_t threads = l.block ? 1 : 0;
  for (std::size_t i = 0; i < 3 && threads > 0; ++i)
    threads = std::min(threads, most_threads + 1) * std::min<std::uint64_t>((*l.block)[i], most_threads + 1);
  return threads > most_threads;
}

/// One run of a file's host code: `main`, then the functions with launches that it did not reach.
class Run {
 public:
  Run(const Lexed& lexed, const Outline& outline, const HostLimits& limits, const Attempt& attempt)
      : attempt_(attempt),
        p_(lexed, outline),
        notes_(out_),
        m_(p_.types, limits.bytes),
        budget_(limits, m_, notes_),
        graph_(p_),
        log_(out_, m_, budget_, notes_, limits,
             p_.macros.defines("CUDA_API_PER_THREAD_DEFAULT_STREAM") ? StreamOrder::of_thread : StreamOrder::legacy),
        evaluator_(p_, graph_, m_, budget_, log_, notes_, limits, library(), attempt.never_leave, attempt.number) {
    log_.one_resident = attempt.one_resident;
  }

  HostRun run() {
    evaluator_.globals();
    const auto main = p_.functions.find("main");
    const bool has_main = main != p_.functions.end();
    if (has_main) root(main->second.front(), true);
    log_.check_host_stores(true);
    if (out_.launch_count > 0 || attempt_.never_leave || !has_main) uncalled(has_main);
    out_.steps = budget_.spent();
    out_.tokens_searched = graph_.tokens_searched;
    out_.with_command_line = !attempt_.words.empty();
    return std::move(out_);
  }

 private:
  void uncalled(bool has_main) {
    const std::size_t of_main = out_.launches.size();
    if (!has_main)  // the callers of these functions may set them
      for (const auto& [at, name] : evaluator_.unset_globals)
        m_.poison_all(at, m_.reason(fmt::format("nothing in this file sets `{}`", name)));
    for (const int function : graph_.roots(evaluator_.executed()))
      if (!evaluator_.executed().contains(function)) uncalled_root(function);
    for (std::size_t i = of_main; i < out_.launches.size(); ++i) out_.launches[i].called = false;
    for (int r = 0; r < p_.types.records(); ++r) {
      const Record& record = p_.types.record(r);
      if (!record.of_file || record.has_unknown || record.name.empty() || out_.records.size() > most_records) continue;
      HostRecord made{.name = record.name, .bytes = static_cast<std::uint32_t>(record.bytes), .fields = {}};
      log_.fields(0, p_.types.record_type(r), "", 0, made.fields, true);
      out_.records.push_back(std::move(made));
    }
  }

  /// With smaller sizes for its template's parameters if a block gets too large with the usual ones.
  void uncalled_root(int function) {
    const std::size_t before = out_.launches.size();
    const std::uint64_t count = out_.launch_count;
    root(function, false);
    if (!p_.function(function).info.is_template) return;
    const auto first = out_.launches.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::none_of(first, out_.launches.end(), block_too_large)) return;
    out_.launches.resize(before);
    out_.launch_count = count;
    small_guesses_ = true;
    root(function, false);
    small_guesses_ = false;
  }

  void root(int function, bool is_main) {
    const std::string& name = p_.function(function).info.name;
    const auto set_argument = [&](std::size_t i, const Place& at) {
      const std::vector<std::string>& words = attempt_.words;
      if (i == 0 && at.type->is_number())  // argc
        m_.put(at, number(words.empty() ? attempt_.word_count : 1 + static_cast<std::int64_t>(words.size()),
                          p_.types.int_));
      if (i == 1 && at.type->kind == Kind::pointer && !words.empty())  // argv
        m_.put(at, at_address(argument_texts(), at.type));
    };
    if (is_main && attempt_.word_count > 1)
      notes_.assume(Assumption::Code::command_line, 0,
                    fmt::format("{} unknown word{}", attempt_.word_count - 1, attempt_.word_count == 2 ? "" : "s"),
                    "because `main` requires them");
    evaluator_.root(
        function, guessed_bindings(function), is_main,
        m_.reason(is_main ? std::string(words_of_command_line)
                          : fmt::format("it is a parameter of `{}`, which nothing in this file calls", name)),
        is_main ? Evaluator::Prepare(set_argument) : nullptr);
  }

  /// The strings of argv: the program's name, the words of the command line, the null pointer.
  Address argument_texts() {
    std::vector<Address> texts;
    const auto add = [&](const std::string& text) {
      texts.push_back(m_.make(text.size() + 1, Space::characters, 0, 0));
      m_.write(texts.back(), text.size() + 1, text.c_str(), 0);
    };
    add("program");
    std::ranges::for_each(attempt_.words, add);
    texts.push_back(0);
    const std::uint64_t bytes = texts.size() * sizeof(Address);
    const Address list = m_.make(bytes, Space::host, 0, 0);
    m_.write(list, bytes, texts.data(), 0);
    return list;
  }

  /// For a template that nothing calls: its defaults, and what its parameters suggest.
  const Bindings& guessed_bindings(int function) {
    static const Bindings none;
    const std::vector<TemplateParameter>& parameters = p_.template_parameters(function);
    if (parameters.empty()) return none;
    const FunctionRange& range = p_.function(function);
    int line = 0;
    Expr name{};
    const auto add = [&](std::string word, const Type* type) {
      name.words.push_back(p_.tree.texts.emplace_back(std::move(word)));
      name.types.push_back(type);
    };
    if (const std::string given = explicit_arguments(p_.lexed, range.info.name, line); !given.empty()) {
      for (std::string& word : separate_arguments(given)) {
        const Type* type = p_.type_named(word);
        add(std::move(word), type);
      }
    } else {
      const auto guessed = guessed_arguments(parameters);
      if (!guessed) return none;
      for (const GuessedArgument& a : *guessed) {
        const TemplateParameter& parameter = parameters[name.types.size()];
        const bool large = small_guesses_ && parameter.is_whole && a.spelled == "256";
        add(large ? "16" : a.spelled, parameter.is_type ? p_.types.float_ : nullptr);
      }
    }
    Bindings& bound = bindings_.emplace_back();
    if (!evaluator_.deduce(function, name, {}, bound)) return none;
    std::string values;
    for (Bound& b : bound) {
      if (b.type == nullptr && !b.value) b.value = p_.constant(b.spelled);
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", b.name, b.spelled);
    }
    if (line > 0)
      notes_.add(fmt::format("line {}: the template arguments of `{}` are those of its instantiation at line {}: {}",
                             range.info.first_line, range.info.name, line, values));
    else
      notes_.assume(Assumption::Code::template_arguments, range.info.first_line,
                    fmt::format("{} with {}", range.info.name, values), "because nothing calls it");
    return bound;
  }

  /// "float, 4" as two words, without blanks that C++ does not need.
  static std::vector<std::string> separate_arguments(const std::string& given) {
    const Lexed words = lex(given);
    std::vector<std::string> out(1);
    int depth = 0;
    for (int t = 0; t < words.count(); ++t) {
      if (words.is(t, ",") && depth == 0) {
        out.emplace_back();
        continue;
      }
      depth += words.is(t, "<") || words.is(t, "(") ? 1 : words.is(t, ">") || words.is(t, ")") ? -1 : 0;
      const bool spaced = !out.back().empty() && is_word(out.back().back()) && is_word(words.of(t).front());
      out.back() += (spaced ? " " : "") + std::string(words.of(t));
    }
    return out;
  }

  const Attempt& attempt_;
  HostRun out_;
  Program p_;
  Notes notes_;
  TypedMemory m_;
  Budget budget_;
  CallGraph graph_;
  Log log_;
  Evaluator evaluator_;
  std::deque<Bindings> bindings_;
  bool small_guesses_ = false;  ///< sizes that template arguments are guessed to be
};

HostRun run_once(const Lexed& lexed, const Outline& outline, const HostLimits& limits, const Attempt& attempt) {
  return Run(lexed, outline, limits, attempt).run();
}

}  // namespace
}  // namespace lanescope::source::host

namespace lanescope::source {
namespace {

/// A number where there is no command line, if 128 makes blocks of more threads than any device takes.
constexpr int small_number = 16;

/// How many words `main` requires, its own name among them: the largest number that its `argc` is compared with for
/// equality, or that it must not be below. 1: it requires none.
int required_words(const Lexed& lexed, const Outline& outline) {
  constexpr int most = 32;
  const auto main =
      std::ranges::find_if(outline.functions, [](const FunctionRange& f) { return f.info.name == "main"; });
  if (main == outline.functions.end() || main->info.parameters.empty()) return 1;
  const std::string& argc = main->info.parameters.front().name;
  const auto number_at = [&](int t) {
    const std::string_view text = t >= 0 && t < lexed.count() ? lexed.of(t) : std::string_view();
    int out = 0;
    for (const char c : text) out = is_digit(c) && out <= most ? 10 * out + (c - '0') : most + 1;
    return text.empty() ? most + 1 : out;
  };
  int words = 1;
  for (int t = 1; t + 1 < lexed.count(); ++t) {
    if (lexed.of(t) != argc || lexed.token(t).kind != TokenKind::identifier) continue;
    const auto asks = [&](int at, std::string_view below, std::string_view at_most, int number) {
      int n = number_at(number);
      const std::string_view op = lexed.of(at);
      if (op == at_most) ++n;
      if ((op == "==" || op == "!=" || op == below || op == at_most) && n <= most) words = std::max(words, n);
    };
    asks(t + 1, "<", "<=", t + 2);
    asks(t - 1, ">", ">=", t - 2);
  }
  return words;
}

}  // namespace

HostRun run_host(const Lexed& lexed, const Outline& outline, const HostLimits& limits,
                 const std::vector<std::string>& command_line) {
  // The cost of all attempts is limited together; the second and third have a quarter at least.
  std::uint64_t steps = 0, tokens_searched = 0;
  const auto run = [&](const host::Attempt& attempt) {
    HostLimits rest = limits;
    if (steps > 0) rest.steps = std::max(limits.steps - std::min(limits.steps, steps), limits.steps / 4);
    HostRun out = host::run_once(lexed, outline, rest, attempt);
    out.steps = steps += out.steps;
    out.tokens_searched = tokens_searched += out.tokens_searched;
    return out;
  };
  host::Attempt attempt{.words = command_line};
  HostRun out = run(attempt);
  if (out.launch_count == 0 && !command_line.empty()) out = run(attempt = {});
  if (out.launch_count == 0) {
    // `if (argc != 2) return 1;` and the like: once more, without leaving early and with as many words as it requires.
    const int required = required_words(lexed, outline);
    out = run(attempt = {.never_leave = true, .word_count = required});
    if (out.launch_count == 0 && required > 1) out = run(attempt = {.never_leave = true});
    if (std::ranges::any_of(out.launches, host::block_too_large))
      out = run(attempt = {.never_leave = true, .word_count = required, .number = small_number});
  }
  if (std::ranges::any_of(out.launches, &HostLaunch::after_occupancy)) {
    // Which grids are made from the resident blocks: those that are others where another number is reported.
    attempt.one_resident = true;
    const HostRun other = run(attempt);
    out.steps = other.steps;
    out.tokens_searched = other.tokens_searched;
    if (other.launches.size() == out.launches.size())
      for (std::size_t i = 0; i < out.launches.size(); ++i)
        out.launches[i].after_occupancy &=
            out.launches[i].line != other.launches[i].line || out.launches[i].grid != other.launches[i].grid;
  }
  return out;
}

namespace {

struct Cached {
  std::string key;
  HostRun run;
  std::size_t bytes = 0;
};

struct HostCache {
  std::mutex mutex;
  std::deque<Cached> runs;  ///< the latest first
  std::size_t hits = 0;
};

HostCache& host_cache() {
  static HostCache cache;
  return cache;
}

std::string key_of(const Lexed& lexed, const Outline& outline) {
  std::string key;
  key.reserve(lexed.text.size() + 8 * static_cast<std::size_t>(lexed.count()));
  std::vector<bool> skipped(static_cast<std::size_t>(lexed.count()));
  for (const FunctionRange& f : outline.functions)
    for (int i = f.open + 1; f.info.is_kernel && i < f.close; ++i) skipped[static_cast<std::size_t>(i)] = true;
  const auto add = [&](std::string_view word, int line) {
    key += word;
    key += '\n';
    for (unsigned rest = static_cast<unsigned>(line); rest != 0; rest >>= 7) key += static_cast<char>(rest & 0x7f);
    key += '\0';
  };
  for (int i = 0; i < lexed.count(); ++i)
    if (!skipped[static_cast<std::size_t>(i)]) add(lexed.of(i), lexed.token(i).line);
  for (const Directive& d : lexed.directives) add(lexed.text.substr(d.offset, d.length), -1);
  if (lexed.option_macros != nullptr)
    for (const std::string& definition : *lexed.option_macros) add(definition, -1);
  return key;
}

std::size_t bytes_of(const HostRun& run) {
  std::size_t bytes = 0;
  for (const HostBuffer& b : run.buffers) bytes += b.contents ? b.contents->size() : 0;
  for (const HostChange& c : run.changes) bytes += c.contents ? c.contents->size() : 0;
  return bytes;
}

}  // namespace

HostRun cached_host_run(const Lexed& lexed, const Outline& outline, const std::vector<std::string>& command_line) {
  std::string key = key_of(lexed, outline);
  for (const std::string& word : command_line) key += '\1' + word;
  HostCache& cache = host_cache();
  {
    const std::lock_guard lock(cache.mutex);
    const auto known = std::ranges::find(cache.runs, key, &Cached::key);
    if (known != cache.runs.end()) {
      ++cache.hits;
      std::rotate(cache.runs.begin(), known, known + 1);
      return cache.runs.front().run;
    }
  }
  HostRun run = run_host(lexed, outline, {}, command_line);
  const std::size_t bytes = bytes_of(run);
  if (bytes > most_cached_bytes) return run;
  const std::lock_guard lock(cache.mutex);
  cache.runs.push_front({std::move(key), run, bytes});
  std::size_t all = 0;
  for (const Cached& c : cache.runs) all += c.bytes;
  while (cache.runs.size() > most_cached_runs || all > most_cached_bytes) {
    all -= cache.runs.back().bytes;
    cache.runs.pop_back();
  }
  return run;
}

std::size_t host_cache_hits() {
  HostCache& cache = host_cache();
  const std::lock_guard lock(cache.mutex);
  return cache.hits;
}

}  // namespace lanescope::source
