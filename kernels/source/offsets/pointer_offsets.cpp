#include "kernels/source/offsets/pointer_offsets.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "kernels/source/cxx/outline.h"

namespace lanescope::source {
namespace {

/// Tokens [first, last] as one line.
std::string text_of(const Lexed& lexed, int first, int last) {
  const Token& a = lexed.token(first);
  const Token& b = lexed.token(last);
  std::string out;
  bool blank = false;
  for (const char c : lexed.text.substr(a.offset, b.offset + lexed.of(last).size() - a.offset)) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!(space && blank)) out += space ? ' ' : c;
    blank = space;
  }
  return out;
}

int token_at(const Lexed& lexed, int line, int column) {
  for (int i = 0; i < lexed.count(); ++i)
    if (lexed.token(i).line == line && lexed.token(i).column == column) return i;
  return -1;
}

/// The last token of the value that begins at `first`: before the `;` or a comma of its own.
int end_of_value(const Lexed& lexed, int first) {
  int i = first;
  for (; i < lexed.count() && !lexed.is(i, ";") && !lexed.is(i, ","); ++i)
    if (lexed.partner(i) > i) i = lexed.partner(i);
  return i - 1;
}

/// `&p[e]` as `p + (e)`; other text as it is.
std::string pointer_arithmetic(const Lexed& lexed, int first, int last) {
  if (!lexed.is(first, "&") || !lexed.is(first + 2, "[") || lexed.partner(first + 2) != last)
    return text_of(lexed, first, last);
  if (first + 3 > last - 1) return {};
  return std::string(lexed.of(first + 1)) + " + (" + text_of(lexed, first + 3, last - 1) + ")";
}

void read_statement(const Lexed& lexed, const PointerOffset& o, OffsetStep& step) {
  const int name = token_at(lexed, o.line, o.column);
  if (name < 0 || o.whole) return;
  int op = name + 1;
  const bool split = lexed.is(op, "+") && lexed.is(op + 1, "=");  // "+ =" of tokens that are single
  const bool adds = split || lexed.is(op, "+=");
  if (!adds && !lexed.is(op, "=")) return;
  const int first = split ? op + 2 : op + 1, last = end_of_value(lexed, first);
  if (last < first) return;
  step.text = text_of(lexed, name, last);
  const std::string value = pointer_arithmetic(lexed, first, last);
  step.expression = adds ? o.from + " + (" + value + ")" : value;
}

/// Initial values of the function's variables that are never changed afterwards.
std::map<std::string, std::string, std::less<>> locals_of(const Lexed& lexed, int open, int close) {
  std::map<std::string, std::string, std::less<>> out;
  std::map<std::string, int, std::less<>> writes;
  for (int i = open + 1; i < close; ++i) {
    if (lexed.token(i).kind != TokenKind::identifier) continue;
    const std::string name(lexed.of(i));
    const bool compound =
        lexed.is(i + 2, "=") && (lexed.is(i + 1, "+") || lexed.is(i + 1, "-") || lexed.is(i + 1, "*"));
    if (compound || lexed.is(i + 1, "+=") || lexed.is(i + 1, "-=") || lexed.is(i + 1, "*=") || lexed.is(i + 1, "++") ||
        lexed.is(i - 1, "++") || lexed.is(i + 1, "--") || lexed.is(i - 1, "--"))
      writes[name] += 2;
    if (!lexed.is(i + 1, "=") || lexed.is(i - 1, ".") || lexed.is(i + 2, "=")) continue;
    const int last = end_of_value(lexed, i + 2);
    if (last < i + 2) continue;
    ++writes[name];
    out[name] = text_of(lexed, i + 2, last);
  }
  std::erase_if(out, [&](const auto& local) { return writes[local.first] > 1; });
  return out;
}

const ArgumentSpec* argument_of(const LaunchSpec& launch, const std::string& parameter) {
  const auto found = std::ranges::find(launch.arguments, parameter, &ArgumentSpec::parameter);
  return found == launch.arguments.end() || !found->is_buffer ? nullptr : &*found;
}

void read_buffer(const Source& source, const LaunchSpec& launch, PointerOffsets& out) {
  const ArgumentSpec* const argument = argument_of(launch, out.root);
  const auto* const name = argument == nullptr ? nullptr : std::get_if<std::string>(&argument->value);
  if (name == nullptr) return;
  const std::size_t plus = name->find('+');
  out.buffer = name->substr(0, plus);
  if (plus != std::string::npos)
    std::from_chars(name->data() + plus + 1, name->data() + name->size(), out.argument_offset);
  const auto buffer = std::ranges::find(source.header.buffers, out.buffer, &BufferSpec::name);
  if (buffer == source.header.buffers.end() || buffer->axes_assumed) return;
  out.axes = buffer->axes;
  // Only an array without holes, in the order of its axes, is drawn as one.
  std::uint64_t stride = 1;
  for (auto axis = out.axes.rbegin(); axis != out.axes.rend(); ++axis) {
    if (axis->stride_elements != stride) return out.axes.clear();
    stride *= axis->extent;
  }
}

