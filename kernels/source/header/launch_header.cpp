#include "kernels/source/header/launch_header.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "kernels/source/data/contents_text.h"
#include "kernels/source/header/buffer_text.h"

namespace lanescope::source {
namespace {

struct HeaderText {
  std::string toml;  ///< same lines and columns as the file, everything else blank
  std::string title;
  HeaderPlace where;
};

/// The comment with `[lanescope]`: a block comment, or `//` lines without an empty line between them.
std::optional<HeaderText> find_header(const Lexed& lexed) {
  for (std::size_t i = 0; i < lexed.comments.size(); ++i) {
    std::size_t last = i;
    if (!lexed.comments[i].block) {
      while (last + 1 < lexed.comments.size() && !lexed.comments[last + 1].block &&
             lexed.comments[last + 1].line == lexed.comments[last].line + 1)
        ++last;
    }
    const std::size_t begin = lexed.comments[i].offset;
    const std::size_t end = lexed.comments[last].offset + lexed.comments[last].length;
    const std::string_view text = lexed.text.substr(begin, end - begin);
    if (lexed.last_before(static_cast<std::uint32_t>(begin)) >= 0) return std::nullopt;  // behind code it is no header
    if (text.find("[lanescope]") == std::string_view::npos) {
      i = last;
      continue;
    }
    HeaderText out;
    out.where = {lexed.comments[i].line,
                 lexed.comments[i].line + static_cast<int>(std::count(text.begin(), text.end(), '\n'))};
    for (int line = 1; line < lexed.comments[i].line; ++line) out.toml += '\n';
    out.toml += std::string(static_cast<std::size_t>(lexed.comments[i].column - 1), ' ');
    bool inside = false;
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t stop = std::min(text.find('\n', start), text.size());
      std::string line(text.substr(start, stop - start));
      if (line.ends_with('\r')) line.back() = ' ';
      if (line.size() >= 2 && line.ends_with("*/") && lexed.comments[i].block) line.replace(line.size() - 2, 2, "  ");
      const std::size_t marker = line.find_first_not_of(" \t");
      if (marker != std::string::npos && (line.compare(marker, 2, "//") == 0 || line.compare(marker, 2, "/*") == 0))
        line.replace(marker, 2, "  ");
      if (const std::size_t star = line.find_first_not_of(" \t"); star != std::string::npos && line[star] == '*')
        line[star] = ' ';
      const std::size_t content = line.find_first_not_of(" \t");
      if (content != std::string::npos && line.compare(content, 11, "[lanescope]") == 0) inside = true;
      if (inside) {
        out.toml += line;
      } else if (content != std::string::npos) {
        if (!out.title.empty()) out.title += ' ';
        out.title += line.substr(content, line.find_last_not_of(" \t") + 1 - content);
      }
      out.toml += '\n';
      start = stop + 1;
    }
    if (!inside) {  // the words stand inside a sentence
      i = last;
      continue;
    }
    return out;
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view file, const Lexed& lexed) : file_(file), lexed_(lexed) {}

  Expected<ReadHeader> run() {
    const std::optional<HeaderText> text = find_header(lexed_);
    if (!text) return ReadHeader{};
    toml::table root;
    try {
      root = toml::parse(text->toml);
    } catch (const toml::parse_error& e) {
      return failure(Diagnostic{.file = file_,
                                .line = static_cast<int>(e.source().begin.line),
                                .column = static_cast<int>(e.source().begin.column),
                                .message = fmt::format("launch header: {}", e.description()),
                                .remedy = "the header is TOML, from [lanescope] to the end of the comment"});
    }
    out_.where = text->where;
    out_.header.present = true;
    out_.header.title = text->title;
    read(root);
    if (!problems_.empty()) return tl::unexpected<Diagnostics>(std::move(problems_));
    return std::move(out_);
  }

 private:
  void wrong(const toml::node& at, std::string message, std::string remedy) {
    wrong(at.source().begin, std::move(message), std::move(remedy));
  }
  void wrong(const toml::source_position& at, std::string message, std::string remedy) {
    problems_.push_back({.file = file_,
                         .line = static_cast<int>(at.line),
                         .column = static_cast<int>(at.column),
                         .message = std::move(message),
                         .remedy = std::move(remedy)});
  }

