#include "app/engine/wire/measured.h"
#include "app/engine/wire/shared_descriptions.h"

namespace lanescope::codec {}  // namespace lanescope::codec

namespace lanescope::trace {
template <class A>
void describe(A& a, Where& v) {
  a("step", v.step), a("block", v.block), a("warp", v.warp), a("pc", v.pc), a("active", v.active);
}
}  // namespace lanescope::trace

namespace lanescope::emulator {
template <class A>
void describe(A& a, Fault& v) {
  a("kind", v.kind), a("where", v.where), a("lane", v.lane), a("line", v.line), a("address", v.address);
  a("what", v.what), a("message", v.message), a("remedy", v.remedy);
}
}  // namespace lanescope::emulator

namespace lanescope::counters {
template <class A>
void describe(A& a, Counts& v) {
  a("instructions", v.instructions), a("threads", v.thread_instructions);
  a("gl", v.global_load), a("gs", v.global_store), a("ga", v.global_atomic), a("gy", v.global_async);
  a("sl", v.shared_load), a("ss", v.shared_store), a("sa", v.shared_atomic), a("sy", v.shared_async);
  a("ml", v.matrix_load), a("ms", v.matrix_store), a("mp", v.matrix_product);
  a("ll", v.local_load), a("ls", v.local_store);
  a("constant", v.constant), a("shuffles", v.shuffles), a("barriers", v.barriers);
  a("branches", v.branches), a("divergent", v.divergent_branches);
}
}  // namespace lanescope::counters

namespace lanescope::engine::wire {

// Maps and pairs as lists of values with names.
struct LineCounts {
  int line = 0;
  counters::Counts counts;
};
template <class A>
void describe(A& a, LineCounts& v) {
  a("line", v.line), a("counts", v.counts);
}
struct NamedNumber {
  std::string name;
  double value = 0;
};
template <class A>
void describe(A& a, NamedNumber& v) {
  a("name", v.name), a("value", v.value);
}

/// A RunResult as it travels: the summary has a description of its own, and is carried as the message that it is.
struct FlatResult {
  Bytes summary;
  Ending ending = Ending::bad_input;
  std::vector<Output> outputs;
  counters::Counts total;
  std::vector<LineCounts> lines;
  std::vector<review::Finding> findings;
  std::vector<emulator::Fault> faults;
  results::Measured hardware, measured;
};

}  // namespace lanescope::engine::wire

namespace lanescope::review {
template <class A>
void describe(A& a, Evidence::Side& v) {
  a("does", v.does), a("line", v.line), a("block", v.block), a("warp", v.warp), a("lane", v.lane);
  a("epoch", v.epoch), a("has_address", v.has_address), a("address", v.address);
}
template <class A>
void describe(A& a, Evidence& v) {
  using lanescope::engine::wire::NamedNumber;
  a("launch", v.launch), a("step", v.step), a("pc", v.pc), a("instruction", v.instruction), a("block", v.block);
  a("warp", v.warp), a("lanes", v.lanes), a("space", v.space), a("width", v.width_bytes);
  a("matrices", v.matrices), a("buffer", v.buffer);
  a("addresses", v.addresses);
  std::vector<NamedNumber> numbers;
  for (const auto& [name, value] : v.numbers) numbers.push_back({name, value});
  a("numbers", numbers);
  v.numbers.clear();
  for (NamedNumber& n : numbers) v.numbers.emplace_back(std::move(n.name), n.value);
}
template <class A>
void describe(A& a, Finding& v) {
  a("rule", v.rule), a("line", v.line), a("column", v.column), a("severity", v.severity), a("message", v.message);
  a("remedy", v.remedy), a("evidence", v.evidence), a("saving", v.saving), a("saved", v.saved);
  a("called_at", v.called_at);
  a("expected", v.expected);
}
}  // namespace lanescope::review

namespace lanescope::engine {

template <class A>
void describe(A& a, Output& v) {
  a("name", v.name), a("type", v.element_type), a("shape", v.shape), a("bytes", v.bytes), a("sha256", v.sha256);
  a("difference", v.difference), a("partial", v.partial);
  a.optional("undecided", v.undecided);
}
template <class A>
void describe(A& a, AnnotatedText& v) {
  a("text", v.text), a("written", v.claims_written), a("kernel", v.kernel), a("arch", v.arch);
  a("compiler", v.compiler), a("inferred", v.inferred), a("notices", v.notices), a("warnings", v.warnings);
}

namespace wire {

template <class A>
void describe(A& a, FlatResult& v) {
  a("summary", v.summary), a("ending", v.ending), a("outputs", v.outputs), a("total", v.total);
  a("lines", v.lines), a("findings", v.findings), a("faults", v.faults);
  a("hardware", v.hardware), a("measured", v.measured);
}
template <class A>
void describe(A& a, Refusal& v) {
  a("diagnostics", v.diagnostics), a("ending", v.ending);
}
LS_WIRE_MESSAGE(Refusal)
LS_WIRE_MESSAGE(AnnotatedText)
LS_WIRE_MESSAGE(results::Measured)
LS_WIRE_MESSAGE(results::Contents)

// Defined in summary.cpp.
template <>
Bytes encode<results::Summary>(const results::Summary& message);
template <>
Expected<results::Summary> decode<results::Summary>(std::span<const std::uint8_t> payload);

template <>
Bytes encode<RunResult>(const RunResult& message) {
  FlatResult flat{.summary = encode(message.summary),
                  .ending = message.ending,
                  .outputs = message.outputs,
                  .total = message.counters.total,
                  .lines = {},
                  .findings = message.findings,
                  .faults = message.faults,
                  .hardware = message.hardware,
                  .measured = message.measured};
  for (const auto& [line, counts] : message.counters.lines) flat.lines.push_back({line, counts});
  return codec::encode_message(flat);
}

template <>
Expected<RunResult> decode<RunResult>(std::span<const std::uint8_t> payload) {
  auto flat = codec::decode_message<FlatResult>(payload);
  if (!flat) return tl::unexpected(flat.error());
  auto summary = decode<results::Summary>(flat->summary);
  if (!summary) return tl::unexpected(summary.error());
  RunResult out{.summary = std::move(*summary),
                .ending = flat->ending,
                .outputs = std::move(flat->outputs),
                .counters = {.total = flat->total, .lines = {}},
                .findings = std::move(flat->findings),
                .faults = std::move(flat->faults),
                .hardware = std::move(flat->hardware),
                .measured = std::move(flat->measured)};
  for (const LineCounts& l : flat->lines) out.counters.lines[l.line] = l.counts;
  return out;
}

}  // namespace wire
}  // namespace lanescope::engine
