# Of CTest's LastTest.log: which suites skip tests, which end without a result of GoogleTest or fail after it, and how many tests
# passed, failed and were skipped. An entry of CTest is a suite of many tests, or a part of one; one that ends so is one failure.
/^[0-9]+\/[0-9]+ Testing: / {
    entry = suite = $3
    sub(/\.[0-9]+$/, "", suite)
    has_result = 0
    failed_before = ran - passed - skipped
}
/^\[=+\] [0-9]+ tests? from .* ran\./ { ran += $2; has_result = 1 }
/^\[  PASSED  \] [0-9]+ tests?\./ { passed += $4 }
/^\[  SKIPPED \] [0-9]+ tests?/ { skipped += $4; skips[suite] += $4 }
# CTest says "Passed" of a program that it does not find.
/^Test (Passed|Failed)\.$/ {
    if (!has_result || ($2 == "Failed." && ran - passed - skipped == failed_before)) {
        printf "%s FAILED: %s\n", entry, has_result ? "it ended with an error after its tests" : "it ended without a result"
        ended++
    }
}
END {
    for (suite in skips) printf "%d tests of %s were SKIPPED\n", skips[suite], suite
    printf "%d passed, %d failed, %d skipped\n", passed, ran - passed - skipped + ended, skipped
}