  void only(const toml::table& table, std::string_view where, std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      wrong(key.source().begin, fmt::format("unknown key `{}` in {}", key.str(), where),
            fmt::format("known are {}", fmt::join(known, ", ")));
    }
  }

  void read(const toml::table& root) {
    only(root, "the launch header", {"lanescope", "buffers", "launch"});
    const toml::table* main = root["lanescope"].as_table();
    LaunchSpec defaults;
    if (main != nullptr) {
      only(*main, "[lanescope]",
           {"title", "kernel", "grid", "block", "cluster", "shared", "stream", "args", "arch", "options"});
      if (auto t = text(*main, "title")) out_.header.title = *t;
      if (auto a = text(*main, "arch")) out_.header.compile.arch = *a;
      options(*main);
      launch(*main, defaults);
    }
    if (const toml::node* b = root.get("buffers")) buffers(*b);
    if (const toml::node* l = root.get("launch")) {
      launches(*l, defaults);
    } else {
      out_.header.launches.push_back(defaults);
    }
  }

  std::optional<std::string> text(const toml::table& t, std::string_view key) {
    const toml::node* n = t.get(key);
    if (n == nullptr) return std::nullopt;
    if (const auto* s = n->as_string()) return s->get();
    wrong(*n, fmt::format("`{}` wants a text", key), "put it in quotes");
    return std::nullopt;
  }

  void options(const toml::table& t) {
    const toml::node* n = t.get("options");
    if (n == nullptr) return;
    const toml::array* list = n->as_array();
    if (list == nullptr) return wrong(*n, "`options` wants a list of texts", "for instance [\"-DTILE=16\"]");
    for (const toml::node& e : *list) {
      if (const auto* s = e.as_string()) {
        out_.header.compile.options.push_back(s->get());
      } else {
        wrong(e, "a compiler option is a text", "put it in quotes");
      }
    }
  }

  /// Up to three positive numbers.
  std::optional<std::array<std::uint32_t, 3>> extents(const toml::table& t, std::string_view key) {
    const toml::node* n = t.get(key);
    if (n == nullptr) return std::nullopt;
    std::array<std::uint32_t, 3> out{1, 1, 1};
    std::vector<const toml::node*> parts;
    if (const toml::array* list = n->as_array()) {
      for (const toml::node& e : *list) parts.push_back(&e);
    } else {
      parts.push_back(n);
    }
    bool good = !parts.empty() && parts.size() <= 3;
    for (std::size_t i = 0; i < parts.size() && good; ++i) {
      const auto v = parts[i]->value_exact<std::int64_t>();
      good = v && *v > 0 && *v <= 2147483647;
      if (good) out[i] = static_cast<std::uint32_t>(*v);
    }
    if (good) return out;
    wrong(*n, fmt::format("`{}` wants one to three positive whole numbers", key),
          fmt::format("for instance {} = [32, 16]", key));
    return std::nullopt;
  }

  void launch(const toml::table& t, LaunchSpec& l) {
    l.line = static_cast<int>(t.source().begin.line);
    if (auto k = text(t, "kernel")) l.kernel = *k;
    l.grid = extents(t, "grid").value_or(std::array<std::uint32_t, 3>{0, 0, 0});
    l.block = extents(t, "block").value_or(std::array<std::uint32_t, 3>{0, 0, 0});
    l.cluster = extents(t, "cluster");
    check_limits(t, l);
    if (const toml::node* n = t.get("shared")) {
      const auto v = n->value_exact<std::int64_t>();
      if (v && *v >= 0 && *v <= 1 << 20) {
        l.dynamic_shared_bytes = static_cast<std::uint32_t>(*v);
      } else {
        wrong(*n, "`shared` wants a number of bytes", "no GPU gives a block more than 227 KiB");
      }
    }
    if (const toml::node* n = t.get("stream")) stream(*n, l);
    if (const toml::node* n = t.get("args")) arguments(*n, l);
  }

  void stream(const toml::node& n, LaunchSpec& l) {
    const auto v = n.value_exact<std::int64_t>();
    if (v && *v >= 0 && *v < most_streams) {
      l.stream = static_cast<std::uint32_t>(*v);
    } else {
      wrong(n, fmt::format("`stream` wants a whole number from 0 to {}", most_streams - 1),
            "0 is the stream of launches that name none");
    }
  }

