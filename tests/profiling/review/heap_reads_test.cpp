// Memory of the device heap holds nothing defined until a thread writes it: uses before that are found, and nothing else is.

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

/// `body` runs in 32 threads; line 12 is its first.
Reviewed review_of_body(const std::string& body, const std::string& more = "", const std::string& launches = "") {
  return reviewed("/*\nHeap.\n\n[lanescope]\n" +
                  (launches.empty() ? std::string("kernel = \"k\"\nblock = 32") : launches) +
                  "\n\n[buffers]\nx = \"s32 i:64 = zeros\"\nkept = \"u64 i:32 = zeros\"\n*/\n"
                  "__global__ void __launch_bounds__(32) k(int *x, unsigned long long *kept)\n{\n" +
                  body + "\n}\n" + more);
}

class HeapReads : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

TEST_F(HeapReads, OfUnwrittenMemoryAreErrors) {
  struct Case {
    const char *body, *place, *use;
  };
  for (const Case& c : {
           Case{"int *a = (int *)malloc(16);\na[0] = threadIdx.x;\nx[threadIdx.x] = a[0] + a[2];\nfree(a);",
                "byte 8 of an allocation of line ", "it is stored to element 0 of `x`"},
           Case{"int *a = new int[4];\na[threadIdx.x & 1] = 5;\nif (a[threadIdx.x & 1 ^ 1] > 3) x[threadIdx.x] = 1;\n"
                "delete[] a;",
                "byte 4 of an allocation of line ", "it decides what is executed"},
           // Freed memory has no address in common with what comes next.
           Case{"int *a = (int *)malloc(16);\na[0] = 1;\nfree(a);\nint *b = (int *)malloc(16);\nx[threadIdx.x] = "
                "b[0];\nfree(b);",
                "byte 0 of an allocation of line ", "it is stored to element 0 of `x`"},
       }) {
    const Reviewed r = review_of_body(c.body);
    EXPECT_EQ(r.problem, "");
    const auto found = of_rule(r, "uninitialised-read");
    ASSERT_EQ(found.size(), 1u) << c.body << "\n" << words(r);
    EXPECT_EQ(found[0].severity, Severity::error);
    EXPECT_NE(found[0].message.find(c.place), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find(c.use), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].remedy.find("after malloc or new"), std::string::npos) << found[0].remedy;
  }
}

TEST_F(HeapReads, OfWrittenMemoryAreNone) {
  for (const char* body : {
           "int *a = (int *)malloc(16);\nfor (int i = 0; i < 4; ++i) a[i] = i;\nx[threadIdx.x] = a[threadIdx.x & 3];\n"
           "free(a);",
           "int *a = new int[4]();\nx[threadIdx.x] = a[threadIdx.x & 3];\ndelete[] a;",
           "char *a = (char *)malloc(7);\nmemset(a, 1, 7);\nx[threadIdx.x] = a[threadIdx.x % 7];\nfree(a);",
           // Bytes between members are copied with the structure.
           "struct S { char c; int n; };\nS *a = new S[2];\na[0].c = 1;\na[0].n = 2;\na[1] = a[0];\n"
           "*(S *)(kept + threadIdx.x) = a[1];\nx[threadIdx.x] = a[1].n;\ndelete[] a;",
           // One thread writes for all.
           "__shared__ int *s;\nif (threadIdx.x == 0) { s = (int *)malloc(128); for (int i = 0; i < 32; ++i) s[i] = i; "
           "}\n"
           "__syncthreads();\nx[threadIdx.x] = s[threadIdx.x];\n__syncthreads();\nif (threadIdx.x == 0) free(s);",
           // More addresses than are followed.
           "for (int i = 0; i < 3000; ++i) {\nint *a = (int *)malloc(16);\na[0] = i;\nx[threadIdx.x] += "
           "a[0];\nfree(a);\n}",
       }) {
    const Reviewed r = review_of_body(body);
    EXPECT_EQ(r.problem, "");
    EXPECT_TRUE(of_rule(r, "uninitialised-read").empty()) << body << "\n" << words(r);
  }
}

// A launch leaves its memory to the next one, with what it has written.
TEST_F(HeapReads, OfALaterLaunchKnowWhatAnEarlierOneWrote) {
  const std::string launches = "[[launch]]\nkernel = \"k\"\nblock = 32\n[[launch]]\nkernel = \"r\"\nblock = 32",
                    first =
                        "int *a = (int *)malloc(8);\na[0] = threadIdx.x;\nkept[threadIdx.x] = (unsigned long long)a;";
  for (const int element : {0, 1}) {
    const Reviewed r = review_of_body(first,
                                      "__global__ void r(int *x, unsigned long long *kept)\n{\n  int *a = (int "
                                      "*)kept[threadIdx.x];\n  x[threadIdx.x] = a[" +
                                          std::to_string(element) + "];\n  free(a);\n}\n",
                                      launches);
    EXPECT_EQ(r.problem, "");
    EXPECT_EQ(of_rule(r, "uninitialised-read").size(), element == 0 ? 0u : 1u) << words(r);
  }
}

}  // namespace
}  // namespace lanescope::review