/// As the first comment says it, where the launch says nothing.
void take_axes_from_comments(PointerOffsets& out) {
  if (!out.axes.empty()) return;
  for (const OffsetStep& step : out.steps) {
    if (!step.before || step.before->shape.empty()) continue;
    std::int64_t stride = 1;
    std::vector<Axis> axes;
    for (std::size_t n = step.before->shape.size(); n-- > 0;) {
      if (step.before->strides[n] != stride) return;
      axes.insert(axes.begin(), {.name = {},
                                 .extent = static_cast<std::uint64_t>(step.before->shape[n]),
                                 .stride_elements = static_cast<std::uint64_t>(stride)});
      stride *= step.before->shape[n];
    }
    out.axes = std::move(axes);
    return;
  }
}

class Evaluation {
 public:
  Evaluation(const PointerOffsets& offsets, const ThreadAt& thread) : offsets_(offsets) {
    const auto set = [&](const char* name, std::uint64_t index, const std::array<std::uint32_t, 3>& extent) {
      const std::uint64_t x = std::max(extent[0], 1U), y = std::max(extent[1], 1U);
      here_[std::string(name) + ".x"] = static_cast<std::int64_t>(index % x);
      here_[std::string(name) + ".y"] = static_cast<std::int64_t>(index / x % y);
      here_[std::string(name) + ".z"] = static_cast<std::int64_t>(index / (x * y));
    };
    set("blockIdx", thread.block, offsets.grid);
    set("threadIdx", std::uint64_t{thread.warp} * 32 + thread.lane, offsets.block);
    for (int n = 0; n < 3; ++n) {
      const std::string axis = n == 0 ? ".x" : n == 1 ? ".y" : ".z";
      here_["gridDim" + axis] = offsets.grid[static_cast<std::size_t>(n)];
      here_["blockDim" + axis] = offsets.block[static_cast<std::size_t>(n)];
    }
  }

  /// Where `pointer` points before step `until`.
  std::optional<std::int64_t> position(const std::string& pointer, std::size_t until) {
    for (std::size_t n = until; n-- > 0;)
      if (offsets_.steps[n].pointer == pointer && !offsets_.steps[n].whole) return past(n);
    if (pointer == offsets_.root) return offsets_.argument_offset;
    return std::nullopt;
  }
  /// Where the pointer of step `n` points after it.
  std::optional<std::int64_t> past(std::size_t n) {
    const OffsetStep& step = offsets_.steps[n];
    if (step.whole) return begin_of_part(step.stage);
    if (step.expression.empty()) return std::nullopt;
    const auto from = position(step.from, n);
    if (!from) return std::nullopt;
    const auto value = constant_value(step.expression, [&](std::string_view name) -> std::optional<std::int64_t> {
      return name == step.from ? from : value_of(name, 0);
    });
    return value ? std::optional(*value) : std::nullopt;
  }

 private:
  /// Of a part that a comment states without a statement: where the last offset of this stage leads.
  std::optional<std::int64_t> begin_of_part(OffsetStage stage) {
    for (std::size_t n = offsets_.steps.size(); n-- > 0;)
      if (!offsets_.steps[n].whole && offsets_.steps[n].stage == stage) return past(n);
    return std::nullopt;
  }

  std::optional<std::int64_t> value_of(std::string_view name, int depth) {
    if (const auto at = here_.find(name); at != here_.end()) return at->second;
    if (const auto local = offsets_.locals.find(name); local != offsets_.locals.end()) {
      if (depth > 12) return std::nullopt;
      const auto value =
          constant_value(local->second, [&](std::string_view inner) { return value_of(inner, depth + 1); });
      return value ? std::optional(*value) : std::nullopt;
    }
    const auto known = offsets_.values.find(name);
    return known == offsets_.values.end() ? std::nullopt : std::optional(known->second);
  }

  const PointerOffsets& offsets_;
  std::map<std::string, std::int64_t, std::less<>> here_;
};