  void check_limits(const toml::table& t, const LaunchSpec& l) {
    const std::uint64_t threads = std::uint64_t{l.block[0]} * l.block[1] * l.block[2];
    if (threads > 1024 || l.block[2] > 64) {
      wrong(*t.get("block"), fmt::format("a block of {} threads", threads),
            "no GPU takes more than 1024 threads in a block, or more than 64 along z");
    }
    if (l.grid[1] > 65535 || l.grid[2] > 65535)
      wrong(*t.get("grid"), "the grid is too long along y or z", "65535 blocks are the most there");
  }

  std::optional<std::vector<double>> numbers(const toml::node& n) {
    const toml::array* list = n.as_array();
    if (list == nullptr) return std::nullopt;
    std::vector<double> out;
    for (const toml::node& e : *list) {
      const auto v = e.value<double>();
      if (!v) return std::nullopt;
      out.push_back(*v);
    }
    return out;
  }

  void argument(std::string name, const toml::node& n, LaunchSpec& l) {
    ArgumentSpec a;
    a.parameter = std::move(name);
    if (const auto* s = n.as_string()) {
      a.value = s->get();
      a.is_buffer = true;
    } else if (const auto* flag = n.as_boolean()) {
      a.value = flag->get() ? 1.0 : 0.0;
    } else if (const auto v = n.value<double>()) {
      a.value = *v;
    } else if (auto fields = numbers(n)) {
      a.value = fields->empty() ? 0.0 : fields->front();
      a.fields = std::move(*fields);
    } else {
      return wrong(n, "an argument is a buffer's name in quotes, a number, or a list of numbers",
                   "for instance args = [\"p\", 16]");
    }
    l.arguments.push_back(std::move(a));
  }

  void arguments(const toml::node& n, LaunchSpec& l) {
    l.arguments.clear();
    if (const toml::array* list = n.as_array()) {
      for (const toml::node& e : *list) argument("", e, l);
    } else if (const toml::table* table = n.as_table()) {
      for (const auto& [key, value] : *table) argument(std::string(key.str()), value, l);
    } else {
      wrong(n, "`args` wants a list, or a table by parameter name", "for instance [\"p\", 16] or { n = 16 }");
    }
  }

  void launches(const toml::node& n, const LaunchSpec& defaults) {
    const toml::array* list = n.as_array();
    if (list == nullptr || list->empty())
      return wrong(n, "`launch` is a list of tables", "write [[launch]] in double brackets");
    if (list->size() > most_launches)
      return wrong(n, fmt::format("more than {} launches", most_launches), "show some of them");
    for (const toml::node& e : *list) {
      const toml::table* t = e.as_table();
      if (t == nullptr) {
        wrong(e, "a launch is a table", "write [[launch]] and its keys below");
        continue;
      }
      only(*t, "[[launch]]", {"kernel", "grid", "block", "cluster", "shared", "stream", "args"});
      LaunchSpec l;
      launch(*t, l);
      if (l.kernel.empty()) l.kernel = defaults.kernel;
      if (l.grid[0] == 0) l.grid = defaults.grid;
      if (l.block[0] == 0) l.block = defaults.block;
      if (!l.cluster) l.cluster = defaults.cluster;
      if (t->get("shared") == nullptr) l.dynamic_shared_bytes = defaults.dynamic_shared_bytes;
      if (t->get("stream") == nullptr) l.stream = defaults.stream;
      if (t->get("args") == nullptr) l.arguments = defaults.arguments;
      out_.header.launches.push_back(std::move(l));
    }
  }

  void buffers(const toml::node& n) {
    const toml::table* t = n.as_table();
    if (t == nullptr) return wrong(n, "`buffers` is a table", "write [buffers] and one line for each buffer");
    if (t->size() > most_buffers)
      return wrong(n, fmt::format("more than {} buffers", most_buffers), "no kernel has as many parameters");
    for (const auto& [key, value] : *t) {
      if (std::optional<BufferSpec> b = buffer(key.str(), key, value)) out_.header.buffers.push_back(std::move(*b));
    }
    // toml++ sorts keys by name; the order in the file is the user's.
    std::stable_sort(out_.header.buffers.begin(), out_.header.buffers.end(),
                     [](const BufferSpec& a, const BufferSpec& b) { return a.line < b.line; });
  }

