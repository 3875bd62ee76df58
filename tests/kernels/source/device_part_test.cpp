// Host code is blanked, lines and columns stay.

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

TEST(DevicePart, HostCodeIsBlankedInPlace) {
  const Source s = read_data("host_and_device.cu");
  EXPECT_TRUE(s.has_host_code);
  ASSERT_EQ(s.device_text.size(), s.text.size());
  for (std::size_t i = 0; i < s.text.size(); ++i) {
    if (s.device_text[i] != s.text[i]) {
      ASSERT_EQ(s.device_text[i], ' ');
    }
    ASSERT_EQ(s.device_text[i] == '\n', s.text[i] == '\n');
  }
  for (const char* gone : {"main", "<iostream>", "reference", "vector", "namespace std", "<cstdio>", "<<<"})
    EXPECT_EQ(s.device_text.find(gone), std::string::npos) << gone;
  for (const char* kept :
       {"scale", "helper", "twice", "struct Pair", "constexpr int kWidth", "<cstdint>", "#define CHECK"})
    EXPECT_NE(s.device_text.find(kept), std::string::npos) << kept;
}

TEST(DevicePart, DeviceOnlyFilesStayAsTheyAre) {
  for (const char* name : {"half2_notes.cu", "packed_bytes.cu", "statement_shapes.cu"}) {
    const Source s = read_data(name);
    EXPECT_FALSE(s.has_host_code) << name;
    EXPECT_EQ(s.device_text, s.text) << name;
  }
}

TEST(DevicePart, FunctionsAreListed) {
  const Source s = read_data("statement_shapes.cu");
  const auto named = [&](const std::string& n) {
    for (const Function& f : s.functions) {
      if (f.name == n) return f;
    }
    return Function{};
  };
  EXPECT_TRUE(named("shapes").is_kernel);
  EXPECT_TRUE(named("shapes").is_template);
  EXPECT_EQ(named("shapes").launch_bounds, (std::vector<std::string>{"128", "2"}));
  ASSERT_EQ(named("shapes").parameters.size(), 4U);
  EXPECT_EQ(named("shapes").parameters[0].name, "in");
  EXPECT_EQ(named("shapes").parameters[3].name, "mode");
  EXPECT_TRUE(named("half_of").is_device);
  EXPECT_TRUE(named("plain").is_kernel);
  EXPECT_FALSE(named("exchange").name.empty());
}

}  // namespace
}  // namespace lanescope::source