/// One dimension of the part, put on an axis; what is left over when an axis is full continues to the next slower one.
bool put(std::int64_t count, std::int64_t stride, std::span<const std::int64_t> extents,
         std::span<const std::int64_t> axis_strides, std::vector<AxisRange>& box) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (stride % axis_strides[axis] != 0 || stride >= axis_strides[axis] * extents[axis]) continue;
    AxisRange& r = box[axis];
    const std::int64_t step = stride / axis_strides[axis];
    if (r.count > 1 && step != r.step * r.count) return false;  // beside what other dimensions have of this axis
    const std::int64_t each = r.count > 1 ? r.count : 1, own_step = r.count > 1 ? r.step : step;
    if (r.first + (each * count - 1) * own_step < extents[axis]) {
      r.count = each * count, r.step = own_step;
      return true;
    }
    // The whole axis, and on along the next one.
    if (axis == 0 || own_step != 1 || r.first != 0 || each * count % extents[axis] != 0) return false;
    r.count = extents[axis], r.step = 1;
    return put(each * count / extents[axis], axis_strides[axis - 1], extents, axis_strides, box);
  }
  return false;
}

}  // namespace

std::vector<PointerOffsets> pointer_offsets(const Source& source, const LaunchSpec& launch) {
  const Lexed lexed = source::lexed(source);
  const Outline parts = outline(lexed);
  const Values values = known_values(lexed, source.header, launch);
  const PointerComments comments = pointer_comments(lexed, parts, values);
  const std::string kernel = launch.kernel.substr(0, launch.kernel.find('<'));
  std::vector<PointerOffsets> out;
  for (const PointerOffset& o : comments.offsets) {
    if (o.function != kernel) continue;
    auto at = std::ranges::find(out, o.root, &PointerOffsets::root);
    if (at == out.end()) {
      out.push_back({});
      at = out.end() - 1;
      at->root = o.root, at->grid = launch.grid, at->block = launch.block, at->values = values;
      for (const FunctionRange& f : parts.functions)
        if (f.info.name == o.function && f.info.is_kernel) at->locals = locals_of(lexed, f.open, f.close);
      read_buffer(source, launch, *at);
    }
    OffsetStep step;
    step.pointer = o.pointer, step.from = o.from, step.line = o.line, step.whole = o.whole;
    step.stage = o.by_thread  ? OffsetStage::thread
                 : o.by_warp  ? OffsetStage::warp
                 : o.by_block ? OffsetStage::block
                              : OffsetStage::none;
    if (o.comment >= 0) {
      const PointerComment& c = comments.comments[static_cast<std::size_t>(o.comment)];
      step.stage = c.stage, step.before = c.before, step.after = c.after, step.comment_line = c.line;
    }
    read_statement(lexed, o, step);
    at->steps.push_back(std::move(step));
  }
  std::erase_if(out, [](const PointerOffsets& p) {
    return std::ranges::none_of(p.steps, [](const OffsetStep& s) { return s.comment_line > 0; });
  });
  for (PointerOffsets& p : out) take_axes_from_comments(p);
  return out;
}

std::optional<std::int64_t> start_of(const PointerOffsets& offsets, std::size_t step, bool after,
                                     const ThreadAt& thread) {
  Evaluation evaluation(offsets, thread);
  if (after) return evaluation.past(step);
  if (offsets.steps[step].whole) return offsets.argument_offset;
  return evaluation.position(offsets.steps[step].from, step);
}

int step_at_line(const PointerOffsets& offsets, int line) {
  for (std::size_t n = 0; n < offsets.steps.size(); ++n) {
    const OffsetStep& s = offsets.steps[n];
    const bool in_comment = s.comment_line > 0 && line >= s.comment_line - 1 && line <= s.line;
    if (s.line == line || (in_comment && (n == 0 || offsets.steps[n - 1].line < line))) return static_cast<int>(n);
  }
  return -1;
}

std::optional<std::vector<AxisRange>> box_in_array(std::span<const std::int64_t> extents,
                                                   std::span<const std::int64_t> shape,
                                                   std::span<const std::int64_t> strides, std::int64_t start) {
  std::vector<std::int64_t> axis_strides(extents.size());
  std::int64_t all = 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) axis_strides[axis] = all, all *= extents[axis];
  if (start < 0 || start >= all || shape.size() != strides.size()) return std::nullopt;
  std::vector<AxisRange> box(extents.size());
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    box[axis].first = start / axis_strides[axis] % extents[axis];
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // stride and count, the fastest first
  for (std::size_t n = 0; n < shape.size(); ++n) {
    if (shape[n] < 1 || (shape[n] > 1 && strides[n] < 1)) return std::nullopt;
    if (shape[n] > 1) parts.emplace_back(strides[n], shape[n]);
  }
  std::ranges::sort(parts);
  for (const auto& [stride, count] : parts)
    if (!put(count, stride, extents, axis_strides, box)) return std::nullopt;
  return box;
}

}  // namespace lanescope::source