  std::optional<BufferSpec> buffer(std::string_view name, const toml::key& key, const toml::node& value) {
    if (const auto* s = value.as_string()) return buffer_text(name, s->get(), value);
    const toml::table* t = value.as_table();
    if (t == nullptr) {
      wrong(value, fmt::format("buffer {} wants a text or a table", name), "for instance \"f32 i:16 j:16\"");
      return std::nullopt;
    }
    only(*t, fmt::format("buffer {}", name), {"type", "axes", "init", "expect", "tolerance", "traced"});
    const toml::node* type = t->get("type");
    if (type == nullptr || !type->is_string()) {
      wrong(key.source().begin, fmt::format("buffer {} has no type", name), "add type = \"f32\"");
      return std::nullopt;
    }
    std::optional<BufferSpec> b = buffer_text(name, type->as_string()->get(), *type);
    if (!b) return std::nullopt;
    b->line = static_cast<int>(key.source().begin.line);
    if (auto axes = text(*t, "axes")) {
      const Expected<BufferSpec> whole =
          read_buffer_text(name, b->element_type + " " + *axes, file_, b->line,
                           column_of(*t->get("axes")) - static_cast<int>(b->element_type.size()));
      if (!whole) {
        take(whole.error());
      } else {
        b->axes = whole->axes;
        b->elements = whole->elements;
      }
    }
    if (const toml::node* n = t->get("init")) contents(*n, name, false, b->initial);
    if (const toml::node* n = t->get("expect")) contents(*n, name, true, b->expected.emplace());
    if (const toml::node* n = t->get("tolerance")) number(*n, "tolerance", b->tolerance);
    if (const toml::node* n = t->get("traced")) {
      if (const auto* flag = n->as_boolean()) {
        b->traced = flag->get();
      } else {
        wrong(*n, "`traced` is true or false", "");
      }
    }
    return b;
  }

  void number(const toml::node& n, std::string_view key, double& out) {
    const auto v = n.value<double>();
    if (v && *v >= 0) {
      out = *v;
    } else {
      wrong(n, fmt::format("`{}` wants a number", key), "for instance 1e-3");
    }
  }

  /// Of a text's first character, behind the quote.
  static int column_of(const toml::node& n) { return static_cast<int>(n.source().begin.column) + 1; }

  void take(const Diagnostics& more) { problems_.insert(problems_.end(), more.begin(), more.end()); }

  std::optional<BufferSpec> buffer_text(std::string_view name, const std::string& text, const toml::node& at) {
    Expected<BufferSpec> b =
        read_buffer_text(name, text, file_, static_cast<int>(at.source().begin.line), column_of(at));
    if (b) return std::move(*b);
    take(b.error());
    return std::nullopt;
  }

  void contents(const toml::node& n, std::string_view buffer, bool expected, Contents& out) {
    if (const auto* s = n.as_string()) {
      Expected<Contents> c = contents_from_text(s->get());
      if (!c)
        return wrong(n, fmt::format("buffer {}: {}", buffer, c.error().front().message), c.error().front().remedy);
      out = std::move(*c);
      const bool only_expected = out.kind == Contents::Kind::copy_of || out.kind == Contents::Kind::sha256;
      if (only_expected && !expected)
        wrong(n, fmt::format("buffer {}: `{}` cannot be an initial value", buffer, s->get()),
              "it belongs behind expect");
    } else if (auto list = numbers(n)) {
      out.kind = Contents::Kind::values;
      out.values = std::move(*list);
    } else if (const auto v = n.value<double>(); v && n.is_number()) {
      out.kind = Contents::Kind::constant;
      out.value = *v;
    } else {
      wrong(n, fmt::format("buffer {}: contents are a text, a number or a list of numbers", buffer),
            "for instance \"iota\" or [1, 2, 3]");
    }
    out.line = static_cast<int>(n.source().begin.line);
    out.column = n.is_string() ? column_of(n) : column_of(n) - 1;
  }

  std::string file_;
  const Lexed& lexed_;
  ReadHeader out_;
  Diagnostics problems_;
};

}  // namespace

Expected<ReadHeader> read_header(const Lexed& lexed, std::string_view file) { return Reader(file, lexed).run(); }

}  // namespace lanescope::source
